import type { Commit } from "../../domain/names.ts";
import { type Checkout, mustGit, runGit } from "./checkout.ts";
import { type GitRefusal, refused } from "./refused.ts";

/** Where HEAD is; `branch` is its short name. */
export type Head =
  | { readonly kind: "branch"; readonly branch: string; readonly commit: Commit }
  | { readonly kind: "unborn"; readonly branch: string; readonly commit: null }
  | { readonly kind: "detached"; readonly branch: null; readonly commit: Commit };

/** Asks git, which knows also of a branch that has no commit yet and of none at all. Throws GIT_FAILED. */
export async function headOf(on: Checkout): Promise<Head> {
  return (await branchHead(on)) ?? otherHead(on);
}

/** One run of git for what HEAD nearly always is: on a branch that has a commit. */
async function branchHead(on: Checkout): Promise<Head | null> {
  const { code, stdout } = await runGit(on, ["rev-parse", "-q", "HEAD^{commit}", "--symbolic-full-name", "HEAD"]);
  const [, commit, branch] = /^([0-9a-f]{40,64})\nrefs\/heads\/(.+)\n$/.exec(code === 0 ? stdout : "") ?? [];
  return branch === undefined ? null : { kind: "branch", branch, commit: commit as Commit };
}

async function otherHead(on: Checkout): Promise<Head> {
  const [name, at] = await Promise.all([
    runGit(on, ["symbolic-ref", "-q", "HEAD"]),
    runGit(on, ["rev-parse", "--verify", "-q", "HEAD^{commit}"]),
  ]);
  const branch = name.code === 0 ? name.stdout.trim().replace(/^refs\/heads\//, "") : null;
  const commit = at.code === 0 ? (at.stdout.trim() as Commit) : null;
  if (branch !== null) return commit === null ? { kind: "unborn", branch, commit } : { kind: "branch", branch, commit };
  return { kind: "detached", branch, commit: commit ?? ((await mustGit(on, ["rev-parse", "HEAD"])) as Commit) };
}

/** A new branch at HEAD, and HEAD on it: what a detached HEAD needs before its commits can be found again. */
export async function startBranch(on: Checkout, branch: string): Promise<Head | GitRefusal> {
  const { code, stderr } = await runGit(on, ["switch", "--quiet", "--no-guess", "-c", branch, "--"]);
  if (code === 0) return headOf(on);
  return refused({
    code: "REF_REFUSED",
    message: `no branch ${branch} was made: ${stderr.trim()}`,
    next: "choose another name",
  });
}

const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: "merge",
  CHERRY_PICK_HEAD: "cherry-pick",
  REVERT_HEAD: "revert",
  "rebase-merge": "rebase",
  "rebase-apply": "rebase",
};

/** What somebody began and did not finish in this worktree: it is theirs to finish. */
export function unfinished(on: Checkout): GitRefusal | null {
  const found = on.files.list(on.gitDir).find((name) => Object.hasOwn(UNFINISHED, name));
  if (found === undefined) return null;
  return refused({
    code: "UNFINISHED",
    message: `a ${UNFINISHED[found]} was left unfinished in ${on.top}`,
    next: "finish it or give it up, then try again",
  });
}
