import { chmodSync } from "node:fs";
import { PawlError } from "../../domain/errors.ts";
import type { Reported } from "../../domain/outcome.ts";
import type { GitOptions, GitResult } from "../../ports/system.ts";
import type { HostParts } from "./parts.ts";
import { bytePath, NONE, nulled, type Uncommitted } from "./uncommitted.ts";

interface In extends Pick<HostParts, "git"> {
  readonly worktree: string;
  readonly signal: AbortSignal;
  /** GIT_INDEX_FILE, where it is not the worktree's own */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Brings paths into the index as they are in the worktree: what is gone first, so that a file and a folder can change
 * places. One that git refuses does not keep the others out; it is told with git's reason.
 */
export async function stage(paths: readonly Uncommitted[], on: In): Promise<readonly Reported[]> {
  await drop(
    paths.filter(({ modes }) => modes.worktree === NONE),
    on,
  );
  const faults = await add(
    paths.filter(({ modes }) => modes.worktree !== NONE),
    on,
  );
  await keepModes(paths, on);
  return faults;
}

/** Takes what was staged at those paths back to what HEAD has. */
export async function unstage(paths: readonly Uncommitted[], on: In): Promise<void> {
  await drop(paths, on);
  const lines = paths
    .filter(({ modes }) => modes.head !== NONE)
    .map(({ modes, headBlob, raw }) => `${modes.head} ${headBlob}\t${raw}`);
  if (lines.length > 0)
    await on.git.must(["update-index", "-z", "--index-info"], { ...options(on), input: nulled(lines) });
}

/** By `--index-info`, because every other way looks at the worktree first, and refuses what lies behind a link now. */
async function drop(paths: readonly Uncommitted[], on: In): Promise<void> {
  if (paths.length === 0) return;
  const nothing = "0".repeat((await on.git.must(["rev-parse", "HEAD"], options(on))).length);
  const input = nulled(paths.map(({ raw }) => `0 ${nothing}\t${raw}`));
  await on.git.must(["update-index", "-z", "--index-info"], { ...options(on), input });
}

/** All at once, and where git says no by halves, until the one is found that it says no to. */
async function add(paths: readonly Uncommitted[], on: In): Promise<readonly Reported[]> {
  if (paths.length === 0) return [];
  const input = nulled(paths.map(({ raw }) => raw.replace(/\/$/, "")));
  const result = await on.git.run(["update-index", "--add", "-z", "--stdin"], { ...options(on), input });
  if (!isRefused(result)) return [];
  const [only] = paths;
  if (paths.length === 1 && only)
    return [{ text: `${only.path}: cannot be staged: ${reason(result)}`, file: only.path }];
  const half = Math.ceil(paths.length / 2);
  return [...(await add(paths.slice(0, half), on)), ...(await add(paths.slice(half), on))];
}

/** In git's words: its own store cannot be written, whatever the file is. */
const UNWRITABLE =
  /no space left on device|disk quota exceeded|read-only file system|insufficient permission for adding an object|unable to (?:create temporary|write (?:loose object|object|sha1)) file/i;

/**
 * Whether git said no. Throws (retryable) where it was cut off, met another git, or cannot write what it keeps: it has said
 * nothing of the work then.
 */
export function isRefused(result: GitResult): boolean {
  if (result.code === -1)
    throw new PawlError("EFFECT_IN_DOUBT", `git was cut off: ${result.stderr.trim()}`, { retryable: true });
  if (result.code !== 0 && /Unable to create '[^']+\.lock'|cannot lock ref/.test(result.stderr))
    throw new PawlError("GIT_FAILED", `git met another one: ${result.stderr.trim()}`, { retryable: true });
  if (result.code !== 0 && UNWRITABLE.test(result.stderr))
    throw new PawlError("GIT_UNWRITABLE", `git cannot write into its store: ${result.stderr.trim()}`, {
      retryable: true,
    });
  return result.code !== 0;
}

/** git's own words, without those that only say it again */
const reason = ({ stderr }: GitResult): string =>
  stderr
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("fatal: Unable to process path"))
    .join("; ")
    .slice(-1_000) || "git says no more";

/** `git update-index --chmod=+x` changes the index alone: what was staged like that counts, and the file follows it. */
async function keepModes(paths: readonly Uncommitted[], on: In): Promise<void> {
  for (const sign of ["+", "-"] as const) {
    const mode = sign === "+" ? "100755" : "100644";
    const kept = paths.filter(({ modes }) => modes.index === mode && isChosen(modes));
    if (kept.length === 0) continue;
    const input = nulled(kept.map(({ raw }) => raw));
    await on.git.must(["update-index", `--chmod=${sign}x`, "-z", "--stdin"], { ...options(on), input });
    for (const { raw } of kept) chmodSync(bytePath(on.worktree, raw), sign === "+" ? 0o755 : 0o644);
  }
}

const isChosen = ({ head, index, worktree }: Uncommitted["modes"]): boolean =>
  worktree.startsWith("100") && index !== worktree && index !== head;

const options = ({ worktree, signal, env }: In): GitOptions => ({ cwd: worktree, signal, ...(env ? { env } : {}) });
