import { runGit } from "./checkout.ts";
import { emptyFolders } from "./inner-folders.ts";
import type { Listing } from "./listing.ts";
import type { Shadowed } from "./shadow-folder.ts";

/** Disks tell time by the second at the worst: what changed so shortly before a look may change again, and have the same time. */
const FRESH_MS = 2_000;

/** Tells, more quickly than a look, that nothing changed since one. */
export interface Stillness {
  /** after a look that began at that time of day, in ms */
  note(listing: Listing, began: number): Promise<void>;
  /** false: something may have changed */
  holds(): Promise<boolean>;
}

/**
 * Nothing changed where no folder did, as each that gets or loses a name does, and git finds every file that it knows with
 * the size and times that it had. As long as a folder changed but a moment ago nothing is said.
 */
export function stillness(shadowed: Shadowed): Stillness {
  const { on, env } = shadowed;
  const inner = emptyFolders(shadowed);
  let stamps: Map<string, number> | null = null;
  const stampOf = (folder: string) => on.files.stat(`${on.top}/${folder}`).changedMs;
  const isSame = (known: ReadonlyMap<string, number>) => {
    for (const [folder, stamp] of known) if (stampOf(folder) !== stamp) return false;
    return true;
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
    },
    async holds() {
      if (stamps === null) return false;
      const args = ["diff-files", "--quiet", "--ignore-submodules=dirty"];
      const inFiles = runGit(on, args, { env });
      const inFolders = isSame(stamps);
      return (await inFiles).code === 0 && inFolders;
    },
  };
}
