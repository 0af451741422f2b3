import type { Limits } from "../domain/backlog.ts";
import { wakeOf } from "../domain/due.ts";
import type { Instant } from "../domain/names.ts";
import { type PhaseMap, phaseOf } from "../domain/phase.ts";
import { inMergeQueue, nextOf } from "../domain/step.ts";
import type { Purpose, Task } from "../domain/task.ts";
import type { Pool } from "../domain/world.ts";

/** Where one row stands in the board's indexes: computed from the row alone. */
export interface RowPlace {
  /** wants a slot of that pool */
  readonly queue: Pool | null;
  /** can be acted on without a slot */
  readonly acting: boolean;
  /** in the merge queue of that base, and able to go on */
  readonly lane: string | null;
  /** an effect or a run of it is under way */
  readonly atWork: boolean;
  readonly holds: Pool | null;
  readonly running: boolean;
  /** its run ended and is to be read */
  readonly over: boolean;
  readonly asking: boolean;
  /** waits at a gate for an owner that is asked by us */
  readonly gated: boolean;
  /** has a branch or pull request at the forge that others may touch */
  readonly watched: boolean;
  readonly unsynced: boolean;
  /** waits for the budget of the backlog */
  readonly broke: boolean;
  readonly wake: Instant | null;
}

const poolOf = (purpose: Purpose): Pool => (purpose === "agent" ? "worker" : "run");

export function placeOf(task: Task, map: PhaseMap | null, limits: Limits): RowPlace {
  const live = task.status === "in-progress" && map !== null;
  const { doing } = task;
  const idle = live && doing.kind === "nothing";
  const next = idle ? nextOf(task, map, limits) : null;
  const lane = live && doing.kind !== "waiting" && inMergeQueue(task, map) ? task.terms.base : null;
  return {
    queue: next?.kind === "slot" ? next.pool : null,
    acting: next !== null && next.kind !== "slot",
    lane,
    atWork: live && (doing.kind === "effect" || doing.kind === "running"),
    holds: holding(task),
    running: live && (doing.kind === "running" || (doing.kind === "at-gate" && doing.alive)),
    over: live && doing.kind === "running" && doing.ended,
    asking: live && doing.kind === "asking",
    gated: live && doing.kind === "at-gate" && doing.owners[0] !== "human",
    watched:
      live && (task.published !== null || task.pr !== null) && doing.kind !== "effect" && doing.kind !== "nothing",
    unsynced: task.status === "completed" && !task.synced && task.merged !== null,
    broke: live && doing.kind === "waiting" && doing.on.code === "backlog-budget",
    wake: live ? wakeOf(task, phaseOf(map, task.phase)?.timeoutMs ?? null) : null,
  };
}

function holding({ status, doing }: Task): Pool | null {
  if (status !== "in-progress") return null;
  if (doing.kind === "running") return poolOf(doing.purpose);
  if (doing.kind === "at-gate") return doing.alive ? "worker" : null;
  return doing.kind === "effect" && doing.intent.kind === "spawn" ? poolOf(doing.intent.wish.purpose) : null;
}
