import { runGit } from "./checkout.ts";
import { emptyFolders } from "./inner-folders.ts";
import type { Listing } from "./listing.ts";
import type { Shadowed } from "./shadow-folder.ts";

/** Disks tell time by the second at the worst: what changed so shortly before a look may change again, and have the same time. */
const FRESH_MS = 2_000;

/** So many files are asked for their times here; for more, git does it in several threads, which is worth a process. */
const FEW = 2_000;

/** Tells, more quickly than a look, that nothing changed since one. */
export interface Stillness {
  /** after a look that began at that time of day, in ms */
  note(listing: Listing, began: number): Promise<void>;
  /** false: something may have changed */
  holds(): Promise<boolean>;
}

/**
 * Nothing changed where no folder did, as each that gets or loses a name does, and no file has another time of change
 * than it had, which nobody can set; where there are many files, or one is young, git finds that out. As long as a folder
 * changed but a moment ago nothing is said.
 */
export function stillness(shadowed: Shadowed): Stillness {
  const { on, env } = shadowed;
  const inner = emptyFolders(shadowed);
  let stamps: Map<string, number> | null = null;
  /** null: git is asked */
  let files: Map<string, number> | null = null;
  const stampOf = (folder: string) => on.files.stat(`${on.top}/${folder}`).changedMs;
  const isSame = (known: ReadonlyMap<string, number>) => {
    for (const [folder, stamp] of known) if (stampOf(folder) !== stamp) return false;
    return true;
  };
  /** What changed so shortly before may change again within the same time; and of a repository within only git can tell. */
  const stampsOf = ({ files: known, apart }: Listing, began: number) => {
    if (known.size > FEW || apart.length > 0) return null;
    const found = new Map([...known].map((path) => [path, stampOf(path)] as const));
    return [...found.values()].every((stamp) => stamp < began - FRESH_MS) ? found : null;
  };
  return {
    async note(listing, began) {
      stamps = null;
      const found = new Map<string, number>();
      const add = (folder: string): boolean => {
        found.set(folder, stampOf(folder));
        return found.get(folder)! < began - FRESH_MS;
      };
      for (const folder of listing.folders) if (!add(folder)) return;
      for (const folder of await inner(listing, found)) if (!add(folder)) return;
      stamps = found;
      files = stampsOf(listing, began);
    },
    async holds() {
      if (stamps === null) return false;
      if (files !== null) return isSame(stamps) && isSame(files);
      const args = ["diff-files", "--quiet", "--ignore-submodules=dirty"];
      const inFiles = runGit(on, args, { env });
      const inFolders = isSame(stamps);
      return (await inFiles).code === 0 && inFolders;
    },
  };
}
