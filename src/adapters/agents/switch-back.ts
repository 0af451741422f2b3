import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../../domain/names.ts";
import type { GitOptions } from "../../ports/system.ts";
import { isAncestor, seenHere, tipOf } from "./base.ts";
import type { OfTask } from "./branch.ts";
import type { Drive } from "./leg.ts";
import { lockWords } from "./lock.ts";
import type { HostParts } from "./parts.ts";
import { uncommitted } from "./uncommitted.ts";

type On = HostParts & { readonly signal: AbortSignal };
type Where = Pick<Drive, "worktree" | "gitDir">;

/**
 * After a run: a worktree that stands on another branch, or on none, is put back on the task's with the work that was
 * done there, if all of it was (its own log names each commit) and goes on from the task's branch. Files and index stay
 * as they are. Null: it is on its branch, gone, or in the middle of something; else where it is.
 */
export async function rejoin(at: Where, { branch, base, start }: OfTask, on: On): Promise<string | null> {
  if (!existsSync(join(at.worktree, ".git")) || unfinishedIn(at.gitDir)) return null;
  const ref = `refs/heads/${branch}`;
  const options = { cwd: at.worktree, signal: on.signal };
  if (await isOn(ref, options, on)) return null;
  const where = (await on.git.run(["symbolic-ref", "--quiet", "HEAD"], options)).stdout.trim();
  const [head, tip] = [await tipOf("HEAD", { ...on, repo: at.worktree }), await tipOf(ref, on)];
  if (where === ref && tip !== null) return null;
  const named = where.replace("refs/heads/", "branch ") || "a commit without a branch";
  const from = tip ?? start ?? firstOf(at.gitDir);
  if (head === null || from === null || !(await isMadeHere([from, head, base], at, on))) return named;
  if (head !== tip) {
    const args = ["update-ref", "--create-reflog", "-m", "pawl: rejoin", ref, head, tip ?? "0".repeat(head.length)];
    if ((await on.git.run(args, options)).code !== 0) return named;
  }
  await on.git.must(["symbolic-ref", "-m", "pawl: rejoin", "HEAD", ref], options);
  return null;
}

/** Whether the worktree stands on that branch, and the branch is there. */
async function isOn(ref: string, options: GitOptions, { git }: On): Promise<boolean> {
  const named = await git.run(["for-each-ref", "--format=%(HEAD)%(refname)", ref], options);
  return named.stdout.trim() === `*${ref}`;
}

/** What somebody has begun there and not ended: then nothing is touched. */
export const unfinishedIn = (gitDir: string): string | null =>
  UNFINISHED.find(([file]) => existsSync(join(gitDir, file)))?.[1] ?? null;

const UNFINISHED = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
] as const;

/** Whether every commit that `head` has beyond `from` and the base was made in this very worktree, by the log of its HEAD. */
async function isMadeHere(
  [from, head, base]: readonly [Commit, Commit, string],
  { gitDir }: Where,
  on: On,
): Promise<boolean> {
  if (!(await isAncestor(from, head, on))) return false;
  const seen = await seenHere(base, on);
  const args = ["rev-list", head, `^${from}`, ...(seen === null ? [] : [`^${seen}`]), "--"];
  const listed = await on.git.must(args, { cwd: on.repo, signal: on.signal });
  const made = madeIn(gitDir);
  return listed.split("\n").every((commit) => commit === "" || made.has(commit));
}

/** What only moves to a commit that is there has not made it. */
const madeIn = (gitDir: string): ReadonlySet<string> =>
  new Set(
    logOf(gitDir).flatMap((line) =>
      /\t(?:commit|cherry-pick|revert|rebase|merge .*: Merge made)\b/.test(line) ? (newOf(line) ?? []) : [],
    ),
  );

/** Where the worktree stood when it was made. */
const firstOf = (gitDir: string): Commit | null => (newOf(logOf(gitDir)[0] ?? "") as Commit | undefined) ?? null;

/** `OLD NEW NAME <MAIL> TIME ZONE TAB what: …` */
function logOf(gitDir: string): readonly string[] {
  const path = join(gitDir, "logs", "HEAD");
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").filter(Boolean) : [];
}
const newOf = (line: string): string | undefined => line.split(" ")[1];

/**
 * Before a run: a worktree that somebody switched to another branch is switched back, if nothing can be lost by it: all
 * is committed, and some branch keeps the commits. Null: done; else why not.
 */
export async function switchBack(
  at: Where & { readonly branch: string; readonly isKept: boolean },
  on: On,
): Promise<string | null> {
  const options = { cwd: at.worktree, signal: on.signal };
  const dirty = (await uncommitted(at, on)).filter((one) => !one.isCopy).map((one) => one.path);
  if (dirty.length > 0) return `files in it are not committed: ${dirty.slice(0, 5).join(", ")}`;
  if (!at.isKept) return "no branch holds its commits";
  const switched = await on.git.run(["switch", "--quiet", "--no-guess", at.branch], options);
  return switched.code === 0 ? null : (lockWords(switched.stderr, on) ?? switched.stderr.trim().slice(-500));
}
