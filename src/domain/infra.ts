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
 * What is not the worker's doing: WAIT in the phase, no round; held for a person after `max_hold_hours` of it. `until`
 * is the source's own word on when to try again.
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
  const since = turn.task().infraSince!;
  const held = turn.now - since >= rules.limits.maxHoldMs;
  // a reset that has passed says nothing about the next try: without the back-off that would be a loop
  const said = on.until !== null && on.until > turn.now ? on.until : null;
  const until = said ?? ((turn.now + backOff(failures)) as Instant);
  const waiting: Waiting = held
    ? {
        ...on,
        owner: "human",
        reason: `${on.reason} (again and again since the first time; held)`,
        since: turn.now,
        until: null,
      }
    : { ...on, since: turn.now, until: on.owner === "human" && on.until === null ? null : until };
  move(turn, rules, { kind: "WAIT", on: waiting, stays: true });
}
