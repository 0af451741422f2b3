import { type Checkout, mustGit, split } from "./checkout.ts";
import { type Changed, statusOf } from "./status.ts";

/** Paths that somebody wants staged, and what git has to say of each. */
export interface Attributed {
  readonly ours: readonly Changed[];
  /** named, and not to be staged */
  readonly left: readonly Left[];
}
export interface Left {
  readonly path: string;
  readonly why: "unchanged" | "ignored" | "repository" | "conflict";
}

/** Of these names, and of no others, what can be staged: an empty list is nothing, never everything. */
export async function attributed(on: Checkout, paths: readonly string[]): Promise<Attributed> {
  const wanted = new Set(paths);
  if (wanted.size === 0) return { ours: [], left: [] };
  const found = (await statusOf(on)).filter(({ path }) => wanted.has(path));
  const isOurs = (one: Changed) => !one.isConflict && !one.isRepository;
  const changed = new Set(found.map(({ path }) => path));
  const others = await unstageable(
    on,
    [...wanted].filter((path) => !changed.has(path)),
  );
  const barred = found
    .filter((one) => !isOurs(one))
    .map(({ path, isConflict }): Left => ({ path, why: isConflict ? "conflict" : "repository" }));
  return { ours: found.filter(isOurs), left: [...barred, ...others] };
}

async function unstageable(on: Checkout, paths: readonly string[]): Promise<readonly Left[]> {
  if (paths.length === 0) return [];
  const inside = await repositories(on);
  const ignored = await ignoredOf(
    on,
    paths.filter((path) => !inside(path)),
  );
  return paths.map((path) => ({
    path,
    why: inside(path) ? "repository" : ignored.has(path) ? "ignored" : "unchanged",
  }));
}

/** Whether a path is that of a submodule, or lies in one. */
async function repositories(on: Checkout): Promise<(path: string) => boolean> {
  const links = split(await mustGit(on, ["ls-files", "--stage", "-z"]))
    .filter((row) => row.startsWith("160000 "))
    .map((row) => row.slice(row.indexOf("\t") + 1));
  return (path) => links.some((link) => path === link || path.startsWith(`${link}/`));
}

/** `./`: this command knows no literal paths, and none that begins so is a pattern. */
async function ignoredOf(on: Checkout, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const input = paths.map((path) => `./${path}\0`).join("");
  const { stdout } = await on.git.run(["check-ignore", "-z", "--stdin"], { cwd: on.top, input });
  return new Set(split(stdout).map((path) => path.slice(2)));
}
