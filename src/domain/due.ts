import { rulesOf } from "./act.ts";
import { move } from "./move.ts";
import type { Instant, Ms } from "./names.ts";
import { phaseOf } from "./phase.ts";
import { gateTimedOut } from "./settle-gate.ts";
import type { Running, Task } from "./task.ts";
import type { Turn } from "./turn.ts";
import type { World } from "./world.ts";

/** A verdict that lies there while the process lives counts after this time: the group is stopped, then read. */
export const VERDICT_GRACE_MS: Ms = 30_000;
/** The driver ends an attempt at its deadline; so much later the engine sees to it itself. */
export const DEADLINE_GRACE_MS: Ms = 60_000;

/** When something falls due for this row; null: nothing by the clock. */
export function wakeOf(task: Task, timeoutMs: Ms | null): Instant | null {
  const times = [untilOf(task), timeoutOf(task, timeoutMs)].filter((time): time is Instant => time !== null);
  return times.length === 0 ? null : (Math.min(...times) as Instant);
}

function untilOf({ doing }: Task): Instant | null {
  if (doing.kind === "waiting") return doing.on.until;
  if (doing.kind === "at-gate") return doing.until;
  if (doing.kind !== "running" || doing.stopping !== null || doing.ended) return null;
  const deadline = (doing.deadline + DEADLINE_GRACE_MS) as Instant;
  return doing.verdictSince === null
    ? deadline
    : (Math.min(deadline, doing.verdictSince + VERDICT_GRACE_MS) as Instant);
}

/** When the time in WAIT of this phase is over. It counts while the phase itself waits, not while somebody is in the way. */
export function timeoutOf(task: Task, timeoutMs: Ms | null): Instant | null {
  if (timeoutMs === null || task.waitingSince === null || task.overdue || !isPatient(task)) return null;
  return (task.waitingSince + timeoutMs) as Instant;
}
const isPatient = ({ doing }: Task): boolean =>
  doing.kind === "asking" ||
  (doing.kind === "waiting" && (doing.on.code === "action-wait" || doing.on.code === "pending"));

/** What falls due now for one task. */
export function dueFacts(turn: Turn, world: World): void {
  const task = turn.task();
  const rules = rulesOf(world, task);
  const phase = phaseOf(rules.map, task.phase);
  const timeout = timeoutOf(task, phase?.timeoutMs ?? null);
  if (phase && timeout !== null && timeout <= turn.now) {
    if (phase.escalate !== null) return move(turn, rules, { kind: "ESCALATE", to: phase.escalate });
    turn.note({ kind: "task-overdue", at: turn.now });
    turn.notify("overdue", `${phase.name} has waited longer than its timeout; it goes on waiting`);
  }
  if (task.doing.kind === "waiting" && task.doing.on.until !== null && task.doing.on.until <= turn.now)
    turn.note({ kind: "task-released", at: turn.now });
  if (task.doing.kind === "running") stopIfDue(turn, task.doing);
  if (task.doing.kind === "at-gate" && task.doing.until !== null && task.doing.until <= turn.now)
    gateTimedOut(turn, task.doing, rules);
}

function stopIfDue(turn: Turn, doing: Running): void {
  const until = untilOf(turn.task());
  if (until === null || until > turn.now) return;
  const why = doing.verdictSince === null ? "timeout" : "verdict-written";
  turn.note({ kind: "worker-stopping", leg: doing.leg, why });
  turn.chore({ kind: "stop", leg: doing.leg, why });
}
