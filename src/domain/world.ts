import type { Backlog } from "./backlog.ts";
import type { Commit, Instant, MapHash, TaskId } from "./names.ts";
import type { PhaseMap } from "./phase.ts";
import type { Task } from "./task.ts";

/** worker: agents. run: users' commands and merge checks. */
export type Pool = "worker" | "run";

/** All that decide() and explain() may see. Everything is computed from rows; nothing here is stored. */
export interface World {
  readonly now: Instant;
  readonly backlog: Backlog;
  /** the row; of a task not picked up, a pristine one */
  task(id: TaskId): Task;
  map(hash: MapHash): PhaseMap;
  /** newest valid map of that name; null: there is none */
  newest(name: string): PhaseMap | null;
  /** in progress, nothing going on, and no slot needed; of each merge lane the first only; natural order */
  acting(): readonly TaskId[];
  /** something falls due now: a wait that ends, a timeout, a deadline; natural order */
  due(): readonly TaskId[];
  /**
   * want a slot: lowest id first, walked lazily; new tasks only with every dependency met. Tasks of one kin (started or
   * not, the same map and touches) get the same answer: a kin that is put into `barred` on the way is passed over.
   */
  eligible(pool: Pool, barred?: ReadonlySet<string>): Iterable<TaskId>;
  kin(pool: Pool, id: TaskId): string;
  /** hold a slot of that pool, or are being spawned */
  holders(pool: Pool): readonly Task[];
  /** wait because the budget of the backlog is used up */
  broke(): readonly TaskId[];
  /** a read for it is under way */
  reading(id: TaskId): boolean;
  /** dependencies that are not completed and synced */
  unmet(id: TaskId): readonly TaskId[];
  /** status of any task, terminal ones too; null: unknown */
  statusOf(id: TaskId): Task["status"] | null;
  /** the commit that landed it; null: none, or not known */
  mergedOf(id: TaskId): Commit | null;
  /** tasks before it in the merge queue of its base, first the one at work */
  ahead(id: TaskId): readonly TaskId[];
  /** chains from a failed task to each not-started one that hangs on it, not yet reported */
  stranded(): readonly (readonly TaskId[])[];
  /** failed tasks with those that hang on them, where nothing can go on by itself any more and that was not told; else none */
  standstill(): readonly (readonly TaskId[])[];
}
