import type { Commit } from "../../domain/names.ts";
import { baseSeen, isAncestor, tipOf } from "./base.ts";
import type { HostParts } from "./parts.ts";

type On = Pick<HostParts, "git" | "repo"> & { readonly signal: AbortSignal };
interface Found {
  readonly task: string;
  /** full ref, and where it stands */
  readonly ref: string;
  readonly tip: Commit;
  readonly base: string;
}

/** Set by a person: Pawl may go on from this very commit, whoever made it. */
export const adoptRef = (task: string): string => `refs/pawl/adopt/${task}`;

export const isAdopted = async (task: string, commit: Commit | null, on: On): Promise<boolean> =>
  commit !== null && (await tipOf(adoptRef(task), on)) === commit;

/**
 * Whether a branch of the task's name is the task's: it has no commits of its own; or a run of this task is pinned on it
 * or after it; or its log says that we made it; or a person said so. The store is not asked: it may have been lost.
 */
export async function isOwn(found: Found, on: On): Promise<boolean> {
  const base = await baseSeen(found.base, on);
  if (base !== null && (await isAncestor(found.tip, base, on))) return true;
  return (await isPinned(found, base, on)) || (await isMade(found, on)) || isAdopted(found.task, found.tip, on);
}

/**
 * Whether a branch may go from one commit to another that does not follow it: somebody rewrote it, and a run of this task
 * ended at the old one, so that it is kept. Never back to an earlier one: the newer work would be dropped.
 */
export async function mayLeave(task: string, { from, to }: { from: Commit; to: Commit }, on: On): Promise<boolean> {
  return !(await isAncestor(to, from, on)) && (await isKept(task, from, on));
}

async function isKept(task: string, commit: Commit, { git, repo, signal }: On): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", `--points-at=${commit}`, "--format=%(refname)", `refs/pawl/run/${task}/`];
  return (await git.must(args, { cwd: repo, signal })) !== "";
}

/** A pin on the base itself says nothing: everything comes after it. */
async function isPinned({ task, tip }: Found, base: Commit | null, { git, repo, signal }: On): Promise<boolean> {
  const pins = `refs/pawl/run/${task}/`;
  const some = async (...which: string[]) =>
    (await git.must(["for-each-ref", "--count=1", "--format=%(refname)", ...which, pins], { cwd: repo, signal })) !==
    "";
  const beyond = base === null ? [] : [`--no-merged=${base}`];
  return (await some(`--merged=${tip}`, ...beyond)) || (await some(`--contains=${tip}`));
}

/** Git drops the log of a branch with the branch: one that somebody made anew says nothing of us. */
async function isMade({ ref }: Found, { git, repo, signal }: On): Promise<boolean> {
  const log = await git.run(["reflog", "show", "--format=%gs", ref, "--"], { cwd: repo, signal });
  return log.code === 0 && log.stdout.split("\n").some((line) => line.startsWith("pawl: "));
}
