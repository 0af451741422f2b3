import { PawlError } from "../../domain/errors.ts";
import { type Checkout, exclusive, mustGit, runGit, split } from "./checkout.ts";
import { type Head, headOf, unfinished } from "./head.ts";
import { type GitRefusal, refused, saidBy } from "./refused.ts";
import { statusOf } from "./status.ts";

export type RebaseOutcome =
  | { readonly kind: "rebased"; readonly commit: string; readonly was: string }
  | { readonly kind: "up-to-date"; readonly commit: string }
  /** it was given up, and all is as it was before */
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly commit: string }
  | GitRefusal;

/** Puts the commits that nobody else has yet on top of `onto`. Files that are changed keep it from happening: nothing is stashed. */
export const rebase = (on: Checkout, onto: string): Promise<RebaseOutcome> =>
  exclusive(on, () => rebaseAlone(on, onto));

/** The same, for who has the git folder already. */
export async function rebaseAlone(on: Checkout, onto: string): Promise<RebaseOutcome> {
  const barred = unfinished(on) ?? (await dirty(on));
  if (barred) return barred;
  const head = await headOf(on);
  if (head.commit === null) return noCommits(on);
  const { commit: was } = head;
  const base = await mustGit(on, ["rev-parse", "--verify", "--end-of-options", `${onto}^{commit}`]);
  if ((await runGit(on, ["merge-base", "--is-ancestor", base, was])).code === 0)
    return { kind: "up-to-date", commit: was };
  const public_ = await pushed(on, base, was);
  if (public_) return public_;
  const settings = ["rebase.autoStash=false", "rebase.updateRefs=false"].flatMap((one) => ["-c", one]);
  const result = await runGit(on, [...settings, "rebase", "--quiet", "--rebase-merges", base]);
  if (result.code === 0) return { kind: "rebased", commit: (await headOf(on)).commit!, was };
  return givenUp(on, head, saidBy(result));
}

async function dirty(on: Checkout): Promise<GitRefusal | null> {
  const paths = (await statusOf(on)).filter(({ isUntracked }) => !isUntracked).map(({ path }) => path);
  if (paths.length === 0) return null;
  return refused({
    code: "TREE_DIRTY",
    message: `${paths.length} changed files are not committed: ${paths.slice(0, 5).join(", ")}`,
    next: "commit them first; nothing is stashed",
    paths,
  });
}

/** What a remote has already, others build on. */
async function pushed(on: Checkout, base: string, head: string): Promise<GitRefusal | null> {
  const count = async (...but: string[]) =>
    Number(await mustGit(on, ["rev-list", "--count", head, `^${base}`, ...but]));
  const [all, own] = await Promise.all([count(), count("--not", "--remotes")]);
  if (all === own) return null;
  return refused({
    code: "PUSHED",
    message: `${all - own} of the ${all} commits are at a remote already, and others may build on them`,
    next: "merge instead, or start from the new base",
  });
}

async function givenUp(on: Checkout, was: Head, said: string): Promise<RebaseOutcome> {
  const paths = split(await mustGit(on, ["diff", "--name-only", "--diff-filter=U", "-z"]));
  if (unfinished(on)) await mustGit(on, ["rebase", "--abort"]);
  const now = await headOf(on);
  if (now.commit !== was.commit || now.branch !== was.branch)
    throw new PawlError("GIT_FAILED", `a rebase was given up and left HEAD at ${now.commit}; it was at ${was.commit}`, {
      next: "look at the checkout: git status, git reflog",
    });
  if (paths.length > 0) return { kind: "conflict", paths, commit: was.commit! };
  return refused({ code: "REBASE_FAILED", message: `nothing was rebased: ${said}`, next: "mend what it names" });
}

export const noCommits = (on: Checkout): GitRefusal =>
  refused({ code: "NO_COMMITS", message: `the branch in ${on.top} has no commit yet`, next: "commit something first" });
