import type { Instant } from "../domain/names.ts";
import type { Waiting } from "../domain/task.ts";
import type { Board } from "./board.ts";

/** terminal: nothing is left that could ever move by itself or by a person's answer. idle: all that is left waits for people. */
export type Rest = "moving" | "idle" | "terminal";

/**
 * How far a board has come to rest, when nothing came in and nothing is under way. What waits since before `opened`, and
 * is looked at again by itself, has to be looked at once: the reason may be gone by now.
 */
export function restOf(board: Board, opened: Instant): Rest {
  const live = [...board.rows.values()].filter((task) => task.status === "in-progress");
  if (board.indexes.unsynced.size > 0) return "moving";
  if (live.length === 0) return isStartable(board) ? "moving" : "terminal";
  const waiting = live.every(({ id, doing, map, phase }) => {
    if (doing.kind === "waiting") return isPersons(doing.on) && (doing.on.until === null || doing.on.since > opened);
    if (doing.kind === "at-gate") return doing.owners[0] === "human";
    if (doing.kind !== "asking") return false;
    const step = board.map(map!).phases[phase!]?.step;
    return board.rows.has(id) && step?.run === "signal" && step.answeredBy === "human";
  });
  return waiting && !isStartable(board) ? "idle" : "moving";
}

const isPersons = (on: Waiting): boolean => on.owner === "human";

/** a task that is ready would have been started, were there anything left to spend */
function isStartable(board: Board): boolean {
  if (board.indexes.queues.worker.size === 0) return false;
  const { limits, spent, reserved } = board.backlog;
  const kinds = ["microUsd", "tokens", "wallMs", "spawns"] as const;
  const isShort = kinds.some(
    (kind) => limits.budget[kind] !== null && limits.budget[kind] - spent[kind] - reserved[kind] <= 0,
  );
  return !isShort;
}
