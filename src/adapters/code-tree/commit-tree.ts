import type { CodeTree, TreeContent, TreeFile } from "../../ports/code-tree.ts";
import type { Git } from "../../ports/system.ts";
import { nulParted } from "./nul-parted.ts";
import { byPath } from "./worktree-tree.ts";

const REGULAR = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t/;
/** bytes that one call of git is asked for */
const BATCH = 32 * 1024 * 1024;

/** The files of a commit, as git holds them. `repo`: a folder that git finds the repository from, bare ones too. */
export function commitTree(git: Git, repo: string, commit: string): CodeTree {
  const sizes = new Map<string, number>();
  return {
    async list() {
      const listing = ["ls-tree", "-r", "-z", "-l", "--full-tree", commit];
      const files = nulParted(await git.must(listing, { cwd: repo, encoding: "latin1" })).flatMap((entry) => {
        const found = REGULAR.exec(entry);
        if (found === null) return [];
        sizes.set(found[1]!, Number(found[2]));
        return [{ path: entry.slice(found[0].length), hash: found[1]! }];
      });
      return files.sort(byPath);
    },
    async read(files, maxBytes) {
      const isRight = ({ hash }: TreeFile): boolean => (sizes.get(hash) ?? Number.POSITIVE_INFINITY) <= maxBytes;
      const found = new Map<string, Uint8Array>();
      for (const batch of batches(files.filter(isRight), sizes)) await readInto(found, batch);
      return files.map(({ hash }): TreeContent | null => {
        const bytes = found.get(hash);
        return bytes === undefined ? null : { bytes: bytes.slice(), hash };
      });
    },
  };

  async function readInto(found: Map<string, Uint8Array>, hashes: readonly string[]): Promise<void> {
    const input = `${hashes.join("\n")}\n`;
    const text = await git.must(["cat-file", "--batch"], { cwd: repo, input, encoding: "latin1" });
    const all = Buffer.from(text, "latin1");
    for (let at = 0; at < all.length; ) {
      const line = all.indexOf(10, at);
      const [hash = "", kind, size] = all.toString("latin1", at, line === -1 ? undefined : line).split(" ");
      if (kind !== "blob") {
        at = line === -1 ? all.length : line + 1;
        continue;
      }
      found.set(hash, all.subarray(line + 1, line + 1 + Number(size)));
      at = line + 2 + Number(size);
    }
  }
}

function batches(files: readonly TreeFile[], sizes: ReadonlyMap<string, number>): readonly (readonly string[])[] {
  const all: string[][] = [];
  let room = 0;
  for (const hash of new Set(files.map((file) => file.hash))) {
    const size = sizes.get(hash)!;
    if (size > room) {
      all.push([]);
      room = BATCH;
    }
    all.at(-1)!.push(hash);
    room -= size;
  }
  return all;
}
