import { BY_NAME, type Checkout, exclusive, mustGit, named, split } from "./checkout.ts";
import { statusOf } from "./status.ts";

export interface RestoreOrder {
  readonly paths: readonly string[];
  /** a commit, or the index */
  readonly from: string | "index";
  /** what is taken back: the files, or what is staged */
  readonly what: "files" | "index" | "both";
}

/**
 * Takes back these paths, by name. What is not in the source is deleted only where git holds it: a file that it does not
 * know is left, and so is what lies in a repository of its own. Gives the paths that were taken back.
 */
export const restore = (on: Checkout, { paths, from, what }: RestoreOrder): Promise<readonly string[]> =>
  exclusive(on, async () => {
    const wanted = new Set(paths);
    if (wanted.size === 0) return [];
    const mine = await known(on, wanted, from);
    if (mine.length === 0) return [];
    const source = from === "index" ? [] : [`--source=${from}`];
    const where = what === "files" ? ["--worktree"] : what === "index" ? ["--staged"] : ["--staged", "--worktree"];
    await mustGit(on, ["restore", "--quiet", ...source, ...where, ...BY_NAME], { input: named(mine) });
    return mine;
  });

/** Those that the index or the source has. */
async function known(on: Checkout, wanted: ReadonlySet<string>, from: string): Promise<readonly string[]> {
  const index = await mustGit(on, ["ls-files", "-z"]);
  const source = from === "index" ? "" : await mustGit(on, ["ls-tree", "-r", "--name-only", "-z", from]);
  const apart = new Set((await statusOf(on)).filter(({ isRepository }) => isRepository).map(({ path }) => path));
  const names = new Set([...split(index), ...split(source)]);
  return [...wanted].filter((path) => names.has(path) && !apart.has(path));
}
