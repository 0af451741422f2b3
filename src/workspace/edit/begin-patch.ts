import { type ByteText, trim } from "./byte-text.ts";
import { type HunkLine, type LineHunk, lineHunk, type Operation, updateOf } from "./operation.ts";
import { bare, lineNumber, type PatchLines, patchLines, peek } from "./patch-lines.ts";
import { parseRefusal } from "./refusal.ts";
import { sentPath } from "./sent-path.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";

/** `*** Begin Patch` … `*** End Patch`, several too. Without its end it is cut off, and refused. */
export function readBeginPatch(text: ByteText): readonly Operation[] {
  const from = patchLines(text);
  const operations: Operation[] = [];
  while (from.at < from.lines.length) {
    if (trim(from.lines[from.at++]!) !== BEGIN) continue;
    while (word(from) !== END) operations.push(readFile(from));
    from.at++;
  }
  return operations;
}

const word = (from: PatchLines): ByteText | null => {
  const line = peek(from);
  return line === undefined ? null : trim(line);
};

function readFile(from: PatchLines): Operation {
  const line = lineNumber(from);
  const found = /^\*\*\* (Add|Delete|Update) File: (.*)$/.exec(word(from) ?? "");
  if (!found)
    throw word(from) === null
      ? parseRefusal(`${END} is missing`, { line, hint: "send all of it" })
      : parseRefusal("neither Add, Delete nor Update File", { line, hint: `write *** Update File: PATH, or ${END}` });
  from.at++;
  const path = sentPath(trim(found[2]!), line);
  if (found[1] === "Delete") return { op: "delete", path, expected: null };
  return found[1] === "Add" ? readAdd(from, path) : readUpdate(from, path);
}

function readAdd(from: PatchLines, path: string): Operation {
  const lines: ByteText[] = [];
  for (; peek(from)?.startsWith("+"); from.at++) lines.push(`${peek(from)!.slice(1)}\n`);
  if (!isNext(from))
    throw parseRefusal("a line of a new file begins with +", {
      line: lineNumber(from),
      path,
      hint: "put a + before it",
    });
  return { op: "create", path, text: lines.join(""), overwrite: false, isExecutable: false };
}

const isNext = (from: PatchLines): boolean => peek(from) === undefined || (word(from) ?? "").startsWith("*** ");

function readUpdate(from: PatchLines, path: string): Operation {
  const line = lineNumber(from);
  const move = /^\*\*\* Move to: (.*)$/.exec(word(from) ?? "");
  if (move) from.at++;
  const hunks: LineHunk[] = [];
  while (!isNext(from)) hunks.push(readHunk(from, path));
  if (hunks.length === 0 && !move)
    throw parseRefusal(`nothing is said about ${path}`, { line: line - 1, path, hint: "send its hunks" });
  return updateOf(path, hunks, { to: move ? sentPath(trim(move[1]!), line) : null });
}

function readHunk(from: PatchLines, path: string): LineHunk {
  const line = lineNumber(from);
  const anchors: ByteText[] = [];
  for (; peek(from)?.startsWith("@@"); from.at++) {
    const anchor = bare(peek(from)!).slice(2).replace(/^ /, "");
    if (trim(anchor) !== "") anchors.push(anchor);
  }
  const lines: HunkLine[] = [];
  while (peek(from) !== undefined && !peek(from)!.startsWith("@@") && !isNext(from)) lines.push(hunkLine(from, path));
  const atEnd = word(from) === END_OF_FILE;
  if (atEnd) from.at++;
  if (lines.length > 0) return lineHunk(lines, { anchors, atEnd });
  throw parseRefusal("a hunk without lines", { line, path, hint: "leave it out, or send its lines" });
}

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "keep", "-": "drop", "+": "add" };

function hunkLine(from: PatchLines, path: string): HunkLine {
  const line = peek(from)!;
  const kind = bare(line) === "" ? "keep" : KINDS[line[0]!];
  if (kind === undefined)
    throw parseRefusal("a line of a hunk begins with a space, - or +", {
      line: lineNumber(from),
      path,
      hint: "put a space before what stays",
    });
  from.at++;
  return { kind, text: `${bare(line) === "" ? line : line.slice(1)}\n` };
}
