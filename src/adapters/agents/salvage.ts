import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Reported } from "../../domain/outcome.ts";
import { commitPart } from "./commit.ts";
import type { Drive } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { embedded, scopeOf } from "./scope.ts";
import { type Uncommitted, uncommitted } from "./uncommitted.ts";

type On = HostParts & { readonly signal: AbortSignal };

/** What was not committed. */
export interface Salvage {
  /** outside the scope: left as it is */
  readonly left: readonly string[];
  /** what kept the others from being committed */
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
  const unmerged = changed.filter((one) => one.isUnmerged).map(conflict);
  if (unmerged.length > 0) return { left: [], faults: unmerged };
  const mayNot = scopeOf(drive);
  const isOurs = (one: Uncommitted) => !one.isCopy && mayNot(one.path) === null && whyNot(one) === null;
  const ours = changed.filter(isOurs);
  const others = changed.filter((one) => !isOurs(one));
  const faults = others.flatMap((one) => whyNot(one) ?? []);
  const left = others.filter((one) => !one.isCopy && whyNot(one) === null).map(({ path }) => path);
  return { left, faults: [...faults, ...(await commitPart({ ours, others }, drive, on))] };
}

const conflict = ({ path }: Uncommitted): Reported => ({
  text: `${path}: a conflict that was not resolved: resolve it, \`git add\` it and commit`,
  file: path,
});

/** What no commit of this repository can hold. */
function whyNot({ path, isRepository, isDirtyInside }: Uncommitted): Reported | null {
  if (isRepository) return embedded(path.replace(/\/$/, ""));
  if (!isDirtyInside) return null;
  return { text: `${path}: changed inside the submodule, and not committed there: commit it there first`, file: path };
}

const UNFINISHED = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/**
 * Takes away the lock that a killed git left in a worktree of ours. Only where no process works in there: then nobody
 * holds it. Where that cannot be seen, nothing is found either, so it must be Linux.
 */
export async function dropDeadLock({ worktree, gitDir }: Drive, { processes }: HostParts): Promise<void> {
  const lock = join(gitDir, "index.lock");
  if (process.platform !== "linux" || !existsSync(lock)) return;
  if ((await processes.within(worktree)).length === 0) rmSync(lock, { force: true });
}

const fault = (text: string): Salvage => ({ left: [], faults: [{ text }] });
