import { belowAnchors, isWithin } from "./anchors.ts";
import { BOM, type ByteText } from "./byte-text.ts";
import { findAll } from "./find-all.ts";
import type { LineHunk } from "./operation.ts";
import { LOOSE_RUNGS, type LooseRung, type Rung, type Tokens, tokensOf } from "./rung.ts";
import { NO_SHIFT, type Shift, shiftBetween, shifted } from "./shift.ts";
import type { SearchedTokens, Target } from "./target.ts";

/** The one place of a hunk. */
export interface Place {
  readonly rung: Rung;
  /** the first of its old lines, from 0 */
  readonly line: number;
  /** offset of that line: with or without a byte order mark, as the hunk has it */
  readonly offset: number;
  readonly shift: Shift;
}

export type Search =
  | { readonly kind: "found"; readonly place: Place }
  /** `anchor`: the line that it should stand below is not there */
  | { readonly kind: "none"; readonly anchor: boolean }
  /** lines from 1, as many as are worth a list */
  | { readonly kind: "many"; readonly rung: Rung; readonly lines: readonly number[] }
  /** it has no old lines, and nothing else says where it belongs */
  | { readonly kind: "nowhere" };

/** How many places of an ambiguous hunk are listed. */
const MOST_LISTED = 1_000;

const oldLines = (hunk: LineHunk): readonly ByteText[] =>
  hunk.lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);

/**
 * The ladder: the strictest rung at which the hunk fits anywhere decides, and there it has to fit exactly one place.
 * `headerHolds`: the file is byte for byte the one that the diff was made from, so its line numbers are true.
 */
export function placeOf(target: Target, hunk: LineHunk, headerHolds: boolean): Search {
  const old = oldLines(hunk);
  const byHeader = headerHolds ? atHeader(target, hunk, old) : null;
  if (byHeader) return { kind: "found", place: byHeader };
  if (old.length === 0) return insertionPlace(target, hunk);
  const below = hunk.anchors.length === 0 ? undefined : belowAnchors(target, hunk.anchors);
  if (below === null) return { kind: "none", anchor: true };
  for (const rung of ["exact", ...LOOSE_RUNGS] as const) {
    const all = (rung === "exact" ? exactPlaces(target, old) : loosePlaces(target, { rung, old, hunk })).filter(
      ({ line }) => !hunk.atEnd || line + old.length === target.lineCount,
    );
    const inBlocks = below ? all.filter(({ line }) => isWithin(line, below.blocks)) : all;
    const places = below && inBlocks.length === 0 ? all.filter(({ line }) => isWithin(line, [below.rest])) : inBlocks;
    if (places.length === 1) return { kind: "found", place: places[0]! };
    if (places.length > 1)
      return { kind: "many", rung, lines: places.slice(0, MOST_LISTED).map(({ line }) => line + 1) };
  }
  return { kind: "none", anchor: false };
}

const exactAt = (line: number, offset: number): Place => ({ rung: "exact", line, offset, shift: NO_SHIFT });

function atHeader(target: Target, { header }: LineHunk, old: readonly ByteText[]): Place | null {
  const line = (header ?? 0) - 1;
  if (line < 0 || line > target.lineCount) return null;
  const offset = target.startOf(line);
  return target.text.startsWith(old.join(""), offset) ? exactAt(line, offset) : null;
}

/**
 * Without old lines: the only line of an empty file, the end where just that is said, or right below an anchor. That a diff
 * says how the new file ends is no word about the old one's.
 */
function insertionPlace(target: Target, { anchors, atEnd, saysEnd }: LineHunk): Search {
  if (target.text.length === target.bodyStart) return { kind: "found", place: exactAt(0, target.bodyStart) };
  if (atEnd && !saysEnd) return { kind: "found", place: exactAt(target.lineCount, target.text.length) };
  if (anchors.length === 0) return { kind: "nowhere" };
  const below = belowAnchors(target, anchors);
  if (below === null) return { kind: "none", anchor: true };
  const lines = below.blocks.map(({ from }) => from);
  return lines.length === 1
    ? { kind: "found", place: exactAt(lines[0]!, target.startOf(lines[0]!)) }
    : { kind: "many", rung: "exact", lines };
}

function exactPlaces(target: Target, lines: readonly ByteText[]): readonly Place[] {
  const { text, bodyStart, findLines } = target;
  const old = lines.join("");
  const first = [...new Set([0, bodyStart])].filter((offset) => text.startsWith(old, offset));
  const rest = findLines
    ? findLines(lines).flatMap((line) => (line === 0 ? [] : [target.startOf(line)]))
    : findAll(text, `\n${old}`).map((offset) => offset + 1);
  const isWhole = (offset: number) => old.endsWith("\n") || offset + old.length === text.length;
  return [...first, ...rest].filter(isWhole).map((offset) => exactAt(target.lineAt(offset), offset));
}

interface Loose {
  readonly rung: LooseRung;
  readonly old: readonly ByteText[];
  readonly hunk: LineHunk;
}

function loosePlaces(target: Target, { rung, old, hunk }: Loose): readonly Place[] {
  const hay = target.tokens(rung);
  const hasMark = old[0]!.startsWith(BOM);
  const needle = tokensOf(rung, hasMark ? [old[0]!.slice(BOM.length), ...old.slice(1)] : old);
  const found = hay.indents.length === 0 ? sameLines(hay, needle) : indentedLines(hay, needle);
  const offsetOf = (line: number) => (line === 0 && !hasMark ? target.bodyStart : target.startOf(line));
  return found
    .filter(({ line }) => !hasMark || line === 0) // a byte order mark stands nowhere else
    .filter(({ shift }) => hunk.lines.every(({ kind, text }) => kind !== "add" || shifted(text, shift) !== null))
    .map(({ line, shift }) => ({ rung, line, shift, offset: offsetOf(line) }));
}

interface Hit {
  readonly line: number;
  readonly shift: Shift;
}

const sameLines = (hay: SearchedTokens, needle: Tokens): readonly Hit[] =>
  hay.findOwn(needle.own).map((line) => ({ line, shift: NO_SHIFT }));

/** The first line that is not blank fits by itself, those after it by how their indents differ. */
function indentedLines(hay: SearchedTokens, needle: Tokens): readonly Hit[] {
  const first = needle.own.findIndex((line) => line !== "");
  if (first === -1) return [];
  const rest = needle.related.slice(first + 1);
  const starts = rest.length === 0 ? hay.own.map((_, at) => at + 1) : hay.findRelated(rest);
  return starts.flatMap((at) => {
    const line = at - first - 1;
    const shift = shiftBetween(needle.indents[first]!, hay.indents[at - 1] ?? "");
    const fits = line >= 0 && hay.own[at - 1] === needle.own[first] && isBlank(hay.own, line, at - 1);
    return fits && shift ? [{ line, shift }] : [];
  });
}

function isBlank(lines: readonly string[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (lines[at] !== "") return false;
  return true;
}
