import { alignLines, linesOf } from "./align.ts";
import { type ByteText, trim, trimEnd } from "./byte-text.ts";
import { type LineHunk, lineHunk, type Operation, updateOf } from "./operation.ts";
import { lineNumber, type PatchLines, patchLines, peek } from "./patch-lines.ts";
import { parseRefusal } from "./refusal.ts";
import { sentPath } from "./sent-path.ts";

const SEARCH = "<<<<<<< SEARCH";
const MIDDLE = "=======";
const REPLACE = ">>>>>>> REPLACE";

/**
 * Blocks of a path, the lines that are there and those that take their place. Blocks for the same file that follow each
 * other are hunks of one update. An empty SEARCH makes a new file.
 */
export function readSearchReplace(text: ByteText): readonly Operation[] {
  const from = patchLines(text);
  const operations: Operation[] = [];
  let path: ByteText = "";
  for (; from.at < from.lines.length; from.at++) {
    const line = trim(peek(from)!);
    if (line === SEARCH) add(operations, sentPath(path, lineNumber(from)), readBlock(from));
    else if (line !== "" && !line.startsWith("```")) path = undecorated(line);
  }
  return operations;
}

/** A path as Markdown may have it: `src/x.ts`, **src/x.ts**. */
const undecorated = (line: ByteText): ByteText => /^(`|\*\*)(.+)\1:?$/.exec(line)?.[2] ?? line;

interface Block {
  readonly old: ByteText;
  readonly new: ByteText;
}

/** From SEARCH to REPLACE, which is then the next line. */
function readBlock(from: PatchLines): Block {
  const line = lineNumber(from);
  from.at++;
  const old = until(from, MIDDLE, line);
  from.at++;
  return { old, new: until(from, REPLACE, line) };
}

function until(from: PatchLines, marker: string, start: number): ByteText {
  const lines: ByteText[] = [];
  for (; ; from.at++) {
    const line = peek(from);
    const word = line === undefined ? null : trimEnd(line);
    if (word === marker) return lines.map((text) => `${text}\n`).join("");
    if (word === null || word === MIDDLE || word === SEARCH || word === REPLACE)
      throw torn(word, marker, { from, start });
    lines.push(line!);
  }
}

/** Markers within the text cannot be told from the block's own: nobody guesses. */
function torn(found: string | null, wanted: string, { from, start }: { from: PatchLines; start: number }) {
  const hint = "send a diff or JSON where the text itself holds such lines";
  return found === null
    ? parseRefusal(`the block has no ${wanted}`, { line: start, hint: "send all of it" })
    : parseRefusal(`${found} where ${wanted} was expected`, { line: lineNumber(from), hint });
}

function add(operations: Operation[], path: string, block: Block): void {
  if (block.old === "" && block.new !== "") {
    operations.push({ op: "create", path, text: block.new, overwrite: false, isExecutable: false });
    return;
  }
  const last = operations.at(-1);
  const hunk: LineHunk = lineHunk(alignLines(linesOf(block.old), linesOf(block.new)));
  if (last?.op === "update" && last.path === path)
    operations[operations.length - 1] = { ...last, hunks: [...last.hunks, hunk] };
  else operations.push(updateOf(path, [hunk]));
}
