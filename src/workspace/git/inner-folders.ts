import { posix } from "node:path";
import { split } from "./checkout.ts";
import type { Listing } from "./listing.ts";
import type { Shadowed } from "./shadow-folder.ts";

/**
 * Finds folders that hold no file that git knows, but may get one: they are not ignored. `stamps`: when the listed folders
 * changed; one that did not since the last time has the same names in it.
 */
export function emptyFolders(
  shadowed: Shadowed,
): (listing: Listing, stamps: ReadonlyMap<string, number>) => Promise<readonly string[]> {
  const { on } = shadowed;
  let ignores = "";
  let verdicts = new Map<string, boolean>();
  let seen = new Map<string, { readonly stamp: number; readonly strangers: readonly string[] }>();
  const strangersIn = (folder: string, isKnown: (path: string) => boolean): readonly string[] =>
    on.files
      .list(`${on.top}/${folder}`)
      .filter((name) => name !== ".git")
      .map((name) => posix.join(folder, name))
      .filter((path) => !isKnown(path) && on.files.stat(`${on.top}/${path}`).kind === "folder");

  async function notIgnored(paths: readonly string[]): Promise<readonly string[]> {
    const asked = paths.filter((path) => !verdicts.has(path));
    const ignored = asked.length === 0 ? new Set() : await ignoredOf(shadowed, asked);
    for (const path of asked) verdicts.set(path, ignored.has(path));
    return paths.filter((path) => verdicts.get(path) === false);
  }

  return async (listing, stamps) => {
    if (listing.ignores !== ignores) [ignores, verdicts] = [listing.ignores, new Map()];
    const apart = new Set(listing.apart);
    const isKnown = (path: string) => listing.files.has(path) || listing.folders.has(path) || apart.has(path);
    const now = new Map<string, { readonly stamp: number; readonly strangers: readonly string[] }>();
    for (const [folder, stamp] of stamps) {
      const before = seen.get(folder);
      now.set(folder, before?.stamp === stamp ? before : { stamp, strangers: strangersIn(folder, isKnown) });
    }
    seen = now;
    const found: string[] = [];
    let level = await notIgnored(
      [...now.values()].flatMap(({ strangers }) => strangers).filter((path) => !isKnown(path)),
    );
    while (level.length > 0) {
      found.push(...level);
      level = await notIgnored(level.flatMap((folder) => strangersIn(folder, () => false)));
    }
    return found;
  };
}

/** `./`: this command knows no literal paths, and none that begins so is a pattern. */
async function ignoredOf({ on, env }: Shadowed, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const input = paths.map((path) => `./${path}\0`).join("");
  const { stdout } = await on.git.run(["check-ignore", "-z", "--stdin"], { cwd: on.top, env, input });
  return new Set(split(stdout).map((path) => path.slice(2)));
}
