import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CodeTree, TreeContent, TreeFile } from "../../ports/code-tree.ts";
import type { Git } from "../../ports/system.ts";
import { contentHash } from "./content-hash.ts";
import { nulParted } from "./nul-parted.ts";

/** a tag, and for what is staged its mode, hash and stage: H is as it was staged, every other tag is to be looked at */
const ENTRY = /^(\S) (?:(\d{6}) ([0-9a-f]+) (\d)\t)?([\s\S]+)$/;
/** A file that changed a moment ago may change again without its time telling. */
const FRESH_MS = 2_000;

interface Remembered {
  readonly stamp: string;
  readonly hash: string;
}

/**
 * The files of a worktree as they are on the disk. Git says what changed since they were staged; only what did, and what
 * is not tracked, is read for its hash. `root`: the real path of the worktree's top.
 */
export function worktreeTree(git: Git, root: string): CodeTree {
  let remembered = new Map<string, Remembered>();
  let last = new Map<string, string>();
  return {
    async list(changed) {
      // A file that was not there may be ignored: only git knows.
      if (changed?.every((path) => last.has(path))) return relist(changed);
      const listing = ["ls-files", "-z", "--full-name", "-t", "-s", "-c", "-m", "-d", "-o", "--exclude-standard"];
      const { files, dirty } = sorted(nulParted(await git.must(listing, { cwd: root, encoding: "latin1" })));
      const like = files.values().next().value ?? "";
      const now = new Map<string, Remembered>();
      for (const path of dirty) {
        const seen = look(root, path, { like, before: remembered.get(path) });
        if (seen === null) files.delete(path);
        else {
          files.set(path, seen.hash);
          now.set(path, seen);
        }
      }
      remembered = now;
      last = files;
      return listed();
    },
    read: async (files, maxBytes) =>
      files.map(({ path, hash }) => {
        const bytes = contentOf(join(root, path), maxBytes);
        return bytes === null ? null : ({ bytes, hash: contentHash(bytes, hash) } satisfies TreeContent);
      }),
  };

  function relist(changed: readonly string[]): readonly TreeFile[] {
    const like = last.values().next().value ?? "";
    for (const path of changed) {
      const seen = look(root, path, { like, before: undefined });
      if (seen === null) last.delete(path);
      else last.set(path, seen.hash);
    }
    return listed();
  }

  function listed(): readonly TreeFile[] {
    return [...last].map(([path, hash]) => ({ path, hash })).sort(byPath);
  }
}

/** What is staged as a regular file, with its hash; and what may be otherwise on the disk. */
function sorted(entries: readonly string[]): { files: Map<string, string>; dirty: ReadonlySet<string> } {
  const files = new Map<string, string>();
  const dirty = new Set<string>();
  for (const entry of entries) {
    const [, tag, mode, hash, stage, path] = ENTRY.exec(entry) ?? [];
    if (path === undefined) continue;
    if (tag !== "H") dirty.add(path);
    else if (mode!.startsWith("100") && stage === "0") files.set(path, hash!);
  }
  return { files, dirty };
}

export const byPath = (a: TreeFile, b: TreeFile): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

function look(root: string, path: string, of: { like: string; before: Remembered | undefined }): Remembered | null {
  const at = join(root, path);
  const found = lstatSync(at, { throwIfNoEntry: false, bigint: true });
  if (!found?.isFile()) return null;
  const stamp = `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  const isFresh = Date.now() - Number(found.ctimeNs / 1_000_000n) < FRESH_MS;
  if (of.before?.stamp === stamp && !isFresh) return of.before;
  const bytes = contentOf(at, Number.POSITIVE_INFINITY);
  return bytes === null ? null : { stamp, hash: contentHash(bytes, of.like) };
}

function contentOf(at: string, maxBytes: number): Uint8Array | null {
  let file: number;
  try {
    file = openSync(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > maxBytes) return null;
    const bytes = new Uint8Array(found.size);
    let size = 0;
    for (let n = -1; n !== 0 && size < bytes.length; size += n)
      n = readSync(file, bytes, size, bytes.length - size, size);
    return size === bytes.length ? bytes : bytes.slice(0, size);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
