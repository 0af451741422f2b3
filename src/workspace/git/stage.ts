import { attributed, type Left } from "./attributed.ts";
import { BY_NAME, type Checkout, exclusive, mustGit, named } from "./checkout.ts";
import { pathsOf } from "./diff.ts";
import { type GitRefusal, refused } from "./refused.ts";

export interface Staged {
  readonly kind: "staged";
  readonly paths: readonly string[];
  readonly left: readonly Left[];
}

/** Stages these paths by name, deletions too, and nothing else; what was staged before stays. */
export const stage = (on: Checkout, paths: readonly string[]): Promise<Staged | GitRefusal> =>
  exclusive(on, async () => {
    const { ours, left } = await attributed(on, paths);
    const mine = ours.map(({ path }) => path);
    if (mine.length === 0) return { kind: "staged", paths: [], left };
    const before = new Set(await pathsOf(on, { of: "index" }));
    await mustGit(on, ["add", ...BY_NAME], { input: named(mine) });
    const wanted = new Set(mine);
    const strange = (await pathsOf(on, { of: "index" })).filter((path) => !before.has(path) && !wanted.has(path));
    if (strange.length > 0) return unexpected(strange);
    return { kind: "staged", paths: mine, left };
  });

/** Something got in that nobody named. */
export const unexpected = (paths: readonly string[]): GitRefusal =>
  refused({
    code: "PATHS_UNEXPECTED",
    message: `git took up paths that nobody named: ${paths.slice(0, 5).join(", ")}`,
    next: "see what else works in this checkout, or what a filter or hook of it does",
    paths,
  });
