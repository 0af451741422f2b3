import { NOTHING } from "./budget.ts";
import type { AtGate } from "./gate.ts";
import type { Input, RunEnd, Sighting } from "./input.ts";
import { type Rules, wait } from "./move.ts";
import { closeRun, settleEnd } from "./settle-end.ts";
import { settleGateSeen } from "./settle-gate.ts";
import type { Running, Task, WorkerQuestion } from "./task.ts";
import type { Turn } from "./turn.ts";

/** What was seen of a run (processor.md, "Worker Lifecycle": poll). A run that cannot be seen goes on as it is. */
export function settleSighting(
  turn: Turn,
  { leg, sighting }: Extract<Input, { kind: "run-seen" }>,
  rules: Rules,
  massEnd: boolean,
): void {
  const { doing } = turn.task();
  if (!isSeen(doing, leg)) return turn.note({ kind: "input-ignored", why: `${leg} is not the run of this task` });
  if (sighting.kind === "absent") return absent(turn, leg, rules);
  if (sighting.kind === "gate") return settleGateSeen(turn, doing, sighting, rules);
  if (doing.kind === "at-gate") return atGateSeen(turn, doing, sighting);
  if (sighting.kind === "alive" && sighting.overBudget && doing.stopping === null) return overBudget(turn, doing);
  if (sighting.kind === "ended" && sighting.driver === "gone" && massEnd && isFree(turn)) return massEnded(turn, leg);
  if (sighting.kind === "alive") hear(turn, doing, sighting.question ?? null);
  const seen = see(doing, sighting, turn);
  if (seen.ended !== doing.ended || seen.unseen !== doing.unseen || seen.verdictSince !== doing.verdictSince)
    turn.note({ kind: "worker-seen", leg, ...seen });
}

/** What is parked has no process to be seen. */
const isSeen = (doing: Task["doing"], leg: string): doing is Running | AtGate =>
  (doing.kind === "running" && doing.leg === leg && !doing.ended) ||
  (doing.kind === "at-gate" && doing.leg === leg && doing.alive);

/** A question is told once: it is the row's from then on, also for the next processor (architecture 4.6). */
function hear(turn: Turn, { leg, asks = null }: Running, question: WorkerQuestion | null): void {
  if (question?.number === asks?.number && question?.until === asks?.until) return;
  turn.note({ kind: "worker-asked", leg, question });
  if (question !== null) turn.notify("waiting", `asks: ${question.text}: pawl answer ${turn.task().id} "…"`);
}

/** A worker that ended at its gate with something else than its question is read: it may have left a verdict. */
function atGateSeen(turn: Turn, { leg }: AtGate, { kind }: Sighting): void {
  if (kind === "ended") turn.note({ kind: "worker-seen", leg, ended: true, unseen: null, verdictSince: null });
}

function see(
  doing: Running,
  sighting: Exclude<Sighting, { kind: "absent" | "gate" }>,
  turn: Turn,
): Pick<Running, "ended" | "unseen" | "verdictSince"> {
  switch (sighting.kind) {
    case "ended":
      return { ended: true, unseen: null, verdictSince: doing.verdictSince };
    case "unknown":
      return { ended: false, unseen: sighting.why, verdictSince: doing.verdictSince };
    case "alive":
      return {
        ended: false,
        unseen: null,
        verdictSince: sighting.verdictWritten ? (doing.verdictSince ?? turn.now) : null,
      };
  }
}

/** An end that nobody read: what it may have spent counts as spent, its head is as it was. */
const UNREAD = { usage: NOTHING, usageKnown: false, head: null, change: null } as const;
/** nobody wants its end anyway: a cancelled or merged task is not held for the way in which its worker ended */
const isFree = (turn: Turn): boolean => turn.task().cancelling === null && turn.task().merged === null;

/** The host has no trace of a run that it was told to start: its folder is gone. */
function absent(turn: Turn, leg: Running["leg"], rules: Rules): void {
  const end: RunEnd = {
    how: "no-verdict",
    detail: "worker completed without writing verdict (its run folder is gone)",
    ...UNREAD,
  };
  settleEnd(turn, { kind: "run-ended", task: turn.task().id, leg, end }, rules, { estimated: true });
}

function overBudget(turn: Turn, { leg }: Running): void {
  turn.note({ kind: "worker-stopping", leg, why: "budget" });
  turn.chore({ kind: "stop", leg, why: "budget" });
}

/** Many at once is the machine's doing, not theirs: a person is asked before anything is concluded (architecture 5.2). */
function massEnded(turn: Turn, leg: Running["leg"]): void {
  const end: RunEnd = { how: "lost", detail: "it ended with many others, and nothing says how", ...UNREAD };
  closeRun(turn, leg, end, { estimated: true });
  const reason = "many workers ended at once and nothing says how (a reboot?); pawl retry starts this one again";
  wait(turn, { code: "mass-end", owner: "human", reason, since: turn.now, until: null });
}
