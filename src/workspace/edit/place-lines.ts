import { BOM, type ByteText } from "./byte-text.ts";
import { endingBefore, endingOf } from "./endings.ts";
import type { LineHunk } from "./operation.ts";
import type { Place } from "./place.ts";
import { withoutLineEnd } from "./rung.ts";
import { shifted } from "./shift.ts";
import type { Placed, Splice } from "./splice.ts";
import type { Target } from "./target.ts";

/** Lines that go and come between two that stay. */
interface Change {
  /** the first line that goes, or the one that what comes is put before */
  readonly line: number;
  readonly dropped: number;
  readonly added: readonly ByteText[];
}

/**
 * What a hunk of lines changes at its place. At the exact rung its added lines are taken as they are. At another one they
 * get what the file has: the indent by which all lines differ, and the line end of the line each replaces, else that of
 * its neighbour; and a file that ends without a line end goes on ending so, unless the hunk says otherwise.
 */
export function placedLines(target: Target, hunk: LineHunk, place: Place): Placed {
  const count = hunk.lines.filter(({ kind }) => kind !== "add").length;
  const end = target.startOf(place.line + count);
  const splices = changesOf(hunk, place.line).map((change) => spliceOf(target, change, { hunk, place }));
  return { start: Math.min(place.offset, end), end, splices };
}

function changesOf({ lines }: LineHunk, first: number): readonly Change[] {
  const changes: { line: number; dropped: number; added: ByteText[] }[] = [];
  let at = first;
  let isOpen = false;
  for (const { kind, text } of lines) {
    if (kind !== "keep" && !isOpen) changes.push({ line: at, dropped: 0, added: [] });
    isOpen = kind !== "keep";
    if (kind === "drop") changes.at(-1)!.dropped++;
    if (kind === "add") changes.at(-1)!.added.push(text);
    if (kind !== "add") at++;
  }
  return changes;
}

interface Context {
  readonly hunk: LineHunk;
  readonly place: Place;
}

function spliceOf(target: Target, change: Change, { hunk, place }: Context): Splice {
  const start = change.line === place.line ? place.offset : target.startOf(change.line);
  const end = change.dropped === 0 ? start : target.startOf(change.line + change.dropped);
  if (place.rung === "exact" && !isBehindOpenEnd(target, change)) return { start, end, text: change.added.join("") };
  return { start, end, text: rendered(target, change, { hunk, place }) };
}

/** Whether it is put behind a last line that has no line end. */
const isBehindOpenEnd = (target: Target, { line }: Change): boolean =>
  line > 0 && line === target.lineCount && endingOf(target.line(line - 1)) === "";

function rendered(target: Target, change: Change, { hunk, place }: Context): ByteText {
  const { line, dropped, added } = change;
  const isLast = line + dropped === target.lineCount && target.lineCount > 0;
  const isOpen = isLast && endingOf(target.line(target.lineCount - 1)) === "";
  const lines = added.map((text, i) => {
    const own = withoutLineEnd(i === 0 && line === 0 && text.startsWith(BOM) ? text.slice(BOM.length) : text);
    const ending =
      (i < dropped && endingOf(target.line(line + i))) || endingBefore(target, line + Math.min(i, dropped));
    const isEnd = isLast && i === added.length - 1;
    const isBare = isEnd && (hunk.saysEnd ? endingOf(text) === "" : isOpen);
    return (shifted(own, place.shift) ?? own) + (isBare ? "" : ending);
  });
  const lead = isBehindOpenEnd(target, change) && lines.length > 0 ? endingBefore(target, line - 1) : "";
  return lead + lines.join("");
}
