import { partsOf, wordCounter } from "../../../src/workspace/index/words.ts";
import type { PastCommit } from "../../../src/workspace/relevance/history.ts";

/** A file as plain BM25 sees it: its text's words and its path's, all alike. */
export interface PlainFile {
  readonly words: Uint32Array;
  readonly counts: Uint16Array;
  readonly length: number;
}

const reading = (name: string): readonly string[] => partsOf(name);
const plainWords = wordCounter(reading);

/** The words of a text with those of its path behind it; names are split in their parts, nothing else is done to them. */
export const plainFile = (path: string, text: string): PlainFile => plainWords(`${text}\n${path}`);

const [K1, B] = [1.2, 0.75];

/** Files by BM25 (k1 1.2, b 0.75), the best first; equal ones by path. */
export function plainRanking(
  files: readonly (readonly [path: string, file: PlainFile])[],
  question: string,
): readonly string[] {
  const mean = files.reduce((sum, [, { length }]) => sum + length, 0) / Math.max(1, files.length);
  const scores = new Float64Array(files.length);
  for (const hash of plainWords(question).words) {
    const found = files.map(([, file]) => times(file, hash));
    const having = found.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (files.length - having + 0.5) / (having + 0.5));
    for (const [place, tf] of found.entries()) {
      const long = 1 - B + (B * files[place]![1].length) / mean;
      if (tf > 0) scores[place]! += (rarity * tf * (K1 + 1)) / (tf + K1 * long);
    }
  }
  return best(
    files.map(([path]) => path),
    scores,
  );
}

function times({ words, counts }: PlainFile, hash: number): number {
  let [low, high] = [0, words.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (words[middle] === hash) return counts[middle]!;
    if (words[middle]! < hash) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

const RECENT = 200;

/** Files by how many of the last 200 commits changed them. */
export function churnRanking(paths: readonly string[], past: readonly PastCommit[]): readonly string[] {
  const changes = new Map<string, number>();
  for (const commit of past.slice(0, RECENT))
    for (const path of commit.paths) changes.set(path, (changes.get(path) ?? 0) + 1);
  return best(
    paths,
    Float64Array.from(paths, (path) => changes.get(path) ?? 0),
  );
}

function best(paths: readonly string[], scores: Float64Array): readonly string[] {
  const order = paths.map((_, place) => place).filter((place) => scores[place]! > 0);
  return order
    .sort((a, b) => scores[b]! - scores[a]! || (paths[a]! < paths[b]! ? -1 : 1))
    .map((place) => paths[place]!);
}
