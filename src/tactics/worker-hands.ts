import type { TaskId } from "../domain/names.ts";
import type { Answer } from "../protocol/answer.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { Submission } from "../protocol/message.ts";
import type { NodeNews } from "../workspace/task-tree.ts";
import type { Research, SuiteRun } from "./record.ts";

/** What a worker does to its checkout beside the tools that a model calls. */
export interface WorkerHands {
  /** the commit that HEAD is on; null: there is none yet */
  head(): Promise<string | null>;
  /** reads ticket, specification and the code that matters, and what in the assignment disagrees */
  research(assignment: Assignment): Promise<Research>;
  /** runs the assignment's regression suites, on the files as they are or on the untouched base; aborted, it throws the signal's reason */
  runSuites(
    assignment: Assignment,
    of: { readonly on: "worktree" | "base"; readonly signal: AbortSignal },
  ): Promise<readonly SuiteRun[]>;
  /**
   * Commits these paths by name, as one logical step, and publishes the branch where `push` says so. A commit that a
   * crash hid is found: HEAD moved from `from`, and nothing of the paths is left. `commit` is null where nothing differed.
   */
  commit(order: {
    readonly message: string;
    readonly paths: readonly string[];
    readonly from: string | null;
    readonly push: boolean;
  }): Promise<{
    readonly commit: string | null;
    readonly files: readonly string[];
    readonly pushed: boolean;
    /** what git said where it did not do it */
    readonly refused?: string;
  }>;
  /** paths inside the write scope that differ from the last commit, also those that git does not know */
  dirty(): Promise<readonly string[]>;
  /** those of the paths that are as the last commit has them: what was edited in them is not there */
  asCommitted(paths: readonly string[]): Promise<readonly string[]>;
  /** what the commits since `base` changed */
  changes(base: string | null): Promise<readonly FileChange[]>;
  /** the same as a git patch, one character per byte */
  patch(base: string): Promise<string>;
  /** a file as it stands in the checkout, as lines; null: there is none, or it is no text */
  lines(path: string): readonly string[] | null;
}

/** The task tree, wherever it is kept. What people write in it stays. */
export interface Tree {
  /** the file's text; null: there is none yet */
  read(): string | null;
  /** brings the news into it; a tree that cannot be read is left as it is, and why is said */
  update(of: { readonly id: string; readonly title: string; readonly nodes: readonly NodeNews[] }): string | null;
  /** its path in the checkout, where it is committed with the work it describes; null: it lies elsewhere */
  readonly committed: string | null;
}

/** A file that a branch changed, against where it began. */
export interface FileChange {
  readonly path: string;
  readonly change: "created" | "modified" | "deleted";
}

/**
 * Who answers submissions.
 *
 * Contract: `answer` gives the owner's message, or null where it has none now: then the worker is parked, and comes back
 * as a new leg. It believes nothing that a submission says.
 */
export interface Owner {
  answer(
    submission: Submission,
    of: { readonly task: TaskId | string; readonly assignment: Assignment; readonly signal: AbortSignal },
  ): Promise<Answer | null>;
}
