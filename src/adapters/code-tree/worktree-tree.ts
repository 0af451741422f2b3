import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { CodeTree, TreeContent, TreeFile } from "../../ports/code-tree.ts";
import type { Git } from "../../ports/system.ts";
import { contentHash } from "./content-hash.ts";
import { nulParted } from "./nul-parted.ts";

const REGULAR = /^100(644|755) ([0-9a-f]+) 0\t/;
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
  return {
    async list() {
      const listing = ["ls-files", "-z", "--full-name"];
      const [staged, dirty] = await Promise.all([
        git.must([...listing, "-s"], { cwd: root, encoding: "latin1" }),
        git.must([...listing, "-t", "-m", "-d", "-o", "--exclude-standard"], { cwd: root, encoding: "latin1" }),
      ]);
      const files = new Map(stagedFiles(staged).map((file) => [file.path, file.hash]));
      const like = files.values().next().value ?? "";
      const now = new Map<string, Remembered>();
      for (const path of new Set(nulParted(dirty).map((entry) => entry.slice(2)))) {
        const seen = look(root, path, { like, before: remembered.get(path) });
        if (seen === null) files.delete(path);
        else {
          files.set(path, seen.hash);
          now.set(path, seen);
        }
      }
      remembered = now;
      return [...files].map(([path, hash]) => ({ path, hash })).sort(byPath);
    },
    read: async (files, maxBytes) =>
      files.map(({ path, hash }) => {
        const bytes = contentOf(join(root, path), maxBytes);
        return bytes === null ? null : ({ bytes, hash: contentHash(bytes, hash) } satisfies TreeContent);
      }),
  };
}

const stagedFiles = (listing: string): readonly TreeFile[] =>
  nulParted(listing).flatMap((entry) => {
    const found = REGULAR.exec(entry);
    return found === null ? [] : [{ path: entry.slice(found[0].length), hash: found[2]! }];
  });

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
