import type { Grammar, Standing } from "./grammar.ts";

/** Something in an answer that is written as an action is. */
export interface Candidate {
  readonly standing: Standing;
  readonly at: number;
  readonly end: number;
  readonly value: unknown;
}

export interface Scan {
  readonly found: readonly Candidate[];
  /** why something that stands where an action has to cannot be read; the scan ends there */
  readonly fault: string | null;
}

/** More places that look like an action than any answer has: what begins so again and again is not read to its end. */
const MOST = 100;

/** All that is written as actions are, in order; what stands inside one of them is not looked at. */
export function scan(text: string, grammar: Grammar): Scan {
  const found: Candidate[] = [];
  let after = 0;
  let tries = 0;
  for (let at = grammar.next(text, 0); at >= 0; at = grammar.next(text, Math.max(after, at + 1))) {
    const standing = standingOf(text.slice(Math.max(after, at - 200), at), at - after <= 200);
    if (!grammar.isOne(text, at, standing)) continue;
    tries += 1;
    if (tries > MOST) return { found, fault: `more than ${MOST} actions are written there` };
    try {
      const { value, end } = grammar.read(text, at);
      found.push({ standing, at, end, value });
      after = end;
    } catch (error) {
      if (standing !== "inline") return { found, fault: error instanceof Error ? error.message : String(error) };
    }
  }
  return { found, fault: null };
}

const FENCE = "(?:`{3,}|~{3,})[\\w+-]*[ \\t]*\\r?\\n";
const MARK = new RegExp(
  `(?:<answer>|<tool_call>|<\\|begin_of_box\\|>|(?:^|\\n)[ \\t]*[*_#]{0,3} ?(?:Action|\u52a8\u4f5c)[*_]{0,2} ?[:\uff1a][*_]{0,2})\\s*(?:${FENCE}\\s*|\`)?$`,
  "i",
);
const LINE = new RegExp(`(?:^|\\n)[ \\t]*(?:<\\|[a-z_]{1,40}\\|>\\s*)?(?:${FENCE}\\s*)?$`);
const SENTENCE = /[.!?\u3002\uff01\uff1f\u2026]["'\u201d\u300d)\]*_]{0,4}[ \t]*$/;

/** By what stands before it; `isWhole`: that begins where the answer does, or where another action ends. */
function standingOf(before: string, isWhole: boolean): Standing {
  const text = isWhole ? before : `\u0001${before}`;
  if (MARK.test(text)) return "marked";
  return LINE.test(text) || SENTENCE.test(text) ? "alone" : "inline";
}
