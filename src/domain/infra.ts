import { move, type Rules } from "./move.ts";
import type { Instant, Ms } from "./names.ts";
import type { WaitCode, Waiting } from "./task.ts";
import type { Turn } from "./turn.ts";

const FIRST_MS: Ms = 30_000;
const MOST_MS: Ms = 15 * 60_000;

/** Back-off 30 s doubling to 15 min (architecture 5.4). `failures` counts the earlier ones. */
export const backOff = (failures: number): Ms => Math.min(FIRST_MS * 2 ** Math.min(failures, 10), MOST_MS);

/** Something of the outside worked: the next failure is the first of a new row, and its time in hold begins then. */
export function infraWorks(turn: Turn): void {
  if (turn.task().counts.infra > 0) turn.note({ kind: "counters-cleared", counters: ["infra"] });
}

/**
 * What is not the worker's doing: WAIT in the phase, no round. `until` is the source's own word on when to try again. A
 * person who owns the move is told once, and it is looked at again meanwhile; what is nobody's move is held for one after
 * `max_hold_hours` of it.
 */
export function waitForInfra(
  turn: Turn,
  rules: Rules,
  on: {
    readonly code: WaitCode;
    readonly owner: Waiting["owner"];
    readonly reason: string;
    readonly until: Instant | null;
  },
): void {
  const failures = turn.task().counts.infra;
  turn.note({ kind: "counter-raised", counter: "infra", at: turn.now });
  if (on.owner === "human") return waitForPerson(turn, rules, { ...on, since: turn.now }, failures);
  const held = turn.now - turn.task().infraSince! >= rules.limits.maxHoldMs;
  // a reset that has passed says nothing about the next try: without the back-off that would be a loop
  const said = on.until !== null && on.until > turn.now ? on.until : null;
  const until = said ?? ((turn.now + backOff(failures)) as Instant);
  const reason = `${on.reason} (again and again since the first time; held)`;
  const waiting: Waiting = held
    ? { ...on, owner: "human", reason, since: turn.now, until: null }
    : { ...on, since: turn.now, until };
  move(turn, rules, { kind: "WAIT", on: waiting, stays: true });
}

function waitForPerson(turn: Turn, rules: Rules, on: Waiting, failures: number): void {
  if (on.until !== null && failures > 0) turn.note({ kind: "task-waiting", on });
  else move(turn, rules, { kind: "WAIT", on, stays: true });
}
