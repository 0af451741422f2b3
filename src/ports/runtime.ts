import type { EffectResult, RunEnd, Sighting } from "../domain/input.ts";
import type { SpawnWish } from "../domain/intent.ts";
import type { Commit, LegKey, Ms, TaskId } from "../domain/names.ts";
import type { StopWhy } from "../domain/task.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { OutputFormat } from "../protocol/output-format.ts";
import type { Permit } from "./permit.ts";

/** A command as text (through the shell) or as a list (directly). */
export type CommandLine = string | readonly string[];

/** One of the checks that prove work. `when`: only where a changed file matches one of these globs. */
export interface Check {
  readonly run: CommandLine;
  readonly timeoutMs: Ms;
  readonly when: readonly string[];
}

/** All that a host needs to carry out a spawn, frozen in the tick that intends it. JSON: it is a blob in the store. */
export interface Brief {
  readonly assignment: Assignment;
  readonly prompt: string;
  readonly program: {
    readonly command: CommandLine;
    /** how the prompt is handed over: its path in $PAWL_PROMPT, or on stdin too; never as an argument */
    readonly prompt: "file" | "stdin";
    /**
     * file: verdict.json. exit_code: 0 is PASS. last_line: the last line of what it said is PASS, FAIL … with a detail.
     * output: a rule over its output. exit: a user's command, its code is the end
     */
    readonly verdict: "file" | "exit_code" | "last_line" | "output" | "exit";
    /** how its output is read; absent: it is only kept */
    readonly output?: OutputFormat;
    /** no output, open call, child or commit for so long: stalled; null: never */
    readonly stallMs: Ms | null;
    readonly env: Readonly<Record<string, string>>;
    /** works on a screen: its PASS counts with a whole trajectory in the run folder */
    readonly isOnScreen?: true;
  };
  /** run once in a new worktree before the first worker; a failure is WAIT, no round */
  readonly setup: CommandLine | null;
  /** untracked files copied from the main checkout into a new worktree */
  readonly copy: readonly string[];
  /** names of environment variables that are passed on */
  readonly env: readonly string[];
  /** globs that may be changed, and globs that may not whatever the first say */
  readonly authorized: readonly string[];
  readonly protect: readonly string[];
  /** paths that may be changed all the same: a person waived the finding */
  readonly waived: readonly string[];
  readonly checks: readonly Check[];
  readonly logBytes: number;
}

export interface SpawnOrder {
  readonly wish: SpawnWish;
  readonly brief: Brief;
}

/** What is seen of a leg; a submission that waits for an answer comes whole, as its worker wrote it (JSON, at most 1 MiB). */
export type Seen =
  | Exclude<Sighting, { kind: "gate" }>
  | (Omit<Extract<Sighting, { kind: "gate" }>, "submission"> & { readonly message: string });

/**
 * Contract: `spawn` may be called again with the same order, by anybody, at any time: the driver claims the leg, a
 * second one ends at once, and the result is `done {found: true}`. `absent` may only be said by the host that would
 * have it. Nothing is killed whose identity (pid, start time, boot id) is not certain. `reap` is idempotent: the same
 * end every time. A leg that ended with its question open, or with an answer that it has not read, is at its gate and not
 * alive; the next leg of its run works in the same worktree and run folder, and finds the answer there. `stop` asks, then TERM, then KILL on the whole group, and returns when nothing of it lives.
 */
export interface Runtime {
  spawn(order: SpawnOrder, permit: Permit): Promise<EffectResult>;
  look(legs: readonly LegKey[], permit: Permit): Promise<ReadonlyMap<LegKey, Seen>>;
  /** puts a message into the inbox of a leg's run; the same name twice is the same message */
  deliver(leg: LegKey, name: string, message: Uint8Array, permit: Permit): Promise<EffectResult>;
  stop(leg: LegKey, why: StopWhy, permit: Permit): Promise<EffectResult>;
  reap(leg: LegKey, permit: Permit): Promise<RunEnd>;
  /** takes the worktree away if the task's work is on its base, it is clean (untracked files too) and nothing lives in it; else `refused` and it is kept */
  cleanUp(
    task: { readonly id: TaskId; readonly branch: string; readonly merged: Commit },
    permit: Permit,
  ): Promise<EffectResult>;
  /** a hint to look now; may lose, may repeat; ends when the signal aborts */
  stirred(signal: AbortSignal): AsyncIterable<void>;
}
