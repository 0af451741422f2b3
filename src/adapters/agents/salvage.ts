import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Reported } from "../../domain/outcome.ts";
import type { Git, GitResult } from "../../ports/system.ts";
import type { Drive } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { copiedInto } from "./run-folder.ts";
import { scopeOf } from "./scope.ts";

type On = HostParts & { readonly signal: AbortSignal };

/** What was not committed: paths left as they are, and what kept the others from being committed. */
export interface Salvage {
  readonly left: readonly string[];
  readonly faults: readonly Reported[];
}

/**
 * Commits by name what a worker left uncommitted inside its scope; files outside, and those that git ignores, stay as
 * they are. Hooks run. Done again it finds nothing to do. Throws where git was cut off (retryable).
 */
export async function salvage(drive: Drive, branch: string, on: On): Promise<Salvage> {
  const { worktree, gitDir } = drive;
  if (!existsSync(join(worktree, ".git"))) return { left: [], faults: [] };
  const options = { cwd: worktree, signal: on.signal };
  const unfinished = UNFINISHED.find(([file]) => existsSync(join(gitDir, file)));
  if (unfinished) return fault(`a ${unfinished[1]} was left unfinished in the worktree: finish it and commit`);
  const head = await on.git.run(["symbolic-ref", "--quiet", "HEAD"], options);
  if (head.stdout.trim() !== `refs/heads/${branch}`) {
    const where = head.stdout.trim().replace("refs/heads/", "branch ") || "a commit without a branch";
    return fault(`the worktree is on ${where}: commit on ${branch}`);
  }
  const changed = await uncommitted(drive, on);
  const mayNot = scopeOf(drive);
  const left = changed.filter((path) => path.endsWith("/") || mayNot(path) !== null);
  const ours = changed.filter((path) => !left.includes(path));
  return { left, faults: ours.length > 0 ? await commit(ours, drive, on) : [] };
}

const UNFINISHED = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/** Paths that differ from HEAD, untracked ones too; not those that git ignores, nor what was copied in by us. */
export async function uncommitted(
  { worktree, gitDir }: Pick<Drive, "worktree" | "gitDir">,
  on: On,
): Promise<readonly string[]> {
  const status = [
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=all",
    "--no-renames",
    "--ignore-submodules=none",
  ];
  const text = await on.git.must(status, { cwd: worktree, signal: on.signal });
  const copied = copiedInto(gitDir);
  const isCopy = (path: string) => copied.some((name) => path === name || path.startsWith(`${name}/`));
  return text
    .split("\0")
    .filter((entry) => entry.length > 3)
    .filter((entry) => !(entry.startsWith("??") && isCopy(entry.slice(3))))
    .map((entry) => entry.slice(3));
}

async function commit(
  paths: readonly string[],
  { worktree, title, wish }: Drive,
  on: On,
): Promise<readonly Reported[]> {
  const named = ["--pathspec-from-file=-", "--pathspec-file-nul"];
  const input = paths.join("\0");
  const options = { cwd: worktree, signal: on.signal, input };
  const added = await on.git.run(["--literal-pathspecs", "add", ...named], options);
  if (failed(added)) return fault(`the work cannot be staged: ${added.stderr.trim().slice(-1_000)}`).faults;
  const subject = title.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() || wish.run;
  const made = await on.git.run(
    ["--literal-pathspecs", "commit", "--quiet", "--only", ...named, "-m", subject, "-m", `Pawl-Run: ${wish.run}`],
    { ...options, env: await author(on.git, options) },
  );
  if (!failed(made)) return [];
  const words = `${made.stdout}\n${made.stderr}`.trim().slice(-1_500);
  return fault(`the work is not committed, and git refuses to: ${words}`).faults;
}

/** The user's name from git's configuration; ours where there is none, so that work is not lost for want of a name. */
async function author(
  git: Git,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<Record<string, string>> {
  const known = await git.run(["var", "GIT_COMMITTER_IDENT"], { cwd, signal });
  if (known.code === 0) return {};
  const [name, email] = ["pawl", "pawl@localhost"];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}

/**
 * Takes away the lock that a killed git left in a worktree of ours. Only where no process works in there: then nobody
 * holds it. Where that cannot be seen, nothing is found either, so it must be Linux.
 */
export async function dropDeadLock({ worktree, gitDir }: Drive, { processes }: HostParts): Promise<void> {
  const lock = join(gitDir, "index.lock");
  if (process.platform !== "linux" || !existsSync(lock)) return;
  if ((await processes.within(worktree)).length === 0) rmSync(lock, { force: true });
}

function failed(result: GitResult): boolean {
  if (result.code !== -1) return result.code !== 0;
  throw new PawlError("EFFECT_IN_DOUBT", `git was cut off: ${result.stderr.trim()}`, { retryable: true });
}

const fault = (text: string): Salvage => ({ left: [], faults: [{ text }] });
