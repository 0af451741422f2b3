import { type Checkout, mustGit, split } from "./checkout.ts";
import type { Kept } from "./look.ts";

export interface PathChange {
  readonly path: string;
  /** repository: one of its own, whose files nobody has looked at, is at another commit, or gone */
  readonly how: "made" | "changed" | "gone" | "repository";
}

/** What became different, in the order of the paths; where the bits of both are known, these too. */
export async function treeChanges(on: Checkout, from: Kept, to: Kept): Promise<readonly PathChange[]> {
  const inTrees = from.tree === to.tree ? [] : await differing(on, from.tree, to.tree);
  const known = new Set(inTrees.map(({ path }) => path));
  const inModes = modeChanges(from, to).filter((path) => !known.has(path));
  return [...inTrees, ...inModes.map((path): PathChange => ({ path, how: "changed" }))];
}

/** :MODE MODE HASH HASH LETTER, then PATH */
async function differing(on: Checkout, from: string, to: string): Promise<readonly PathChange[]> {
  const words = split(await mustGit(on, ["diff-tree", "-r", "--no-renames", "--raw", "-z", from, to]));
  return words.flatMap((word, at) => (at % 2 === 0 ? [{ path: words[at + 1]!, how: howOf(word) }] : []));
}

function howOf(word: string): PathChange["how"] {
  if (word.startsWith(":160000")) return "repository";
  return HOW[word.at(-1)!] ?? "changed";
}
const HOW: Readonly<Record<string, PathChange["how"]>> = { A: "made", D: "gone" };

function modeChanges({ modes: before }: Kept, { modes: after }: Kept): readonly string[] {
  if (before === undefined || after === undefined || before === after) return [];
  return [...before].filter(([path, mode]) => (after.get(path) ?? mode) !== mode).map(([path]) => path);
}
