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
 * get what the file has: the indent by which all lines differ, and, unless the line ends of all its old lines are the
 * file's, the line end of the line each replaces, else that of its neighbour; a file that ends without a line end then
 * goes on ending so, unless the hunk says otherwise.
 */
export function placedLines(target: Target, hunk: LineHunk, place: Place): Placed {
  const old = hunk.lines.filter(({ kind }) => kind !== "add");
  const end = target.startOf(place.line + old.length);
  const endsHold =
    old.length > 0 && old.every(({ text }, i) => endingOf(text) === endingOf(target.line(place.line + i)));
  const splices = changesOf(hunk, place.line).map((change) => spliceOf(target, change, { hunk, place, endsHold }));
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
  /** its line ends are those of the file */
  readonly endsHold: boolean;
}

function spliceOf(target: Target, change: Change, context: Context): Splice {
  const { place } = context;
  const start = change.line === place.line ? place.offset : target.startOf(change.line);
  const end = change.dropped === 0 ? start : target.startOf(change.line + change.dropped);
  if (place.rung === "exact" && !isBehindOpenEnd(target, change)) return { start, end, text: change.added.join("") };
  return { start, end, text: rendered(target, change, context) };
}

/** Whether it is put behind a last line that has no line end. */
const isBehindOpenEnd = (target: Target, { line }: Change): boolean =>
  line > 0 && line === target.lineCount && endingOf(target.line(line - 1)) === "";

function rendered(target: Target, change: Change, { hunk, place, endsHold }: Context): ByteText {
  const { line, dropped, added } = change;
  const lines = added.map((text, i) => {
    const isDoubled = i === 0 && line === 0 && place.offset === target.bodyStart && text.startsWith(BOM);
    const own = withoutLineEnd(isDoubled ? text.slice(BOM.length) : text);
    const ending = endsHold ? endingOf(text) : endingAt(target, change, { hunk, i });
    return (shifted(own, place.shift) ?? own) + ending;
  });
  const isBehind = isBehindOpenEnd(target, change) && dropped === 0 && lines.length > 0;
  return (isBehind ? endingBefore(target, line - 1) : "") + lines.join("");
}

/** The line end of added line `i`, as the file would have it. */
function endingAt(
  target: Target,
  { line, dropped, added }: Change,
  { hunk, i }: { hunk: LineHunk; i: number },
): ByteText {
  const isEnd = i === added.length - 1 && line + dropped === target.lineCount && target.lineCount > 0;
  const isOpen = hunk.saysEnd
    ? endingOf(added[i]!) === ""
    : target.lineCount > 0 && endingOf(target.line(target.lineCount - 1)) === "";
  if (isEnd && isOpen) return "";
  return (i < dropped && endingOf(target.line(line + i))) || endingBefore(target, line + Math.min(i, dropped));
}
