import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { EffectResult } from "../../domain/input.ts";
import type { Place, SpawnWish } from "../../domain/intent.ts";
import { type Commit, type Instant, parseLeg } from "../../domain/names.ts";
import { baseTip, bringCommit, isAncestor, tipOf } from "./base.ts";
import type { HostParts } from "./parts.ts";
import { type Listed, listWorktrees, realPath } from "./worktree-list.ts";

type Refused = Exclude<EffectResult, { kind: "done" }>;
export type Ready = { readonly path: string; readonly gitDir: string; readonly isNew: boolean };
type Of<K extends Place["kind"]> = Extract<Place, { kind: K }>;
type On = HostParts & { readonly signal: AbortSignal };

export const taskWorktree = (parts: HostParts, task: string): string => join(realPath(parts.worktreeRoot), task);
export const cleanWorktree = (parts: HostParts, leg: SpawnWish["leg"]): string => {
  const { task, visit, attempt, leg: n } = parseLeg(leg);
  return join(realPath(parts.worktreeRoot), ".clean", `${task}-${visit}-${attempt}.${n}`);
};

/**
 * The worktree that a wish asks for, made if it is not there: may be asked again after a crash at any point. What a
 * crash left half made is made anew; what somebody may have worked in is never thrown away.
 */
export function prepareWorktree(wish: SpawnWish, on: On): Promise<Ready | Refused> {
  mkdirSync(on.worktreeRoot, { recursive: true });
  // git takes locks of its own, but a `worktree add` that loses the race leaves its branch behind
  return on.git.worktrees(on.repo, async () => {
    const { place } = wish;
    const path = place.kind === "clean" ? cleanWorktree(on, wish.leg) : taskWorktree(on, parseLeg(wish.leg).task);
    const listed = await heal(path, on);
    return place.kind === "clean" ? prepareClean(place, path, listed, on) : prepareTask(place, path, listed, on);
  });
}

async function prepareClean(place: Of<"clean">, path: string, listed: Listed | null, on: On): Promise<Ready | Refused> {
  if (listed) return ready(path, false, on);
  if (!(await bringCommit(place.commit, on)))
    return refuse("branch-gone", `commit ${place.commit} is not in this repository`);
  return add(path, ["--detach", path, place.commit], on);
}

async function prepareTask(
  place: Of<"worktree">,
  path: string,
  listed: Listed | null,
  on: On,
): Promise<Ready | Refused> {
  const branch = `refs/heads/${place.branch}`;
  const elsewhere = (await listWorktrees(on.git, on.repo, on.signal)).find(
    (one) => one.branch === branch && realPath(one.path) !== path,
  );
  if (elsewhere) return refuse("denied", `branch ${place.branch} is checked out in ${elsewhere.path}`);
  if (listed) return reuse(place, path, listed, on);

  const tip = await tipOf(branch, on);
  if (tip === null) {
    const missing = await createBranch(place, branch, on);
    if (missing) return missing;
  } else if (place.start !== null && place.start !== tip) {
    const moved = await forward({ branch, from: tip, to: place.start }, on);
    if (moved) return moved;
  }
  return add(path, [path, place.branch], on);
}

/** A worktree that is there: on its branch, at the commit that the wish starts from, or brought there without losing a thing. */
async function reuse(place: Of<"worktree">, path: string, listed: Listed, on: On): Promise<Ready | Refused> {
  if (listed.branch !== `refs/heads/${place.branch}`) {
    const where = listed.branch?.replace("refs/heads/", "branch ") ?? `commit ${listed.head} without a branch`;
    return refuse("head-moved", `${path} is on ${where}, not on ${place.branch}; it is left as it is`, listed.head);
  }
  const { start } = place;
  if (start === null || listed.head === start) return ready(path, false, on);
  const moved = `${path} is at ${listed.head}, not at ${start}`;
  const ahead = listed.head !== null && (await bringCommit(start, on)) && (await isAncestor(listed.head, start, on));
  if (!ahead) return refuse("head-moved", `${moved}; it is left as it is`, listed.head);
  // git itself refuses where a file that changes is not committed, and touches nothing then
  const merged = await on.git.run(["merge", "--ff-only", "--quiet", start], { cwd: path, signal: on.signal });
  if (merged.code === 0) return ready(path, false, on);
  return refuse("head-moved", `${moved}, and cannot go there: ${merged.stderr.trim().slice(-500)}`, listed.head);
}

