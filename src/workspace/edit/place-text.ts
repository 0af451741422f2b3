import { alignLines, linesOf } from "./align.ts";
import type { ByteText } from "./byte-text.ts";
import { endingBefore, endingOf, fold, withEnding } from "./endings.ts";
import { findAll } from "./find-all.ts";
import { type LineHunk, lineHunk, type TextHunk } from "./operation.ts";
import { type Place, placeOf, type Search } from "./place.ts";
import { placedLines } from "./place-lines.ts";
import type { Rung } from "./rung.ts";
import { NO_SHIFT } from "./shift.ts";
import type { Placed } from "./splice.ts";
import { lastAtMost, type Target } from "./target.ts";

/** A text hunk with its place, or why it has none. */
export type TextSearch =
  | { readonly kind: "found"; readonly rung: Rung; readonly line: number; readonly placed: Placed }
  | Exclude<Search, { kind: "found" }>;

/** The ladder for a piece of text: its bytes; its bytes but for line ends; then as whole lines. */
export function placeText(target: Target, hunk: TextHunk): TextSearch {
  const exact = findAll(target.text, hunk.old);
  if (exact.length === 1) return foundExactly(target, hunk, exact[0]!);
  if (exact.length > 1) return many("exact", target, exact);
  const folded = foldedPlaces(target, hunk.old);
  if (folded.length === 1) return foundFolded(target, hunk, folded[0]!);
  if (folded.length > 1)
    return many(
      "line-endings",
      target,
      folded.map(({ start }) => start),
    );
  const lines = asLines(hunk);
  return lines === null ? { kind: "none", anchor: false } : asTextSearch(target, lines, placeOf(target, lines, false));
}

const many = (rung: Rung, target: Target, offsets: readonly number[]): TextSearch => ({
  kind: "many",
  rung,
  lines: offsets.slice(0, 1_000).map((offset) => target.lineAt(offset) + 1),
});

const asTextSearch = (target: Target, hunk: LineHunk, search: Search): TextSearch =>
  search.kind === "found" ? foundLines(target, hunk, search.place) : search;

const foundLines = (target: Target, hunk: LineHunk, place: Place): TextSearch => ({
  kind: "found",
  rung: place.rung,
  line: place.line,
  placed: placedLines(target, hunk, place),
});

/** The new text literally, where it differs. Only where the old text shows no line end do new ones get the file's. */
function foundExactly(target: Target, hunk: TextHunk, start: number): TextSearch {
  const { old } = hunk;
  const line = target.lineAt(start);
  const now = old.includes("\n") ? hunk.new : withEnding(hunk.new, endingHere(target, line));
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const splice = { start: start + head, end: start + old.length - tail, text: now.slice(head, now.length - tail) };
  const splices = old === now ? [] : [splice];
  return { kind: "found", rung: "exact", line, placed: { start, end: start + old.length, splices } };
}

const endingHere = (target: Target, line: number): ByteText =>
  endingOf(target.line(line)) || endingBefore(target, line);

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the text lies when every line end counts as "\n": offsets in the file itself. */
function foldedPlaces(target: Target, old: ByteText): readonly Span[] {
  if (!old.includes("\n") || !(target.text.includes("\r") || old.includes("\r"))) return [];
  const folded = fold(target.text);
  const starts = foldedStarts(target);
  const offsetOf = (at: number): number => {
    const line = lastAtMost(starts, at);
    return at === folded.length ? target.text.length : target.startOf(line) + at - starts[line]!;
  };
  const wanted = fold(old);
  return findAll(folded, wanted).map((at) => ({ start: offsetOf(at), end: offsetOf(at + wanted.length) }));
}

/** Offset of each line in the folded text. */
function foldedStarts(target: Target): readonly number[] {
  const starts: number[] = [];
  for (let line = 0, returns = 0; line < target.lineCount; line++) {
    starts.push(target.startOf(line) - returns);
    if (target.text.startsWith("\r\n", target.startOf(line + 1) - 2)) returns++;
  }
  return starts;
}

/** As whole lines, of which those that do not change keep their own line ends. */
function foundFolded(target: Target, hunk: TextHunk, { start, end }: Span): TextSearch {
  const [first, last] = [target.lineAt(start), target.lineAt(Math.min(end, Math.max(0, target.text.length - 1)))];
  const offset = first === 0 ? target.bodyStart : target.startOf(first);
  const [before, after] = [target.text.slice(offset, start), target.text.slice(end, target.startOf(last + 1))];
  const [old, now] = [target.text.slice(start, end), hunk.new].map((text) => linesOf(fold(before + text + after)));
  const place: Place = { rung: "line-endings", line: first, offset, shift: NO_SHIFT };
  return foundLines(target, lineHunk(alignLines(old!, now!)), place);
}

/** The same hunk as whole lines; null: it ends within a line on one side only. */
function asLines(hunk: TextHunk): LineHunk | null {
  const [isOldWhole, isNewWhole] = [hunk.old.endsWith("\n"), hunk.new.endsWith("\n")];
  if (isOldWhole && (isNewWhole || hunk.new === "")) return lineHunk(alignLines(linesOf(hunk.old), linesOf(hunk.new)));
  if (isOldWhole || isNewWhole) return null;
  return lineHunk(alignLines(linesOf(`${hunk.old}\n`), linesOf(`${hunk.new}\n`)));
}
