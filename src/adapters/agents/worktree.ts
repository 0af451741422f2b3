import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Place, SpawnWish } from "../../domain/intent.ts";
import { type Commit, parseLeg } from "../../domain/names.ts";
import { type Refused, refuse, theirs } from "./answers.ts";
import { bringCommit, isAncestor, tipOf } from "./base.ts";
import { headMoved, newerBase, type OfTask, readyBranch } from "./branch.ts";
import { lockWords } from "./lock.ts";
import { isAdopted, mayLeave } from "./own.ts";
import type { HostParts } from "./parts.ts";
import { dropDeadLock } from "./salvage.ts";
import { forgetSetUp } from "./setup.ts";
import { switchBack } from "./switch-back.ts";
import { type Listed, listWorktrees, realPath } from "./worktree-list.ts";

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
    const { here, all } = await heal(path, on);
    return place.kind === "clean" ? prepareClean(place, path, here, on) : prepareTask(place, { path, here, all }, on);
  });
}

async function prepareClean(place: Of<"clean">, path: string, listed: Listed | null, on: On): Promise<Ready | Refused> {
  if (listed) return ready(path, false, on);
  if (!(await bringCommit(place.commit, on)))
    return refuse("branch-gone", `commit ${place.commit} is not in this repository`);
  return add(path, ["--detach", path, place.commit], on);
}

async function prepareTask(
  place: OfTask,
  { path, here: listed, all }: Healed & { readonly path: string },
  on: On,
): Promise<Ready | Refused> {
  const task = basename(path);
  const branch = `refs/heads/${place.branch}`;
  const elsewhere = all.find((one) => one.branch === branch && realPath(one.path) !== path);
  if (elsewhere) return theirs(elsewhereWords(place, elsewhere), on);
  // a worktree may stand on another branch, and its own be gone
  const refused = listed?.branch === branch ? null : await readyBranch(place, task, on);
  if (refused) return refused;
  return listed ? reuse(place, path, listed, on) : add(path, [path, place.branch], on);
}

function elsewhereWords({ branch, base }: OfTask, { path, prunable }: Listed): string {
  const how = prunable
    ? "its folder is gone: git worktree prune, if it does not come back"
    : `switch that one to another branch: git -C ${path} switch ${base}, or git -C ${path} switch --detach`;
  return `branch ${branch} is checked out in ${path}; ${how}`;
}

/** A worktree that is there: on its branch, at the commit that the wish starts from, or brought there without losing a thing. */
async function reuse(place: OfTask, path: string, found: Listed, on: On): Promise<Ready | Refused> {
  const task = basename(path);
  const one = await ready(path, false, on);
  const stuck = await ensureBranch(place, one, found, on);
  if (stuck) return stuck;
  const head = await tipOf(`refs/heads/${place.branch}`, on);
  const { start } = place;
  if (start === null || head === start || (await isAdopted(task, head, on))) {
    const newer = await newerBase(head, place.base, on);
    // where a file that is not committed is in the way, it stays at the older one
    if (newer !== null) await advance(newer, one, on);
    return one;
  }
  const ahead = head !== null && (await bringCommit(start, on)) && (await isAncestor(head, start, on));
  if (!ahead) {
    const followed = head !== null && (await follow(start, { one, task, head }, on));
    return followed ? one : headMoved(path, { task, at: head, wanted: start });
  }
  const why = await advance(start, one, on);
  if (why === null) return one;
  const lock = lockWords(why, on);
  return lock === null ? headMoved(path, { task, at: head, wanted: start, why }) : theirs(lock, on);
}

async function ensureBranch(place: OfTask, { path, gitDir }: Ready, found: Listed, on: On): Promise<Refused | null> {
  if (found.branch === `refs/heads/${place.branch}`) return null;
  const head = found.head;
  const own = await tipOf(`refs/heads/${place.branch}`, on);
  const isKept = found.branch !== null || (head !== null && own !== null && (await isAncestor(head, own, on)));
  const why = await switchBack({ worktree: path, gitDir, branch: place.branch, isKept }, on);
  if (why === null) return null;
  const where = found.branch?.replace("refs/heads/", "branch ") ?? `commit ${head} without a branch`;
  const how = `switch it back: git -C ${path} switch ${place.branch}`;
  return theirs(`somebody switched ${path} to ${where}, and it is left as it is, since ${why}; ${how}`, on);
}