/** The branch alone, before the worktree: `worktree add -b` that fails half way could never be repeated. */
async function createBranch(place: Of<"worktree">, branch: string, on: On): Promise<Refused | null> {
  const tip = await baseTip(place.base, on);
  if (tip === null) return refuse("base-gone", `there is no base branch ${place.base} to start ${place.branch} from`);
  for (const commit of place.contains) {
    if (!(await isAncestor(commit, tip, on)))
      return notYet(`${place.base} does not hold ${commit} yet, which a dependency merged`, on);
  }
  const start = place.start ?? tip;
  if (!(await bringCommit(start, on))) return refuse("branch-gone", `commit ${start} is not in this repository`);
  const made = await on.git.run(["update-ref", "-m", "pawl: start", branch, start, "0".repeat(start.length)], {
    cwd: on.repo,
    signal: on.signal,
  });
  if (made.code === 0 || (await tipOf(branch, on)) !== null) return null;
  return refuse("invalid", `branch ${place.branch} cannot be made: ${made.stderr.trim().slice(-500)}`);
}

async function forward(
  { branch, from, to }: { branch: string; from: Commit; to: Commit },
  on: On,
): Promise<Refused | null> {
  if ((await bringCommit(to, on)) && (await isAncestor(from, to, on))) {
    const moved = await on.git.run(["update-ref", "-m", "pawl: forward", branch, to, from], {
      cwd: on.repo,
      signal: on.signal,
    });
    if (moved.code === 0) return null;
  }
  return refuse("head-moved", `${branch} is at ${from}, not at ${to}; it is left as it is`, from);
}

async function add(path: string, args: readonly string[], on: On): Promise<Ready | Refused> {
  mkdirSync(dirname(path), { recursive: true });
  await on.git.must(["worktree", "add", "--quiet", ...args], {
    cwd: on.repo,
    // not cut off at our deadline: a checkout that takes longer would begin again for ever; the next try waits for it
    timeoutMs: MAX_CHECKOUT_MS,
    env: { [ADDING]: path },
  });
  on.signal.throwIfAborted();
  return ready(path, true, on);
}
const MAX_CHECKOUT_MS = 30 * 60_000;
/** marks the git that makes a worktree, so that a later life of ours knows whether it is still at it */
const ADDING = "PAWL_WORKTREE_ADD";

async function ready(path: string, isNew: boolean, on: On): Promise<Ready> {
  const gitDir = await on.git.must(["rev-parse", "--absolute-git-dir"], { cwd: path, signal: on.signal });
  return { path, gitDir, isNew };
}

/** What git has at that path, after what crashes left is put right; null: nothing. */
async function heal(path: string, on: On): Promise<Listed | null> {
  while ((await on.processes.withEnv(ADDING, path)).length > 0 && !on.signal.aborted)
    await on.clock.sleep(50, on.signal);
  on.signal.throwIfAborted();
  const listed = (await listWorktrees(on.git, on.repo, on.signal)).find((one) => realPath(one.path) === path);
  const whole = listed && existsSync(join(path, ".git")) && listed.locked !== "initializing";
  if (whole) return listed;
  if (listed) {
    // an add that was cut off (nobody has worked there yet), or a folder that a worker deleted: files in it are kept
    setAside(path, on);
    await on.git.must(["worktree", "remove", "--force", "--force", path], { cwd: on.repo, signal: on.signal });
  } else {
    setAside(path, on);
  }
  return null;
}

function setAside(path: string, on: On): void {
  if (!existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0)) return;
  const aside = join(realPath(on.worktreeRoot), ".aside");
  mkdirSync(aside, { recursive: true });
  renameSync(path, join(aside, `${basename(path)}-${Math.round(on.clock.read().wall)}`));
}

const refuse = (
  code: Extract<Refused, { kind: "refused" }>["code"],
  detail: string,
  actual: Commit | null = null,
): Refused => ({
  kind: "refused",
  code,
  detail,
  files: [],
  actual,
});

const notYet = (detail: string, on: On): Refused => ({
  kind: "later",
  until: Math.round(on.clock.read().wall + 5_000) as Instant,
  owner: "forge",
  detail,
});

/** A clean worktree is thrown away whole; done again it is gone already. */
export async function removeClean(path: string, on: On): Promise<void> {
  await on.git.worktrees(on.repo, async () => {
    if (!path.startsWith(join(realPath(on.worktreeRoot), ".clean"))) return;
    const listed = (await listWorktrees(on.git, on.repo, on.signal)).some((one) => realPath(one.path) === path);
    if (listed)
      await on.git.must(["worktree", "remove", "--force", "--force", path], { cwd: on.repo, signal: on.signal });
  });
}
