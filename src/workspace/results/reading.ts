/** Where something went wrong, as far as the output says. */
export interface ErrorPlace {
  readonly file: string | null;
  /** from 1 */
  readonly line: number | null;
  readonly text: string;
}

/** What one runner's own words come to; null: it did not come to say it, or does not say it. */
export interface Reading {
  readonly passed: number | null;
  readonly failed: number | null;
  readonly skipped: number | null;
  readonly failing: readonly string[];
  readonly firstError: ErrorPlace | null;
}

/** null: these are not the words of that runner. */
export type Reader = (text: string) => Reading | null;

/** The first group of every match, each once, in their order. */
export const names = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map((match) => match[1]!.trim()).filter((name) => name !== "")),
];

/** Adds up `3 failed, 2 passed` by its words; a word may stand there many times, and what is not said is 0. */
export function counted(texts: readonly string[]): (...words: readonly string[]) => number {
  const sums = new Map<string, number>();
  for (const text of texts)
    for (const [, count, word] of text.matchAll(/(\d+) ([a-z]+)/g))
      sums.set(word!, (sums.get(word!) ?? 0) + Number(count));
  return (...words) => words.reduce((sum, word) => sum + (sums.get(word) ?? 0), 0);
}

/** A place from a pattern with the groups `file`, `line` and `text`. */
export function placeIn(text: string, pattern: RegExp, words: string | null = null): ErrorPlace | null {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return words === null ? null : { file: null, line: null, text: words.slice(0, 500) };
  const said = words ?? groups.text ?? "";
  return { file: groups.file!, line: Number(groups.line), text: said.trim().slice(0, 500) };
}

/** What is said behind a place in the text, up to a length; the whole of it is seldom needed. */
export const behind = (text: string, pattern: RegExp): string => {
  const at = text.search(pattern);
  return at === -1 ? "" : text.slice(at, at + 20_000);
};
