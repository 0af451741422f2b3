import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Reported } from "../../domain/outcome.ts";
import type { OfTask } from "./branch.ts";
import { commitPart } from "./commit.ts";
import type { Drive } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { embedded, scopeOf } from "./scope.ts";
import { rejoin, unfinishedIn } from "./switch-back.ts";
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
export async function salvage(drive: Drive, place: OfTask, on: On): Promise<Salvage> {
  const { worktree, gitDir } = drive;
  if (!existsSync(join(worktree, ".git"))) return { left: [], faults: [] };
  const unfinished = unfinishedIn(gitDir);
  if (unfinished) return fault(`a ${unfinished} was left unfinished in the worktree: finish it and commit`);
  const where = await rejoin(drive, place, on);
  if (where !== null) {
    const text = `the worktree was switched to ${where}, and not all that is there was made by this run`;
    return fault(`${text}: commit on ${place.branch}`);
  }
  const changed = await readable(() => uncommitted(drive, on));
  if (changed instanceof PawlError) return fault(`the worktree cannot be read: ${changed.message}`);
  const unmerged = changed.filter((one) => one.isUnmerged).map(conflict);
  if (unmerged.length > 0) return { left: [], faults: unmerged };
  const mayNot = scopeOf(drive);
  const isOurs = (one: Uncommitted) => !one.isCopy && mayNot(one.path) === null && whyNot(one) === null;
  const ours = changed.filter(isOurs);
  const others = changed.filter((one) => !isOurs(one));
  const told = others.filter((one) => !one.isCopy);
  const faults = told.flatMap((one) => whyNot(one) ?? []);
  const left = told.filter((one) => whyNot(one) === null).map(({ path }) => path);
  return { left, faults: [...faults, ...(await commitPart({ ours, others }, drive, on))] };
}

/** A git that will always fail is told; one that was cut off, or met a lock, is asked again. */
async function readable<T>(read: () => Promise<T>): Promise<T | PawlError> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof PawlError && error.code === "GIT_FAILED" && !error.retryable && error.data.code !== -1)
      return error;
    throw error;
  }
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

/**
 * Takes away the lock that a killed git left in a worktree of ours: where no process works in there nobody holds it
 * (where that cannot be seen, nothing is found either, so it must be Linux), and no git holds one for ten minutes.
 */
export async function dropDeadLock(
  { worktree, gitDir }: Pick<Drive, "worktree" | "gitDir">,
  { processes, clock }: HostParts,
): Promise<void> {
  const lock = join(gitDir, "index.lock");
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return;
  const isAlone = process.platform === "linux" && (await processes.within(worktree)).length === 0;
  if (isAlone || clock.read().wall - since > OLD_LOCK_MS) rmSync(lock, { force: true });
}
const OLD_LOCK_MS = 10 * 60_000;

const fault = (text: string): Salvage => ({ left: [], faults: [{ text }] });
