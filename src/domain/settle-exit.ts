import { waitForInfra } from "./infra.ts";
import type { RunEnd } from "./input.ts";
import { move, type Rules, wait } from "./move.ts";
import type { Instant } from "./names.ts";
import { phaseOf } from "./phase.ts";
import type { Running } from "./task.ts";
import type { Turn } from "./turn.ts";

/** Exit code of a user's command that says: not ready yet (EX_TEMPFAIL). */
const WAIT_CODE = 75;
const LOOK_AGAIN_MS = 30_000;

/** The end of a user's command: an action, the question whether it happened, or the merge check. */
export function settleCommandEnd(turn: Turn, doing: Running, end: RunEnd, rules: Rules): void {
  switch (end.how) {
    case "exit":
      turn.note({ kind: "counters-cleared", counters: ["infra"] });
      return exited(turn, doing, end, rules);
    case "timeout":
      return failed(turn, doing, end.detail, rules);
    case "stopped":
      return unknownEnd(turn, doing, rules);
    default:
      return waitForInfra(turn, rules, { code: "host", owner: "host", reason: end.detail, until: null });
  }
}

function exited(turn: Turn, doing: Running, end: Extract<RunEnd, { how: "exit" }>, rules: Rules): void {
  if (doing.purpose === "ask") return answered(turn, end.code, rules);
  if (end.code === null) return unknownEnd(turn, doing, rules);
  if (doing.purpose === "check") return checked(turn, doing, end, rules);
  if (end.code === 0) return move(turn, rules, { kind: "ADVANCE", note: null });
  if (end.code === WAIT_CODE) return notReady(turn, end.detail, rules);
  failed(turn, doing, `exited ${end.code}: ${end.detail}`, rules);
}

function checked(turn: Turn, doing: Running, end: Extract<RunEnd, { how: "exit" }>, rules: Rules): void {
  const { candidate } = turn.task();
  if (end.code === 0 && candidate) return turn.note({ kind: "candidate-checked", commit: candidate.commit });
  turn.note({ kind: "candidate-dropped", why: "its check failed" });
  failed(
    turn,
    doing,
    `the check of the merge with ${candidate?.tip.slice(0, 7)} exited ${end.code}: ${end.detail}`,
    rules,
  );
}

function notReady(turn: Turn, detail: string, rules: Rules): void {
  const { phase } = turn.task();
  const reason = `action of ${phase} says it is not ready${detail ? `: ${detail}` : ""}`;
  const until = (turn.now + LOOK_AGAIN_MS) as Instant;
  move(turn, rules, {
    kind: "WAIT",
    on: { code: "action-wait", owner: "processor", reason, since: turn.now, until },
    stays: false,
  });
}

function failed(turn: Turn, doing: Running, text: string, rules: Rules): void {
  const source = turn.task().phase!;
  move(turn, rules, {
    kind: "RETRY",
    cause: "action",
    source,
    findings: [{ key: doing.purpose, text }],
    complete: true,
  });
}

/** A crash hid how it ended: again only if that is harmless or somebody can say; else a person decides (architecture 4.6). */
function unknownEnd(turn: Turn, doing: Running, rules: Rules): void {
  const { phase, visit } = turn.task();
  const step = phaseOf(rules.map, phase)!.step;
  if (doing.purpose !== "action" || (step.run === "action" && step.how === "command" && step.idempotent)) return;
  if (step.run === "action" && step.how === "command" && step.canAsk)
    return turn.note({ kind: "action-unsure", visit });
  const reason = `a crash hid how action ${phase} ended: unknown whether it happened; pawl retry runs it again`;
  wait(turn, { code: "action-unknown", owner: "human", reason, since: turn.now, until: null });
}

/** The question whether an action happened: 0 it did, 1 it did not; anything else is asked again later. */
function answered(turn: Turn, code: number | null, rules: Rules): void {
  if (code === 0) {
    turn.note({ kind: "action-unsure", visit: null });
    return move(turn, rules, { kind: "ADVANCE", note: "it had happened" });
  }
  if (code === 1) return turn.note({ kind: "action-unsure", visit: null });
  const reason = "the check of the action cannot say whether it happened";
  waitForInfra(turn, rules, { code: "action-unknown", owner: "processor", reason, until: null });
}
