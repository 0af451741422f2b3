import { posix } from "node:path";
import { runGit, split } from "./checkout.ts";
import type { Shadowed } from "./shadow-folder.ts";

/** What the index of a shadow holds. */
export interface Listing {
  readonly tree: string;
  /** regular files and links */
  readonly files: ReadonlySet<string>;
  /** every folder of them; the top is "." */
  readonly folders: ReadonlySet<string>;
  /** repositories within, and names that are no UTF-8: what is in them is not told */
  readonly apart: readonly string[];
  /** which files say what is ignored, and their content */
  readonly ignores: string;
}

/** Lists the index; the same object as long as it is the same, or what git says where it cannot be used. */
export interface Lister {
  list(): Promise<Listing | string>;
  /** the last one, where the index is still the same */
  known(): Listing | null;
}

export function lister(shadowed: Shadowed): Lister {
  const { on, env } = shadowed;
  let known: { readonly sum: string; readonly listing: Listing } | null = null;
  const same = () => (known !== null && known.sum === sumOf(shadowed) ? known.listing : null);
  return {
    known: same,
    async list() {
      const before = same();
      if (before !== null) return before;
      const written = await runGit(on, ["write-tree"], { env });
      if (written.code !== 0) return written.stderr;
      const { stdout } = await runGit(on, ["ls-files", "--stage", "-z"], { env });
      known = { sum: sumOf(shadowed), listing: { tree: written.stdout.trim(), ...read(split(stdout)) } };
      return known.listing;
    },
  };
}

/** The index ends with a hash of itself: the times in it too, so that a file that was only touched makes another one. */
function sumOf({ on, dir }: Shadowed): string {
  const found = on.files.read(`${dir}/index`, 2 ** 30);
  return found.kind === "file" ? Buffer.from(found.bytes.subarray(-20)).toString("hex") : "";
}

/** MODE HASH STAGE, a tab, PATH */
function read(rows: readonly string[]): Omit<Listing, "tree"> {
  const files = new Set<string>();
  const folders = new Set<string>(["."]);
  const apart: string[] = [];
  const ignores: string[] = [];
  for (const row of rows) {
    const path = row.slice(row.indexOf("\t") + 1);
    if (row.startsWith("160000") || path.includes("\uFFFD")) apart.push(path);
    else files.add(path);
    if (path.endsWith(".gitignore")) ignores.push(row);
    for (let at = posix.dirname(path); !folders.has(at); at = posix.dirname(at)) folders.add(at);
  }
  return { files, folders, apart, ignores: ignores.join("\0") };
}
