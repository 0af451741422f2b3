import type { ByteText } from "./byte-text.ts";
import { endingBefore, endingOf, fold, withEnding } from "./endings.ts";
import type { InsertHunk } from "./operation.ts";
import type { Placed } from "./splice.ts";
import type { Target } from "./target.ts";

/** Where lines are inserted, or that they are there already. */
export interface Insertion {
  /** the line that they are put before, from 0 */
  readonly line: number;
  readonly placed: Placed;
  readonly isThere: boolean;
}

/**
 * Whole lines at the start, below what has to stay first (a byte order mark, `#!`), or at the end. They get the file's
 * line ends; at the end the file ends with a line end if it did or if they do.
 */
export function placeInsertion(target: Target, { at, text }: InsertHunk): Insertion {
  return at === "start" ? atStart(target, text) : atEnd(target, text);
}

function atStart(target: Target, text: ByteText): Insertion {
  const line = target.line(0).startsWith("#!") ? 1 : 0;
  const start = line === 0 ? target.bodyStart : target.startOf(1);
  const isOpen = line > 0 && endingOf(target.line(0)) === "";
  const ending = endingBefore(target, line);
  const lines = withEnding(text.endsWith("\n") ? text : `${text}\n`, ending);
  const now = isOpen ? ending + lines : lines;
  const head = fold(target.text.slice(start, start + 2 * lines.length));
  return { line, placed: insertion(start, now), isThere: head.startsWith(fold(lines)) };
}

function atEnd(target: Target, text: ByteText): Insertion {
  const line = target.lineCount;
  const { length } = target.text;
  const isEmpty = length === target.bodyStart;
  const isOpen = !isEmpty && endingOf(target.line(line - 1)) === "";
  const ending = endingBefore(target, isOpen ? line - 1 : line);
  const whole = withEnding(text, ending);
  const lines = isEmpty || isOpen || whole.endsWith("\n") ? whole : whole + ending;
  const isThere = lastLines(target, text) === fold(text).replace(/\n$/, "");
  return { line, placed: insertion(length, isOpen ? ending + lines : lines), isThere };
}

const insertion = (at: number, text: ByteText): Placed => ({
  start: at,
  end: at,
  splices: [{ start: at, end: at, text }],
});

/** As many lines at the end of the file as the text has. */
function lastLines(target: Target, text: ByteText): ByteText {
  const count = fold(text).replace(/\n$/, "").split("\n").length;
  const from = Math.max(0, target.lineCount - count);
  const start = from === 0 ? target.bodyStart : target.startOf(from);
  return fold(target.text.slice(start)).replace(/\n$/, "");
}
