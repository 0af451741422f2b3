import type { Backlog } from "./backlog.ts";
import { add, subtract } from "./budget.ts";
import type { Fact } from "./fact.ts";

/** Who hangs on which failed task: `failed -> stranded`, one text per pair. */
export const strandings = ([root, ...stranded]: readonly string[]): readonly string[] =>
  stranded.map((id) => `${root} -> ${id}`);

/** The backlog's row after one fact; the same object where the fact does not concern it. */
export function evolveBacklog(backlog: Backlog, fact: Fact): Backlog {
  switch (fact.kind) {
    case "limits-adopted":
      return { ...backlog, limits: fact.limits };
    case "map-adopted":
      return { ...backlog, maps: { ...backlog.maps, [fact.name]: fact.map } };
    case "deadlock-found":
      return {
        ...backlog,
        deadlocks: [
          ...backlog.deadlocks,
          ...strandings(fact.chain).filter((pair) => !backlog.deadlocks.includes(pair)),
        ],
      };
    case "standstill-found":
      return { ...backlog, standstill: true };
    case "task-picked-up":
    case "phase-entered":
      return backlog.standstill ? { ...backlog, standstill: false } : backlog;
    case "task-retried":
      // if it fails again, that is told again
      return { ...backlog, deadlocks: backlog.deadlocks.filter((chain) => !chain.startsWith(`${fact.task} -> `)) };
    case "stop-asked":
      return { ...backlog, stopping: { workers: fact.workers, by: fact.by } };
    case "stop-cleared":
      return { ...backlog, stopping: null };
    case "budget-reserved":
      return { ...backlog, reserved: add(backlog.reserved, fact.amount) };
    case "budget-settled":
      return {
        ...backlog,
        reserved: subtract(backlog.reserved, fact.reserved),
        spent: add(backlog.spent, fact.amount),
      };
    default:
      return backlog;
  }
}
