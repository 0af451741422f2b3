import {
  type AtGate,
  DEFAULT_GATES,
  type Gate,
  type GateAnswer,
  type GateSaid,
  MOST_SENT_BACK,
  NO,
  type OpenRun,
  SUBMITTED,
  YES,
} from "./gate.ts";
import type { Input, Sighting } from "./input.ts";
import { move, type Rules } from "./move.ts";
import type { Instant } from "./names.ts";
import { phaseOf, whoOf } from "./phase.ts";
import type { Running, Task } from "./task.ts";
import type { Turn } from "./turn.ts";

type Seen = Extract<Sighting, { kind: "gate" }>;

/**
 * A submission that its worker waits with (architecture 5.3, 5.6). New: the gate opens, and the clock of the attempt
 * stands. Known: its process may have ended meanwhile, and then its slot is free. Answered already, and not read before it
 * ended: it goes on with a new leg.
 */
export function settleGateSeen(turn: Turn, doing: Running | AtGate, seen: Seen, rules: Rules): void {
  const { run } = turn.task();
  if (!run || (doing.kind === "running" && doing.purpose !== "agent")) return ends(turn, doing, seen);
  if (isUnwanted(doing)) return ends(turn, doing, seen);
  if (doing.kind === "at-gate" && seen.seq <= doing.seq) return known(turn, doing, seen, rules);
  if (run.answer !== null && seen.seq <= run.answer.seq) {
    if (!seen.alive) turn.note({ kind: "worker-parked", leg: doing.leg, at: turn.now });
    return;
  }
  open(turn, doing, seen, rules);
}

/** Somebody wants its end, and its answer is nobody's any more. */
const isUnwanted = ({ stopping }: Running | AtGate): boolean =>
  stopping !== null && stopping !== "stopped" && stopping !== "verdict-written" && stopping !== "park";

function ends(turn: Turn, { leg }: Running | AtGate, { alive }: Seen): void {
  if (!alive) turn.note({ kind: "worker-seen", leg, ended: true, unseen: null, verdictSince: null });
}

function open(turn: Turn, { leg }: Running | AtGate, seen: Seen, { limits }: Rules): void {
  const { gate, seq, submission, head, alive } = seen;
  const gates = limits.gates ?? DEFAULT_GATES;
  const owners = gate === "GO" ? gates.go : gates.next;
  const until = (turn.now + gates.timeoutMs) as Instant;
  turn.note({ kind: "gate-opened", leg, gate, seq, submission, head, alive, owners, at: turn.now, until });
  tellOwner(turn);
}

function known(turn: Turn, doing: AtGate, { alive }: Seen, rules: Rules): void {
  if (alive || !doing.alive) return;
  turn.note({ kind: "worker-parked", leg: doing.leg, at: turn.now });
  if (doing.until === null) escalate(turn, rules);
}

/** A person is told when it is theirs. */
function tellOwner(turn: Turn): void {
  const { id, doing } = turn.task();
  if (doing.kind !== "at-gate" || doing.owners[0] !== "human") return;
  const { gate } = doing;
  const [yes, no] = [YES[gate].toLowerCase(), NO[gate].toLowerCase()];
  const what = `its ${SUBMITTED[gate]} waits at ${gate}`;
  turn.notify("waiting", `${what}: pawl show ${id} --plan; pawl ${yes} ${id} | pawl ${no} ${id} -m "…"`);
}

/** It waited too long: where its map says what then, the run is given up; else a person is told, once, and it waits on. */
export function gateTimedOut(turn: Turn, doing: AtGate, rules: Rules): void {
  turn.note({ kind: "gate-overdue", seq: doing.seq });
  const target = phaseOf(rules.map, turn.task().phase)?.escalate ?? null;
  if (target === null)
    return turn.notify("overdue", `it has waited at ${doing.gate} longer than gates.timeout; it goes on waiting`);
  if (!doing.alive) return escalate(turn, rules);
  turn.note({ kind: "worker-stopping", leg: doing.leg, why: "park" });
  turn.chore({ kind: "stop", leg: doing.leg, why: "park" });
}

function escalate(turn: Turn, rules: Rules): void {
  const to = phaseOf(rules.map, turn.task().phase)?.escalate ?? null;
  if (to !== null) move(turn, rules, { kind: "ESCALATE", to });
}

/** What an owner that is asked says: a yes asks the next one, a no is the answer. Never touches `round` (architecture 5.7). */
export function settleGateSaid(turn: Turn, input: Extract<Input, { kind: "gate-said" }>, rules: Rules): void {
  const { doing } = turn.task();
  const { leg, seq, owner, said } = input;
  if (doing.kind !== "at-gate" || doing.leg !== leg || doing.seq !== seq || doing.owners[0] !== owner)
    return turn.note({ kind: "input-ignored", why: `nobody asks ${owner} about ${leg} ${seq} any more` });
  if (!fits(doing.gate, said))
    return turn.note({ kind: "input-ignored", why: `${said.word} is no answer at ${doing.gate}` });
  if (said.word === YES[doing.gate] && doing.owners.length > 1) {
    turn.note({ kind: "gate-passed", seq, owner });
    return tellOwner(turn);
  }
  answerGate(turn, rules, { by: owner, said });
}

const fits = (gate: Gate, { word }: GateSaid): boolean => word === "BLOCKED" || word === YES[gate] || word === NO[gate];

/** The answer is durable, delivered under its name, and its worker goes on: where it waits, or in a new leg. */
export function answerGate(turn: Turn, rules: Rules, of: { by: string; said: GateSaid }): void {
  const { doing, run } = turn.task();
  if (doing.kind !== "at-gate" || !run) throw new TypeError(`${turn.task().id} is at no gate`);
  const { by } = of;
  const said = notTooOften(of.said, { gate: doing.gate, times: run.sentBack?.[doing.gate] ?? 0 });
  const answer = messageOf(turn.task(), {
    doing,
    run,
    by,
    said,
    now: turn.now,
    role: whoOf(rules.map, turn.task().phase),
  });
  turn.note({ kind: "gate-answered", leg: doing.leg, answer, at: turn.now });
  turn.chore({ kind: "deliver", leg: doing.leg, name: answer.name, message: answer.message });
}

/** A worker is sent back twice for its plan, and twice for its report; what would be the third time ends it as BLOCKED. */
function notTooOften(said: GateSaid, { gate, times }: { gate: Gate; times: number }): GateSaid {
  if (said.word !== NO[gate] || times < MOST_SENT_BACK) return said;
  const words = said.issues[0]?.text ?? said.reason ?? "no";
  const what = gate === "GO" ? "plan revisions" : "fix attempts";
  return { ...said, word: "BLOCKED", reason: `after ${MOST_SENT_BACK} ${what} the owner still says: ${words}` };
}

function messageOf(
  { id }: Task,
  of: { doing: AtGate; run: OpenRun; by: string; said: GateSaid; now: Instant; role: string },
): GateAnswer {
  const { doing, run, by, said } = of;
  const number = String(doing.seq).padStart(3, "0");
  const asked = doing.gate === "GO" ? "PLAN_SUBMISSION" : "COMPLETION_REPORT";
  const message = {
    message_type: said.word,
    agent_id: `${of.role}-${run.wish.run}`,
    task_id: id,
    in_reply_to: `${number}-${asked}.json`,
    by,
    ...(said.issues.length > 0 ? { issues: said.issues } : {}),
    ...(said.reason === null ? {} : { reason: said.reason }),
    sent_at: new Date(of.now).toISOString(),
  };
  return { seq: doing.seq, word: said.word, by, name: `${number}-${said.word}.json`, message: JSON.stringify(message) };
}
