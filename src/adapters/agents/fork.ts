import type { SpawnWish } from "../../domain/intent.ts";
import { type Commit, parseLeg } from "../../domain/names.ts";
import { isAncestor, seenHere, tipOf } from "./base.ts";
import type { HostParts } from "./parts.ts";

type On = Pick<HostParts, "git" | "repo"> & { readonly signal: AbortSignal };

const forkRef = (task: string): string => `refs/pawl/fork/${task}`;

/** Notes where a task's branch leaves the base: as long as it has no commits of its own, that is its head. */
export async function noteFork({ leg, place }: SpawnWish, on: On): Promise<void> {
  if (place.kind === "clean") return;
  const head = await tipOf(`refs/heads/${place.branch}`, on);
  const base = await seenHere(place.base, on);
  if (head === null || base === null || !(await isAncestor(head, base, on))) return;
  const args = ["update-ref", forkRef(parseLeg(leg).task), head];
  await on.git.must(args, { cwd: on.repo, signal: on.signal });
}

/**
 * What the work of a branch is held against: the base, or the commit where it left the base if that is not on it any
 * more. Who amends or rebases the base under a worker has made what was there before look like the worker's doing.
 */
export async function forkOf({ leg, place }: SpawnWish, of: { base: Commit; head: Commit }, on: On): Promise<Commit> {
  const { base, head } = of;
  const fork = place.kind === "clean" ? null : await tipOf(forkRef(parseLeg(leg).task), on);
  if (fork === null || (await isAncestor(fork, base, on)) || !(await isAncestor(fork, head, on))) return base;
  const merged = await on.git.run(["merge-base", base, head], { cwd: on.repo, signal: on.signal });
  // the worker has merged the new base meanwhile: then it is that one again
  const shared = merged.stdout.trim() as Commit;
  return merged.code === 0 && !(await isAncestor(shared, fork, on)) ? base : fork;
}

export async function forgetFork(task: string, on: On): Promise<void> {
  await on.git.run(["update-ref", "-d", forkRef(task)], { cwd: on.repo, signal: on.signal });
}
