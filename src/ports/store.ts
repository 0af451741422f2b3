import type { Backlog } from "../domain/backlog.ts";
import type { Fact } from "../domain/fact.ts";
import type { Input } from "../domain/input.ts";
import type { BlobHash, Commit, Instant, MapHash, TaskId } from "../domain/names.ts";
import type { PhaseMap } from "../domain/phase.ts";
import type { Seed, Status, Task } from "../domain/task.ts";

/** One turn, whole: what came in, what was concluded, and every row that changed by it. */
export interface Tick {
  /** last committed + 1; the first is 1 */
  readonly seq: number;
  readonly now: Instant;
  readonly build: string;
  readonly inputs: readonly Input[];
  readonly facts: readonly Fact[];
  /** picked-up tasks that changed */
  readonly rows: readonly Task[];
  /** tasks not picked up that are new or changed */
  readonly seeds: readonly Seed[];
  /** null: unchanged */
  readonly backlog: Backlog | null;
  readonly maps: readonly PhaseMap[];
  readonly blobs: ReadonlyMap<BlobHash, Uint8Array>;
}

/** A tick as the log keeps it. */
export interface LoggedTick {
  readonly seq: number;
  readonly now: Instant;
  readonly epoch: number;
  readonly build: string;
  readonly inputs: readonly Input[];
  readonly facts: readonly Fact[];
}

/** A terminal task, as far as others depend on it. */
export interface Ended {
  readonly id: TaskId;
  readonly status: Status;
  readonly synced: boolean;
  readonly merged: Commit | null;
}

/** One state of the store. Each task is in exactly one of `live`, `seeds` and `ended`; their order means nothing. */
export interface Snapshot {
  readonly seq: number;
  readonly now: Instant;
  readonly backlog: Backlog;
  /** not terminal, or with chores open, or completed and not synced */
  readonly live: readonly Task[];
  /** whoever makes a board of them hands them over to it */
  readonly seeds: Iterable<Seed>;
  readonly ended: readonly Ended[];
  readonly maps: ReadonlyMap<MapHash, PhaseMap>;
}

/** One state of a store, without the rows of what is not in progress: they may be a hundred thousand. */
export interface Overview extends Pick<Snapshot, "seq" | "now" | "backlog" | "live" | "maps"> {
  readonly counts: Readonly<Record<Status, number>>;
  /** the first ids in natural order, as many as were asked for */
  readonly notStarted: readonly TaskId[];
  readonly failed: readonly TaskId[];
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly since: Instant;
  readonly epoch: number;
  /** false: it was the last one, and holds no more */
  readonly alive: boolean;
}

export interface Lease {
  readonly epoch: number;
  /** when it ends if it is not renewed; null: only with the process */
  readonly until: Instant | null;
  /** aborts when the lease is known to be lost */
  readonly lost: AbortSignal;
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** What anybody may read, without the lease, at any time. */
export interface Reader {
  load(): Promise<Snapshot>;
  /** what there is, in a moment also where it is much; `most`: of how many the ids are told */
  overview(most: Readonly<Record<"notStarted" | "failed", number>>): Promise<Overview>;
  /** the tasks of these ids, in no order; nothing of those that it does not know */
  part(ids: readonly TaskId[]): Promise<{ readonly seeds: readonly Seed[]; readonly rows: readonly Task[] }>;
  /** one picked-up task, terminal ones too; null: none of that id */
  task(id: TaskId): Promise<Task | null>;
  /** every picked-up task */
  tasks(): Promise<readonly Task[]>;
  blob(hash: BlobHash): Promise<Uint8Array | null>;
  /** ticks after `seq`, oldest first, at most `limit` */
  ticks(after: number, limit: number): Promise<readonly LoggedTick[]>;
  /** the newest holder; null: there was none yet */
  holder(): Promise<Holder | null>;
  close(): Promise<void>;
}

/**
 * Contract: `commit` writes one tick, or several that follow each other, all or nothing, and durable when it resolves with
 * "ok"; it is "fenced", and nothing is written, unless `epoch` is the newest lease's, that lease is held, and the first
 * `seq` is the last one + 1. One process holds the lease;
 * a second is told who holds it. What was given in is copied: changing it afterwards changes nothing here. A store that
 * is corrupt, missing where it should be, or newer than this build is a PawlError (STORE_CORRUPT, STORE_MISSING,
 * STORE_NEWER), and never taken for an empty one.
 */
export interface Store extends Reader {
  lease(who: {
    readonly pid: number;
    readonly host: string;
    readonly now: Instant;
  }): Promise<{ readonly lease: Lease } | { readonly heldBy: Holder }>;
  commit(epoch: number, ...ticks: readonly Tick[]): Promise<"ok" | "fenced">;
}
