import { type ByteText, toText } from "./byte-text.ts";
import { tokensOf } from "./rung.ts";
import type { Target } from "./target.ts";

/** The place that a hunk probably meant. For a hint, never for writing. */
export interface Nearest {
  /** 1-based, both included */
  readonly from: number;
  readonly to: number;
  /** the first line of it that differs: 1-based, and both texts */
  readonly differs: { readonly line: number; readonly file: string; readonly hunk: string } | null;
}

/** A line that is there more often says nothing about the place. */
const RARE = 50;

/** Where most of the old lines stand, one after the other, whatever their blanks; null: none of them is anywhere. */
export function nearestTo(target: Target, old: readonly ByteText[]): Nearest | null {
  const hay = target.tokens("unicode-punctuation").own;
  const needle = tokensOf("unicode-punctuation", old).own;
  const start = startOfMost(hay, needle) ?? likest(hay, needle);
  if (start === null) return null;
  const first = Math.min(Math.max(0, start), Math.max(0, hay.length - 1));
  const at = needle.findIndex((line, i) => line !== (hay[start + i] ?? ""));
  const line = start + at;
  return {
    from: first + 1,
    to: Math.min(hay.length, start + needle.length),
    differs:
      at === -1 || line < 0
        ? null
        : { line: line + 1, file: shown(line < hay.length ? target.line(line) : ""), hunk: shown(old[at]!) },
  };
}

/** Each line that is there votes for where the hunk would then begin. */
function startOfMost(hay: readonly string[], needle: readonly string[]): number | null {
  const wanted = new Set(needle.filter((line) => line !== ""));
  const places = new Map<string, number[]>([...wanted].map((line) => [line, []]));
  hay.forEach((line, at) => {
    const known = places.get(line);
    if (known && known.length <= RARE) known.push(at);
  });
  const votes = new Map<number, number>();
  needle.forEach((line, i) => {
    const at = places.get(line) ?? [];
    if (at.length <= RARE) for (const place of at) votes.set(place - i, (votes.get(place - i) ?? 0) + 1);
  });
  return (
    [...votes].reduce<[number, number] | null>((best, one) => (best && best[1] >= one[1] ? best : one), null)?.[0] ??
    null
  );
}

const MOST_COMPARED = 50_000;

/** With no line in common: the line that shares most words with the longest of the hunk's. */
function likest(hay: readonly string[], needle: readonly string[]): number | null {
  const longest = needle.reduce((best, line, i) => (line.length > needle[best]!.length ? i : best), 0);
  const words = wordsOf(needle[longest] ?? "");
  let best = { score: 0, at: -1 };
  for (let at = 0; at < Math.min(hay.length, MOST_COMPARED); at++) {
    if (hay[at]!.length > 1_000) continue;
    let score = 0;
    for (const word of wordsOf(hay[at]!)) if (words.has(word)) score++;
    if (score > best.score) best = { score, at };
  }
  return best.at === -1 ? null : best.at - longest;
}

const wordsOf = (line: string): ReadonlySet<string> => new Set(line.match(/[A-Za-z0-9_]{2,}/g));

const shown = (line: ByteText): string => toText(line.replace(/\r?\n$/, "").slice(0, 200));

/** Lines of a file with their numbers, for an answer: two more on each side, at most 20, each cut at 200 bytes. */
export function excerptOf(target: Target, { from, to }: Pick<Nearest, "from" | "to">): string {
  const first = Math.max(0, from - 3);
  const last = Math.min(target.lineCount, to + 2, first + 20);
  const lines: string[] = [];
  for (let at = first; at < last; at++) lines.push(`${at + 1}: ${shown(target.line(at))}`);
  return lines.join("\n");
}
