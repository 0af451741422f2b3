import { BOM, type ByteText, isUtf8Text } from "./byte-text.ts";
import { type LooseRung, type Tokens, tokensOf } from "./rung.ts";
import { type FindTokens, tokenFinder } from "./token-index.ts";

/** A file's text as it is searched: its lines by number, from 0, and what each rung of the ladder makes of them. */
export interface Target {
  readonly text: ByteText;
  /** 3 with a byte order mark, else 0: where the first line's own text begins */
  readonly bodyStart: number;
  readonly lineCount: number;
  readonly isUtf8: boolean;
  /** offset of a line, from 0; that of the line after the last is the end of the text */
  startOf(line: number): number;
  /** the line that an offset lies in */
  lineAt(offset: number): number;
  /** a line with its line end, if it has one; the first without a byte order mark */
  line(at: number): ByteText;
  tokens(rung: LooseRung): SearchedTokens;
  /** finds whole lines by their bytes; null: there are too few hunks for that to be worth it */
  readonly findLines: FindTokens | null;
}

/** Tokens, and how to find some of them. */
export interface SearchedTokens extends Tokens {
  readonly findOwn: FindTokens;
  readonly findRelated: FindTokens;
}

/** From so many hunks on, an index of the lines costs less than looking through all of them for each. */
const MANY = 64;

/** Nothing is computed before it is asked for: most hunks are found by their exact bytes. */
export function createTarget(text: ByteText, hunks = 1): Target {
  const isForMany = hunks >= MANY;
  const bodyStart = text.startsWith(BOM) ? BOM.length : 0;
  const tokens = new Map<LooseRung, SearchedTokens>();
  let known: readonly number[] | null = null;
  let isUtf8: boolean | null = null;
  const starts = () => {
    known ??= lineStarts(text);
    return known;
  };
  const startOf = (line: number) => starts()[line] ?? text.length;
  const allLines = () => Array.from({ length: starts().length }, (_, at) => line(at));
  const line = (at: number) => text.slice(at === 0 ? bodyStart : startOf(at), startOf(at + 1));
  return {
    text,
    bodyStart,
    startOf,
    line,
    get lineCount() {
      return starts().length;
    },
    get isUtf8() {
      isUtf8 ??= isUtf8Text(text);
      return isUtf8;
    },
    lineAt: (offset) => lastAtMost(starts(), offset),
    tokens(rung) {
      const made = tokens.get(rung) ?? searched(tokensOf(rung, allLines()), isForMany);
      tokens.set(rung, made);
      return made;
    },
    findLines: isForMany ? tokenFinder(allLines(), true) : null,
  };
}

const searched = (tokens: Tokens, isForMany: boolean): SearchedTokens => ({
  ...tokens,
  findOwn: tokenFinder(tokens.own, isForMany),
  findRelated: tokenFinder(tokens.related, isForMany),
});

function lineStarts(text: ByteText): readonly number[] {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at = text.indexOf("\n", at) + 1 || text.length) starts.push(at);
  return starts;
}

/** Index of the last number that is not greater; the numbers ascend, the first is 0. */
export function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [0, Math.max(0, numbers.length - 1)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
