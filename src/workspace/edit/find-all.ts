import type { ByteText } from "./byte-text.ts";

/** How much of the pattern the fast search sees: what it costs per byte has this bound, whatever the text. */
const PROBE = 64;
/** Comparing at each find may cost so many times the text before the slower search, which has no bad case, takes over. */
const PATIENCE = 8;

/** Offsets of a pattern in a text, overlapping ones too, in order; linear in both. */
export function findAll(text: ByteText, pattern: ByteText): readonly number[] {
  const probe = pattern.slice(0, PROBE);
  const found: number[] = [];
  let left = PATIENCE * text.length + 1_000_000;
  for (let at = text.indexOf(probe); at !== -1; at = text.indexOf(probe, at + 1)) {
    if (text.startsWith(pattern, at)) found.push(at);
    left -= pattern.length;
    if (left < 0) return occurrences(text.length, pattern.length, charsOf(text, pattern));
  }
  return found;
}

const charsOf = (text: ByteText, pattern: ByteText): Equality => ({
  same: (i, j) => text.charCodeAt(i) === pattern.charCodeAt(j),
  within: (i, j) => pattern.charCodeAt(i) === pattern.charCodeAt(j),
});

interface Equality {
  /** element i of the hay and j of the needle */
  readonly same: (i: number, j: number) => boolean;
  /** elements i and j of the needle */
  readonly within: (i: number, j: number) => boolean;
}

/** Where a needle lies in a hay, by Knuth, Morris and Pratt: each element of the hay is looked at no more than twice. */
function occurrences(hay: number, needle: number, { same, within }: Equality): readonly number[] {
  const found: number[] = [];
  const back = fallbacks(needle, within);
  for (let i = 0, j = 0; i < hay; i++) {
    while (j > 0 && (j === needle || !same(i, j))) j = back[j - 1]!;
    if (same(i, j)) j++;
    if (j === needle) found.push(i - needle + 1);
  }
  return found;
}

/** For each prefix of the needle: how much of its end is also its beginning. */
function fallbacks(needle: number, within: Equality["within"]): Int32Array {
  const back = new Int32Array(needle);
  for (let i = 1, j = 0; i < needle; i++) {
    while (j > 0 && !within(i, j)) j = back[j - 1]!;
    if (within(i, j)) j++;
    back[i] = j;
  }
  return back;
}

/** Where tokens lie in other tokens, overlapping ones too. */
export const findTokens = (hay: readonly string[], needle: readonly string[]): readonly number[] =>
  occurrences(hay.length, needle.length, {
    same: (i, j) => hay[i] === needle[j],
    within: (i, j) => needle[i] === needle[j],
  });
