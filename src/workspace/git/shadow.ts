import type { CopyFile } from "../../ports/copy-file.ts";
import type { TakeLock } from "../../ports/files.ts";
import type { Checkout } from "./checkout.ts";
import { type Kept, type Look, looker } from "./look.ts";
import { putBack } from "./put-back.ts";
import { claimShadow, type Shadowed } from "./shadow-folder.ts";
import { type PathChange, treeChanges } from "./tree-changes.ts";

/**
 * Looks at the files of a checkout through a git folder of its own: its index, which knows what was looked at by size and
 * time, is not the user's, and no filter, line end or hook of the repository has a say. One at a time per checkout.
 */
export interface Shadow {
  readonly on: Checkout;
  /** costs little where nothing changed since the last look of this process */
  look(): Promise<Look>;
  changes(from: Kept, to: Kept): Promise<readonly PathChange[]>;
  /** puts these paths back as they were, also their permission bits; the user's index stays as it is */
  putBack(was: Kept, paths: readonly string[]): Promise<void>;
  /** lets another process have its git folder; at the end of this one that happens by itself */
  close(): void;
}

export interface ShadowParts {
  readonly copy: CopyFile;
  readonly lock: TakeLock;
}

/**
 * Made at the first look; what git ignores is settled then, so that a command cannot hide a file by way of `info/exclude`.
 * Processes that look at one checkout at the same time have a folder each.
 */
export function openShadow(on: Checkout, parts: ShadowParts): Shadow {
  let opened: Promise<Opened> | null = null;
  let release: () => void = () => {};
  const open = async (): Promise<Opened> => {
    const shadowed = await claimShadow(on, parts);
    release = shadowed.release;
    return { ...shadowed, look: looker(shadowed) };
  };
  const alone = async <T>(work: (opened: Opened) => Promise<T>): Promise<T> => {
    opened ??= open();
    const all = await opened;
    return on.git.worktrees(all.dir, () => work(all));
  };
  return {
    on,
    look: () => alone(({ look }) => look()),
    changes: (from, to) => treeChanges(on, from, to),
    async putBack(was, paths) {
      if (paths.length > 0) await alone((shadowed) => putBack(shadowed, was, paths));
    },
    close: () => release(),
  };
}

interface Opened extends Shadowed {
  readonly look: () => Promise<Look>;
}
