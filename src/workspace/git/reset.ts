import type { Commit } from "../../domain/names.ts";
import { type Checkout, exclusive, mustGit, runGit } from "./checkout.ts";
import { headOf, unfinished } from "./head.ts";
import { noCommits } from "./rebase.ts";
import { type GitRefusal, refused } from "./refused.ts";

export type ResetOutcome =
  /** `kept`: a ref under which what was left behind is found */
  { readonly kind: "reset"; readonly commit: Commit; readonly was: Commit; readonly kept: string } | GitRefusal;

/**
 * Takes the branch of a checkout of our own back to a commit; files that are not committed stay as they are, and where one
 * of them would be lost nothing is done. Never in anybody else's checkout, and never behind what a remote has.
 */
export const reset = (on: Checkout, to: string): Promise<ResetOutcome> =>
  exclusive(on, async () => {
    if (!on.isOurs) return notOurs(on);
    const barred = unfinished(on);
    if (barred) return barred;
    const { commit: was } = await headOf(on);
    if (was === null) return noCommits(on);
    const commit = (await mustGit(on, ["rev-parse", "--verify", "--end-of-options", `${to}^{commit}`])) as Commit;
    const lost = Number(await mustGit(on, ["rev-list", "--count", was, `^${commit}`, "--not", "--remotes"]));
    const all = Number(await mustGit(on, ["rev-list", "--count", was, `^${commit}`]));
    if (lost < all) return behind(all - lost);
    const kept = `refs/pawl/reset/${was}`;
    await mustGit(on, ["update-ref", kept, was]);
    const { code, stderr } = await runGit(on, ["reset", "--quiet", "--keep", commit]);
    if (code === 0) return { kind: "reset", commit, was, kept };
    return refused({
      code: "TREE_DIRTY",
      message: `a file that is not committed would be lost: ${stderr.trim()}`,
      next: "commit it first",
    });
  });

const behind = (count: number): GitRefusal =>
  refused({
    code: "PUSHED",
    message: `${count} of the commits that would be taken back are at a remote already`,
    next: "commit what undoes them: git revert",
  });

const notOurs = (on: Checkout): GitRefusal =>
  refused({
    code: "NOT_OURS",
    message: `${on.top} is not a checkout that Pawl made, so its branch is not taken back`,
    next: "restore the paths that are meant, or let Pawl work in a worktree of its own",
  });
