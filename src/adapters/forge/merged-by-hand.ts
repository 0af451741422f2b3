import type { Commit } from "../../domain/names.ts";
import { atFar, farHas, type Hands, isBefore, output } from "./refs.ts";

/** Heads of branches that a tip holds: one process for all of them. */
export async function mergedHeads(hands: Hands, tip: Commit): Promise<ReadonlySet<Commit>> {
  const args = ["for-each-ref", `--merged=${tip}`, "--format=%(objectname)", "refs/heads/"];
  return new Set((await output(atFar(hands, args), "list merged branches")).split("\n") as Commit[]);
}

/**
 * The commit of the base with which a plain `git merge` brought the branch in; null: it is not in. The head that the
 * pull request was opened with was ahead of the base then, so a branch that was only set back does not count.
 */
export async function mergedByHand(
  hands: Hands,
  { opened, last, tip }: { opened: Commit; last: Commit; tip: Commit },
): Promise<Commit | null> {
  for (const commit of new Set([opened, last])) {
    if (!(await isThereBefore(hands, commit, tip))) return null;
  }
  const args = ["rev-list", "--first-parent", "--ancestry-path", "--parents", `${last}..${tip}`, "--"];
  const rows = (await output(atFar(hands, args), "find the merge")).trim().split("\n");
  const [oldest = "", parent] = rows.at(-1)!.split(" ");
  return oldest === "" || parent === last ? last : (oldest as Commit);
}

/** Git says the same of a commit that is not there as of what it cannot do: only then is it looked for. */
async function isThereBefore(hands: Hands, commit: Commit, tip: Commit): Promise<boolean> {
  try {
    return await isBefore(hands, commit, tip);
  } catch (error) {
    if (await farHas(hands, commit)) throw error;
    return false;
  }
}
