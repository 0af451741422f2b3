import { copyFile, rm } from "node:fs/promises";
import type { Commit } from "../../domain/names.ts";
import { indexOf } from "./half-landed.ts";
import { ended, type Hands } from "./refs.ts";

/** How far back a checkout is looked for in the history of its branch. */
const MOST_COMMITS = 10_000;

/**
 * The earlier commit of its branch that a checkout stands at: its index is that one's, because the branch was moved under
 * it (`git update-ref`, a push into it). To commit its files would undo what came since. Null: it is no such commit's.
 */
export async function leftAt(hands: Hands, folder: string, tip: Commit): Promise<Commit | null> {
  const tree = await treeOfIndex(hands, folder);
  if (tree === null) return null;
  const args = ["log", "--no-show-signature", `--max-count=${MOST_COMMITS}`, "--format=%H %T", tip, "--"];
  const { code, stdout } = await ended(hands, args, { cwd: folder });
  const lines = code === 0 ? stdout.split("\n").map((line) => line.split(" ")) : [];
  const found = lines.find(([, its]) => its === tree)?.[0] as Commit | undefined;
  return found === undefined || found === tip ? null : found;
}

/** Of a copy: git notes the tree in the index that it wrote it of. Null: something in it was not merged. */
async function treeOfIndex(hands: Hands, folder: string): Promise<string | null> {
  const index = await indexOf(hands, folder);
  const copy = `${index}.pawl-${process.pid}`;
  try {
    await copyFile(index, copy);
    const { code, stdout } = await ended(hands, ["write-tree"], { cwd: folder, env: { GIT_INDEX_FILE: copy } });
    return code === 0 ? stdout.trim() : null;
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}
