import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { oneOf, unknownKey } from "./decode.ts";
import { frontMatter } from "./front-matter.ts";
import { nearest } from "./nearest.ts";
import { packageRoot } from "./package-root.ts";
import { child, entriesOf } from "./spot.ts";
import { readText } from "./text-file.ts";

export interface Role {
  readonly name: string;
  /** its Markdown, without front matter */
  readonly text: string;
  readonly checkout: "branch" | "clean" | null;
  /** path from the repository's root, or `built-in` */
  readonly file: string;
  /** they count only where a phase runs this role */
  readonly faults: readonly PawlError[];
}

/** Every role file: of the folders in their order, the first of a name wins, the built-in ones come last. */
export function readRoles(repo: string, folders: readonly string[]): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>();
  const add = (role: Role): void => {
    const before = roles.get(role.name);
    if (!before) roles.set(role.name, role);
    // A role of the user's own that does not say where it works works where the built-in one of its name does.
    else if (before.checkout === null) roles.set(role.name, { ...before, checkout: role.checkout });
  };
  for (const folder of folders)
    for (const file of markdownIn(resolve(repo, folder))) add(readRole(repo, `${folder}/${file}`));
  for (const file of markdownIn(join(packageRoot(), "roles")))
    add({ ...readRole(packageRoot(), `roles/${file}`), file: "built-in" });
  return roles;
}

/** Names of the Markdown files in a folder, in order; none where there is no such folder. */
export function markdownIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".md") && !file.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}

function readRole(root: string, file: string): Role {
  const name = file.slice(file.lastIndexOf("/") + 1, -".md".length);
  const whole = readText(root, file);
  if (whole instanceof PawlError) return { name, text: "", checkout: null, file, faults: [whole] };
  const matter = frontMatter(file, whole);
  if (matter instanceof PawlError) return { name, text: whole, checkout: null, file, faults: [matter] };
  if (!matter) return { name, text: whole.trim(), checkout: null, file, faults: [] };
  const checkout = checkoutKey(child(matter.spot, "checkout")) ?? null;
  for (const [key, spot] of entriesOf(matter.spot) ?? [])
    if (key !== "checkout" && nearest(key, ["checkout"]) !== null) unknownKey(spot, key, { known: ["checkout"] });
  return { name, text: matter.body.trim(), checkout, file, faults: matter.spot.text.faults };
}

/** Other keys are other tools'. */
const checkoutKey = oneOf(["branch", "clean"]);