/** Git itself refuses where a file that changes is not committed, and touches nothing then. What setup made is of the old commit. */
async function advance(to: Commit, { path, gitDir }: Ready, on: On): Promise<string | null> {
  await dropDeadLock({ worktree: path, gitDir }, on);
  const merged = await on.git.run(["merge", "--ff-only", "--quiet", to], { cwd: path, signal: on.signal });
  if (merged.code !== 0) return merged.stderr.trim().slice(-500);
  forgetSetUp({ gitDir });
  return null;
}

/** Somebody rewrote the branch: the run's own commit is kept elsewhere, and git refuses where a file would be lost. */
async function follow(
  to: Commit,
  { one: { path, gitDir }, task, head }: { one: Ready; task: string; head: Commit },
  on: On,
): Promise<boolean> {
  if (!(await bringCommit(to, on)) || !(await mayLeave(task, { from: head, to }, on))) return false;
  const moved = await on.git.run(["reset", "--keep", "--quiet", to], { cwd: path, signal: on.signal });
  if (moved.code === 0) forgetSetUp({ gitDir });
  return moved.code === 0;
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

const ready = async (path: string, isNew: boolean, on: On): Promise<Ready> => ({
  path,
  gitDir: await gitDirOf(path, on),
  isNew,
});

/** Git's own folder of a worktree. */
export const gitDirOf = async (path: string, on: Pick<On, "git" | "signal">): Promise<string> =>
  gitDirNamedIn(path) ?? on.git.must(["rev-parse", "--absolute-git-dir"], { cwd: path, signal: on.signal });

/** The `.git` of a worktree is a file with one line; what is no such line is git's to explain. */
function gitDirNamedIn(path: string): string | null {
  const file = join(path, ".git");
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  const line = /^gitdir: (.+)\n?$/.exec(readFileSync(file, "utf8"));
  return line ? realPath(resolve(path, line[1]!)) : null;
}

/** What git has at that path (null: nothing), among all that it has. */
interface Healed {
  readonly here: Listed | null;
  readonly all: readonly Listed[];
}

/** What git has, after what crashes left at that path is put right. */
async function heal(path: string, on: On): Promise<Healed> {
  while ((await on.processes.withEnv(ADDING, path)).length > 0 && !on.signal.aborted)
    await on.clock.sleep(50, on.signal);
  on.signal.throwIfAborted();
  const first = await listWorktrees(on.git, on.repo, on.signal);
  const all = among(first, path) === null ? await repaired(path, first, on) : first;
  const listed = among(all, path);
  const whole = listed && existsSync(join(path, ".git")) && listed.locked !== "initializing";
  if (whole) return { here: listed, all };
  if (listed) {
    // an add that was cut off (nobody has worked there yet), or a folder that a worker deleted: files in it are kept
    setAside(path, on);
    await on.git.must(["worktree", "remove", "--force", "--force", path], { cwd: on.repo, signal: on.signal });
  } else {
    setAside(path, on);
  }
  return { here: null, all };
}

const among = (all: readonly Listed[], path: string): Listed | null =>
  all.find((one) => realPath(one.path) === path) ?? null;

/** A repository that was moved does not know its worktrees any more, although they went with it. */
async function repaired(path: string, known: readonly Listed[], on: On): Promise<readonly Listed[]> {
  if (!existsSync(join(path, ".git"))) return known;
  await on.git.run(["worktree", "repair", path], { cwd: on.repo, signal: on.signal });
  return listWorktrees(on.git, on.repo, on.signal);
}

function setAside(path: string, on: On): void {
  if (!existsSync(path) || (statSync(path).isDirectory() && readdirSync(path).length === 0)) return;
  const aside = join(realPath(on.worktreeRoot), ".aside");
  mkdirSync(aside, { recursive: true });
  renameSync(path, join(aside, `${basename(path)}-${Math.round(on.clock.read().wall)}`));
}

/** A clean worktree is thrown away whole; done again it is gone already. */
export async function removeClean(path: string, on: On): Promise<void> {
  await on.git.worktrees(on.repo, async () => {
    if (!path.startsWith(join(realPath(on.worktreeRoot), ".clean"))) return;
    const listed = (await listWorktrees(on.git, on.repo, on.signal)).some((one) => realPath(one.path) === path);
    if (listed)
      await on.git.must(["worktree", "remove", "--force", "--force", path], { cwd: on.repo, signal: on.signal });
  });
}
