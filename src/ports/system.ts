import type { Ms } from "../domain/names.ts";

/** Who a process is. All three equal, or it is not the same one. */
export interface Identity {
  readonly pid: number;
  /** as the kernel says it: an opaque text that differs when the pid is used again */
  readonly startedAt: string;
  readonly bootId: string;
}

/** Contract: `identity` is "unknown" where it cannot be seen (never "gone"). Signals go only to what is still the same. */
export interface Processes {
  readonly self: Identity;
  identity(pid: number): Promise<Identity | "gone" | "unknown">;
  /** whether `who` still lives: the same pid, start and boot */
  lives(who: Identity): Promise<"alive" | "gone" | "unknown">;
  /** every live process that carries NAME=VALUE in its environment (what escaped its group); empty where that cannot be seen. `after`: a pid that was given out less than a second ago, and only what came after it is looked at, where that can be told */
  withEnv(name: string, value: string, after?: number): Promise<readonly Identity[]>;
  /** every live process whose working directory is in that folder (a real path); empty where that cannot be seen */
  within(folder: string): Promise<readonly Identity[]>;
  /** every live process of a process group, also when its leader is gone */
  members(group: number): Promise<readonly Identity[]>;
  /** its children, theirs, and so on, as far as their parents still live; empty where that cannot be seen */
  descendants(pid: number): Promise<readonly Identity[]>;
  /** how long it has computed so far; null where that cannot be seen */
  cpuMs(who: Identity): Promise<Ms | null>;
  /** to the process, or to its whole group; false: it was gone or not the same */
  signal(who: Identity, signal: NodeJS.Signals, to: "process" | "group"): Promise<boolean>;
}

export interface GitResult {
  /** -1: it did not end by itself */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Git's own command line. Contract: an exit code is a result, not an error (`run`); `must` throws GIT_FAILED with the
 * command and its stderr. No prompt, pager, editor or terminal; no GIT_* of our environment gets in; output is read as UTF-8
 * unless asked otherwise; ended by SIGTERM first. Worktree commands of one repository go one at a time (`worktrees`).
 */
export interface Git {
  run(args: readonly string[], options: GitOptions): Promise<GitResult>;
  /** stdout without its last newline */
  must(args: readonly string[], options: GitOptions): Promise<string>;
  /** runs `work` while no other worktree command of this repository runs in this process */
  worktrees<T>(repo: string, work: () => Promise<T>): Promise<T>;
}
export interface GitOptions {
  readonly cwd: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: Ms;
  /** how its output is read; latin1: one character per byte, for what may be no UTF-8 (names of files, patches) */
  readonly encoding?: "utf8" | "latin1";
}
