import { type ByteText, isAscii, trimEnd } from "./byte-text.ts";

/** How a place was found, from the strictest on: each forgives what the one before it does, and one thing more. */
export const LOOSE_RUNGS = ["line-endings", "trailing-space", "uniform-indent", "unicode-punctuation"] as const;
export type LooseRung = (typeof LOOSE_RUNGS)[number];
export type Rung = "exact" | LooseRung;

/** Lines as a rung sees them: equal tokens, equal lines. */
export interface Tokens {
  /** a line by itself; "" is blank */
  readonly own: readonly string[];
  /** a line and how its indent differs from that of the line before it that is not blank; as `own` where indents count whole */
  readonly related: readonly string[];
  /** the indent of each line */
  readonly indents: readonly string[];
}

export function tokensOf(rung: LooseRung, lines: readonly ByteText[]): Tokens {
  if (rung === "line-endings" || rung === "trailing-space") {
    const own = lines.map(rung === "line-endings" ? withoutLineEnd : trimEnd);
    return { own, related: own, indents: [] };
  }
  const seen = lines.map(rung === "uniform-indent" ? trimEnd : plain);
  const indents = seen.map((line) => /^[ \t]*/.exec(line)![0]);
  const own = seen.map((line, i) => line.slice(indents[i]!.length));
  return { own, related: related(own, indents), indents };
}

export const withoutLineEnd = (line: ByteText): ByteText => line.replace(/\r?\n$|\r$/, "");

/**
 * Every line off by the same indent: that is so where each indent differs from the one before it as it does there, which
 * is a property of the line, so that a place is found in linear time.
 */
function related(own: readonly string[], indents: readonly string[]): readonly string[] {
  let before = "";
  return own.map((line, i) => {
    if (line === "") return "";
    const indent = indents[i]!;
    const step = stepBetween(before, indent);
    before = indent;
    return `${line}\n${step}`;
  });
}

function stepBetween(before: string, indent: string): string {
  let same = 0;
  while (same < before.length && before[same] === indent[same]) same++;
  return `${before.slice(same)}\n${indent.slice(same)}`;
}

/** Punctuation that editors, keyboards and models exchange for ASCII, in the bytes of UTF-8. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\xe2\x80[\x90-\x95]|\xe2\x88\x92/g, "-"],
  [/\xe2\x80[\x98-\x9b]/g, "'"],
  [/\xe2\x80[\x9c-\x9f]/g, '"'],
  [/\xc2\xa0|\xe2\x80[\x82-\x8a\xaf]|\xe2\x81\x9f|\xe3\x80\x80/g, " "],
];

const plain = (line: ByteText): ByteText =>
  trimEnd(isAscii(line) ? line : PLAIN.reduce((text, [odd, usual]) => text.replace(odd, usual), line));
