import { type HunkLine, type LineHunk, lineHunk } from "./operation.ts";
import { bare, lineNumber, type PatchLines, peek } from "./patch-lines.ts";
import { parseRefusal } from "./refusal.ts";

interface Counts {
  readonly old: number;
  readonly new: number;
}
const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "drop", "+": "add" };
const HEADER = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** A hunk of a unified diff, from its `@@` line on. A header without numbers is taken too: places are found by content. */
export function readHunk(from: PatchLines): LineHunk {
  const start = lineNumber(from);
  const found = HEADER.exec(from.lines[from.at++]!);
  const counts = found ? { old: Number(found[2] ?? 1), new: Number(found[3] ?? 1) } : null;
  const body = (counts && byCounts(from, counts)) ?? byLook(from, counts, start);
  if (body.lines.length === 0)
    throw parseRefusal("a hunk without lines", { line: start, hint: "leave it out, or send its lines" });
  // With no old lines the header names the line that they come after.
  const header = found ? Number(found[1]) + (counts?.old === 0 ? 1 : 0) : null;
  return lineHunk(body.lines, { atEnd: body.saysEnd, saysEnd: body.saysEnd, header });
}

interface Body {
  readonly lines: HunkLine[];
  saysEnd: boolean;
}

/** The lines that the header counts, where they are all there and nothing of a hunk follows them; else null, and nothing is taken. */
function byCounts(from: PatchLines, counts: Counts): Body | null {
  const mark = from.at;
  const body: Body = { lines: [], saysEnd: false };
  const left = { ...counts };
  while (left.old > 0 || left.new > 0 || peek(from)?.startsWith("\\")) {
    const kind = take(from, body);
    if (kind === "keep" || kind === "drop") left.old--;
    if (kind === "keep" || kind === "add") left.new--;
    if (kind === null || left.old < 0 || left.new < 0) break;
  }
  if (left.old === 0 && left.new === 0 && isBoundary(from)) return body;
  from.at = mark;
  return null;
}

/** Every line that looks like one of a hunk: whoever wrote the header counted wrong. */
function byLook(from: PatchLines, counts: Counts | null, start: number): Body {
  const body: Body = { lines: [], saysEnd: false };
  while (!isHeader(from) && take(from, body) !== null);
  while (from.lines[from.at - 1] === "" && body.lines.at(-1)?.text === "\n") {
    body.lines.pop();
    from.at--;
  }
  const count = (not: HunkLine["kind"]) => body.lines.filter(({ kind }) => kind !== not).length;
  const isShort = counts !== null && (count("add") < counts.old || count("drop") < counts.new);
  if (isShort && isAtEnd(from))
    throw parseRefusal(
      `the last hunk counts ${counts.old} old and ${counts.new} new lines and has ${count("add")} and ${count("drop")}`,
      { line: start, hint: "send all of it; if it is all, correct the counts, or write @@ without numbers" },
    );
  if (goesOnBehind(from, isShort))
    throw parseRefusal("a line of a hunk begins with a space, - or +", {
      line: lineNumber(from),
      hint: "put a space before what stays",
    });
  return body;
}

/** Whether the hunk was not over at a line that is none of it: what comes behind would be passed over. */
function goesOnBehind(from: PatchLines, isShort: boolean): boolean {
  if (isHeader(from) || bare(peek(from) ?? "") === "") return false;
  if (isShort) return true;
  for (let ahead = 1; ; ahead++) {
    const line = peek(from, ahead);
    if (line === undefined || isHeader({ lines: from.lines, at: from.at + ahead })) return false;
    if (/^[+-]/.test(line) && !/^-- ?\r?$/.test(line)) return true;
  }
}

const isAtEnd = (from: PatchLines): boolean => from.lines.slice(from.at).every((line) => bare(line) === "");

/** Takes a line of a hunk; null: it is none. An empty one is an empty line that lost its space on the way. */
function take(from: PatchLines, body: Body): HunkLine["kind"] | "\\" | null {
  const line = peek(from);
  if (line === undefined) return null;
  const kind = bare(line) === "" ? "keep" : KINDS[line[0]!];
  if (kind === undefined && !line.startsWith("\\")) return null;
  from.at++;
  if (kind !== undefined) body.lines.push({ kind, text: `${bare(line) === "" ? line : line.slice(1)}\n` });
  else endWithoutLineEnd(body);
  return kind ?? "\\";
}

/** `\ No newline at end of file` is about the line before it. */
function endWithoutLineEnd(body: Body): void {
  const last = body.lines.pop();
  if (last === undefined) return;
  body.lines.push({ ...last, text: last.text.slice(0, -1) });
  body.saysEnd = true;
}

/** Whether the next line cannot belong to the hunk before it. */
const isBoundary = (from: PatchLines): boolean => {
  const line = peek(from);
  return line === undefined || !/^[ +-]/.test(line) || /^-- ?\r?$/.test(line) || isHeader(from);
};

/** Whether a header comes next: `--- ` only with `+++ ` below it, since a dropped line may begin so. */
export function isHeader(from: PatchLines): boolean {
  const line = peek(from);
  if (line === undefined) return false;
  if (line.startsWith("--- ")) return peek(from, 1)?.startsWith("+++ ") === true;
  return /^(@@|diff --git |Index: |```|\*\*\* )/.test(line);
}
