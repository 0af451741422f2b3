import type { PawlError } from "../domain/errors.ts";
import type { BlobHash, Commit, TaskId } from "../domain/names.ts";
import type { Seeds } from "../domain/seeds.ts";
import type { Terms } from "../domain/task.ts";
import type { Settings } from "./settings.ts";

export interface ReadSpec {
  readonly id: TaskId;
  readonly spec: BlobHash;
  /** canonical JSON of a TaskFile; null: its file has become another one meanwhile, which the next reading finds */
  readonly bytes: Uint8Array | null;
  readonly terms: Terms;
  /** the commit of the base that has its work already, merged before there was this store */
  readonly landed?: Commit;
  /** whether one of these says exactly this: quicker than by its terms, which need not be made then */
  isIn?(seeds: Seeds): boolean;
}

/** A task file with a fault. `isSure` false: its id is guessed from its name, since nothing in it could be read. */
export interface Unread {
  readonly id: string;
  readonly isSure: boolean;
}

export interface Reading {
  /** null: pawl.yaml, a map or a role is broken; then `errors` says how, and what was valid before stays */
  readonly settings: Settings | null;
  readonly specs: readonly ReadSpec[];
  /** task files with a fault: they are there, and not in `specs` */
  readonly unread: readonly Unread[];
  readonly errors: readonly PawlError[];
  readonly warnings: readonly PawlError[];
}

/**
 * The backlog as people write it: files. Contract: `read` finds every fault at once and throws none of them; a task
 * file with a fault is in `errors` and not in `specs`. `changed` is a hint to read again: it may repeat, it comes at
 * the latest 5 s after a change (of more than a thousand files: of one that their file system tells of, else after a
 * minute), and it ends when the signal aborts.
 */
export interface BacklogSource {
  read(): Promise<Reading>;
  changed(signal: AbortSignal): AsyncIterable<void>;
}
