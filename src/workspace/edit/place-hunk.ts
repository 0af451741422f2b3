import { alignLines, linesOf } from "./align.ts";
import { withLessContext } from "./less-context.ts";
import { type Hunk, type LineHunk, lineHunk, type TextHunk } from "./operation.ts";
import { placeOf, type Search } from "./place.ts";
import { placeInsertion } from "./place-insert.ts";
import { placedLines } from "./place-lines.ts";
import { placeText } from "./place-text.ts";
import type { Rung } from "./rung.ts";
import type { Placed } from "./splice.ts";
import type { Target } from "./target.ts";

/** Where a hunk belongs. */
export type HunkSearch =
  | {
      readonly kind: "found";
      readonly rung: Rung;
      /** of its first old line, from 0 */
      readonly line: number;
      /** lines of context that were looked at on each side, where fewer than it has; null: all */
      readonly context: number | null;
      readonly placed: Placed;
    }
  /** an insertion that stands there */
  | { readonly kind: "there"; readonly line: number }
  | Exclude<Search, { kind: "found" }>;

export interface Trust {
  /** the file is, byte for byte, the one that a diff was made from */
  readonly headers: boolean;
  /** the file has changed since: hunks that do not fit are tried with less context */
  readonly lessContext: boolean;
}

export function placeHunk(target: Target, hunk: Hunk, trust: Trust): HunkSearch {
  if (hunk.kind === "insert") return placeLinesAtEdge(target, hunk);
  const whole = hunk.kind === "text" ? placeWholeText(target, hunk) : placeLines(target, hunk, trust.headers);
  if (whole.kind !== "none" || !trust.lessContext) return whole;
  for (const { hunk: less, context } of withLessContext(hunk.kind === "text" ? asLineHunk(hunk) : hunk)) {
    const found = placeLines(target, less, false);
    if (found.kind === "found") return { ...found, context };
    if (found.kind !== "none") return found;
  }
  return whole;
}

function placeLinesAtEdge(target: Target, hunk: Extract<Hunk, { kind: "insert" }>): HunkSearch {
  const { line, placed, isThere } = placeInsertion(target, hunk);
  return isThere ? { kind: "there", line } : { kind: "found", rung: "exact", line, context: null, placed };
}

function placeWholeText(target: Target, hunk: TextHunk): HunkSearch {
  const search = placeText(target, hunk);
  return search.kind === "found" ? { ...search, context: null } : search;
}

function placeLines(target: Target, hunk: LineHunk, headers: boolean): HunkSearch {
  const search = placeOf(target, hunk, headers);
  if (search.kind !== "found") return search;
  const { place } = search;
  return { kind: "found", rung: place.rung, line: place.line, context: null, placed: placedLines(target, hunk, place) };
}

/** With a line end behind both: lines that both begin and end with are its context. */
const asLineHunk = ({ old, new: now }: TextHunk): LineHunk => {
  const lines = (text: string) => linesOf(text.endsWith("\n") || text === "" ? text : `${text}\n`);
  return lineHunk(alignLines(lines(old), lines(now)));
};
