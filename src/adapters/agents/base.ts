import { isAbsolute } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Commit } from "../../domain/names.ts";
import type { Git } from "../../ports/system.ts";
import { hasLocalOrigin, localOrigin } from "./local-origin.ts";

interface In {
  readonly git: Git;
  readonly repo: string;
  readonly signal: AbortSignal;
}

/**
 * The tip of a base branch; null: there is no such branch. Origin's where origin is a path on this machine (fetched
 * first), else the repository's own: other remotes are never contacted. Throws BASE_UNSEEN (retryable) where origin
 * cannot be asked.
 */
export async function baseTip(base: string, on: In): Promise<Commit | null> {
  const origin = await localOrigin(on);
  if (origin === null) return ownTip(base, on);
  const tracked = `refs/remotes/origin/${base}`;
  const same = await sameThere(origin, { base, tracked }, on);
  if (same !== null) return same;
  const fetched = await on.git.run(
    ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--refmap=", "origin", `+refs/heads/${base}:${tracked}`],
    { cwd: on.repo, signal: on.signal },
  );
  if (fetched.code === 0) return tipOf(tracked, on);
  if (fetched.stderr.includes("couldn't find remote ref")) return null;
  throw new PawlError("BASE_UNSEEN", `origin cannot be asked for ${base}: ${fetched.stderr.trim().slice(-500)}`, {
    retryable: true,
    next: "look at `git remote get-url origin`, and whether that folder is there",
  });
}

/**
 * The base as this repository has it, or as a forge on another machine had it last, where that has what is not here: what was
 * merged there counts, though nobody pulled.
 */
async function ownTip(base: string, on: In): Promise<Commit | null> {
  const [own, far] = [`refs/heads/${base}`, `refs/pawl/forge/${base}`];
  const [here, there] = await Promise.all([tipOf(own, on), tipOf(far, on)]);
  if (here === null || there === null) return here ?? there;
  return (await isAncestor(there, here, on)) ? here : there;
}

/** The tip, where origin's is the one that is tracked here: then there is nothing to fetch. Null: it has to be asked. */
async function sameThere(
  origin: string,
  { base, tracked }: { base: string; tracked: string },
  on: In,
): Promise<Commit | null> {
  if (!isAbsolute(origin)) return null;
  const { code, stdout } = await on.git.run(commitOf(`refs/heads/${base}`), { cwd: origin, signal: on.signal });
  const here = code === 0 ? await tipOf(tracked, on) : null;
  return stdout === `${here}\n` ? here : null;
}

/** The base as it was last seen here, newest first where it can be: for comparing, not for starting work. */
export async function baseSeen(base: string, on: In): Promise<Commit | null> {
  try {
    return await baseTip(base, on);
  } catch {
    return seenHere(base, on);
  }
}

/** The base as this repository has it, without asking anybody. */
export const seenHere = async (base: string, on: In): Promise<Commit | null> =>
  ((await hasLocalOrigin(on)) ? await tipOf(`refs/remotes/origin/${base}`, on) : null) ?? (await ownTip(base, on));

const commitOf = (ref: string): readonly string[] => ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`];

export async function tipOf(ref: string, { git, repo, signal }: In): Promise<Commit | null> {
  const found = await git.run(commitOf(ref), { cwd: repo, signal });
  if (found.code === 0) return found.stdout.trim() as Commit;
  if (found.code === 1) return null;
  throw new PawlError("GIT_FAILED", `git rev-parse ${ref} in ${repo} ended with ${found.code}: ${found.stderr}`);
}

/** A branch at an origin on this machine; null: there is none, or no such origin, or it cannot be asked now. */
export async function farTip(branch: string, on: In): Promise<Commit | null> {
  if (!(await hasLocalOrigin(on))) return null;
  const args = ["ls-remote", "--quiet", "origin", `refs/heads/${branch}`];
  const { code, stdout } = await on.git.run(args, { cwd: on.repo, signal: on.signal });
  const [line = ""] = stdout.split("\n");
  return code === 0 && line !== "" ? (line.split("\t")[0] as Commit) : null;
}

/** Whether a commit is in this repository, fetched from an origin on this machine if it has to be. */
export async function bringCommit(commit: Commit, on: In): Promise<boolean> {
  if (await tipOf(commit, on)) return true;
  if (!(await hasLocalOrigin(on))) return false;
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "origin", commit];
  await on.git.run(fetch, { cwd: on.repo, signal: on.signal });
  return (await tipOf(commit, on)) !== null;
}

/** Whether `commit` is contained in `tip`, which is known here: so is then what it contains. */
export async function isAncestor(commit: Commit, tip: Commit, { git, repo, signal }: In): Promise<boolean> {
  if (commit === tip) return true;
  return (await git.run(["merge-base", "--is-ancestor", commit, tip], { cwd: repo, signal })).code === 0;
}
