import type { Ms } from "../../domain/names.ts";
import type { GitResult } from "../../ports/system.ts";
import { attributed, type Left } from "./attributed.ts";
import { BY_NAME, type Checkout, exclusive, mustGit, named, runGit, split } from "./checkout.ts";
import { rewrittenEnds } from "./diff.ts";
import { type Head, headOf, unfinished } from "./head.ts";
import { intendedTree } from "./intended.ts";
import { type GitRefusal, refused, saidBy } from "./refused.ts";
import { signingFault, unsigned } from "./signing.ts";

export interface CommitOrder {
  /** the paths of one logical step, by name; what else is changed or staged stays as it is */
  readonly paths: readonly string[];
  readonly message: string;
  /** default run; skip only where somebody's configuration says so */
  readonly hooks?: "run" | "skip";
  /** how long git and its hooks may take; default 10 minutes */
  readonly timeoutMs?: Ms;
}

export type CommitOutcome =
  | {
      readonly kind: "committed";
      readonly commit: string;
      /** null: HEAD is on no branch, and only this commit's name leads to it */
      readonly branch: string | null;
      readonly paths: readonly string[];
      readonly left: readonly Left[];
      /** paths that a hook or filter made other than they were when the commit was ordered */
      readonly hookModified: readonly string[];
      /** paths in which little but the ends of lines was changed, on all lines */
      readonly lineEnds: readonly string[];
    }
  | { readonly kind: "nothing"; readonly left: readonly Left[] }
  | GitRefusal;

/** One commit of these paths as they are on disk. Refused, it leaves index and branch as they were. */
export const commit = (on: Checkout, order: CommitOrder): Promise<CommitOutcome> =>
  exclusive(on, async () => {
    const barred = unfinished(on) ?? (await signingFault(on));
    if (barred) return barred;
    const { ours, left } = await attributed(on, order.paths);
    if (ours.length === 0) return { kind: "nothing", left };
    const paths = ours.map(({ path }) => path);
    const before = await headOf(on);
    const intended = await intendedTree(on, before.commit, paths);
    if (intended.kind === "refused") return intended;
    if (intended.isSame) return { kind: "nothing", left };
    const made = ours.filter(({ isUntracked }) => isUntracked).map(({ path }) => path);
    if (made.length > 0) await mustGit(on, ["add", "--intent-to-add", ...BY_NAME], { input: named(made) });
    const result = await gitCommit(on, paths, order);
    const after = await headOf(on);
    if (after.commit === null || after.commit === before.commit) {
      await forget(on, made);
      return whyNot(result);
    }
    return { ...(await committed(on, { before, after, tree: intended.tree })), paths, left };
  });

/** `--only`: what a user has staged of other files is in none of our commits, and still staged after them. */
function gitCommit(on: Checkout, paths: readonly string[], order: CommitOrder): Promise<GitResult> {
  const flags = ["--quiet", "--only", "--cleanup=whitespace", ...(order.hooks === "skip" ? ["--no-verify"] : [])];
  const args = ["commit", ...flags, `--message=${order.message}`, ...BY_NAME];
  return runGit(on, args, { input: named(paths), timeoutMs: order.timeoutMs ?? 600_000 });
}

/** New files are untracked again, as they were. */
async function forget(on: Checkout, paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await runGit(on, ["update-index", "--force-remove", "-z", "--stdin"], { input: named(paths) });
}

interface Made {
  readonly before: Head;
  readonly after: Head;
  readonly tree: string;
}

async function committed(on: Checkout, { before, after, tree }: Made) {
  const made = after.commit!;
  const differs = await mustGit(on, ["diff-tree", "-r", "--name-only", "--no-renames", "-z", tree, `${made}^{tree}`]);
  const from = before.commit;
  const lineEnds = from === null ? [] : await rewrittenEnds(on, { of: "commits", from, to: made });
  return { kind: "committed", commit: made, branch: after.branch, hookModified: split(differs), lineEnds } as const;
}

function whyNot(result: GitResult): GitRefusal {
  const said = saidBy(result);
  if (/gpg failed to sign|failed to write commit object|error: (Load|No private) key/i.test(said))
    return unsigned(said);
  if (/tell me who you are|empty ident name|no email was given/i.test(said))
    return refused({
      code: "IDENTITY_MISSING",
      message: `git does not know whose commits these are: ${said}`,
      next: "git config user.name NAME, and user.email ADDRESS",
    });
  if (result.code === -1)
    return refused({
      code: "HOOK_TIMEOUT",
      message: `nothing was committed: git, or a hook of it, did not come to an end: ${said}`,
      next: "see what the hooks of this repository wait for, or give them more time",
    });
  return refused({
    code: "HOOK_REFUSED",
    message: `nothing was committed: git, or a hook of it, said no (${result.code}): ${said}`,
    next: "mend what it names, then commit again",
  });
}
