import type { Place } from "../../domain/intent.ts";
import type { Commit } from "../../domain/names.ts";
import { notYet, type Refused, refuse, theirs } from "./answers.ts";
import { baseTip, bringCommit, farTip, isAncestor, seenHere, tipOf } from "./base.ts";
import { lockWords } from "./lock.ts";
import { adoptRef, isAdopted, isOwn, mayLeave } from "./own.ts";
import type { HostParts } from "./parts.ts";

type On = HostParts & { readonly signal: AbortSignal };
export type OfTask = Extract<Place, { kind: "worktree" }>;

/**
 * Makes the task's branch, or brings it to where work starts; null: it is there. One that somebody else made is never
 * taken: a person renames it, deletes it, or says that it is the task's.
 */
export async function readyBranch(place: OfTask, task: string, on: On): Promise<Refused | null> {
  const ref = `refs/heads/${place.branch}`;
  const tip = await tipOf(ref, on);
  if (tip === null) return (await nameFault(place.branch, on)) ?? createBranch(place, ref, on);
  if (place.start === null && !(await isOwn({ task, ref, tip, base: place.base }, on))) {
    const detail = `there is a branch ${place.branch} already, at ${tip.slice(0, 7)}, with commits that no run of ${task} made`;
    return theirs(`${detail}: rename or delete it, or let ${task} go on from it: ${adoptAdvice(task, tip)}`, on);
  }
  if (place.start === null || place.start === tip || (await isAdopted(task, tip, on))) {
    const newer = await newerBase(tip, place.base, on);
    return newer === null ? null : forward({ ref, from: tip, to: newer }, on);
  }
  const moved = await forward({ ref, from: tip, to: place.start, task }, on);
  return moved?.kind === "refused"
    ? headMoved(`branch ${place.branch}`, { task, at: tip, wanted: place.start })
    : moved;
}

export const adoptAdvice = (task: string, commit: Commit): string => `git update-ref ${adoptRef(task)} ${commit}`;

/** Commits that the task does not know: put back, or taken because a person says so. */
export function headMoved(
  what: string,
  { task, at, wanted, why }: { task: string; at: Commit | null; wanted: Commit; why?: string },
): Refused {
  const how = at === null ? "" : `, or let ${task} go on from there (${adoptAdvice(task, at)})`;
  const detail = `${what} is at ${at}, not at ${wanted}${why ? `, and cannot go there (${why})` : ""}; it is left as it is`;
  return refuse("head-moved", `${detail}: put it back${how}, then pawl retry ${task}`, at);
}

/**
 * Where a branch without commits of its own is to stand: the newest base, because nothing keeps it where it is. Null: it
 * has commits, or is there, or the base cannot be asked now.
 */
export async function newerBase(head: Commit | null, base: string, on: On): Promise<Commit | null> {
  const seen = await seenHere(base, on);
  if (head === null || seen === null || !(await isAncestor(head, seen, on))) return null;
  const tip = await baseTip(base, on).catch(() => null);
  return tip !== null && tip !== head && (await isAncestor(head, tip, on)) ? tip : null;
}

/** Git cannot hold both `a` and `a/b`. */
async function nameFault(branch: string, on: On): Promise<Refused | null> {
  const parts = branch.split("/");
  const above = parts.slice(1).map((_, i) => `refs/heads/${parts.slice(0, i + 1).join("/")}`);
  const args = ["for-each-ref", "--format=%(refname)", `refs/heads/${branch}/`, ...above];
  const found = (await on.git.must(args, { cwd: on.repo, signal: on.signal })).split("\n");
  // `a` as a pattern finds `a/b` too
  const inTheWay = found.filter((ref) => above.includes(ref) || ref.startsWith(`refs/heads/${branch}/`));
  if (inTheWay.length === 0) return null;
  const names = inTheWay.map((ref) => ref.slice("refs/heads/".length));
  const how = `rename that one (git branch -m ${names[0]} NEWNAME)`;
  return theirs(`branch ${branch} cannot be made beside a branch called ${names.join(", ")}: ${how}`, on);
}

/** The branch alone, before the worktree: `worktree add -b` that fails half way could never be repeated. */
async function createBranch(place: OfTask, ref: string, on: On): Promise<Refused | null> {
  const tip = await baseTip(place.base, on);
  if (tip === null) return refuse("base-gone", `there is no base branch ${place.base} to start ${place.branch} from`);
  for (const commit of place.contains) {
    if (!(await isAncestor(commit, tip, on)))
      return notYet(`${place.base} does not hold ${commit} yet, which a dependency merged`, on);
  }
  const far = place.start === null ? await foreignAtOrigin(place.branch, tip, on) : null;
  if (far !== null) return far;
  const start = place.start ?? tip;
  if (start !== tip && !(await bringCommit(start, on)))
    return refuse("branch-gone", `commit ${start} is not in this repository`);
  // its log says who made it, also where logs are switched off
  const args = ["update-ref", "--create-reflog", "-m", "pawl: start", ref, start, "0".repeat(start.length)];
  const made = await on.git.run(args, { cwd: on.repo, signal: on.signal });
  if (made.code === 0 || (await tipOf(ref, on)) !== null) return null;
  const lock = lockWords(made.stderr, on);
  if (lock !== null) return theirs(`branch ${place.branch} cannot be made: ${lock}`, on);
  return refuse("invalid", `branch ${place.branch} cannot be made: ${made.stderr.trim().slice(-500)}`);
}

/** A branch of the task's name at origin, with work in it, that nobody here has: another clone, or an earlier life. */
async function foreignAtOrigin(branch: string, base: Commit, on: On): Promise<Refused | null> {
  const far = await farTip(branch, on);
  if (far === null || ((await bringCommit(far, on)) && (await isAncestor(far, base, on)))) return null;
  const what = `origin has a branch ${branch} already, at ${far.slice(0, 7)}, with commits that no run here made`;
  const how = `git push origin --delete ${branch} to have it done anew, or git fetch origin ${branch}:${branch}`;
  return theirs(`${what}: ${how} and look at it`, on);
}

async function forward(
  { ref, from, to, task }: { ref: string; from: Commit; to: Commit; task?: string },
  on: On,
): Promise<Refused | null> {
  let why = "";
  if (
    (await bringCommit(to, on)) &&
    ((await isAncestor(from, to, on)) || (task !== undefined && (await mayLeave(task, { from, to }, on))))
  ) {
    const args = ["update-ref", "-m", "pawl: forward", ref, to, from];
    const moved = await on.git.run(args, { cwd: on.repo, signal: on.signal });
    if (moved.code === 0) return null;
    const lock = lockWords(moved.stderr, on);
    if (lock !== null) return theirs(`${ref} cannot be moved: ${lock}`, on);
    why = moved.stderr.trim();
  }
  return refuse("head-moved", `${ref} is at ${from}, not at ${to}; it is left as it is${why && `: ${why}`}`, from);
}
