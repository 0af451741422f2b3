import { type Cursor, expectText, isOver, nested, peek, skipBlanks, take } from "./cursor.ts";
import { readCommand } from "./read-command.ts";
import { readExpanded, readWord, skipArithmetic } from "./read-word.ts";
import { Unreadable } from "./word.ts";

/** What opens a compound command, and what closes it. */
const CLOSES: Readonly<Record<string, string>> = { if: "fi", while: "done", until: "done", "{": "}" };
const BETWEEN = new Set(["then", "else", "elif", "do", "!"]);

/**
 * Reads commands up to `end`, which is passed (null: the end of the text). Throws Unreadable. What a compound command is
 * made of does not matter here: each program in it may run.
 */
export function readScript(on: Cursor, end: ")" | "esac" | ";;" | null): void {
  const open: string[] = [];
  for (;;) {
    skipSpace(on);
    if (open.length === 0 && isAtEnd(on, end)) return;
    if (isOver(on)) throw new Unreadable(`${open.at(-1) ?? end} is missing at the end`);
    const before = on.at;
    if (!readCompound(on, open)) readCommand(on);
    readSeparator(on);
    if (on.at === before)
      throw new Unreadable(`${JSON.stringify(on.text[on.at])} at character ${on.at + 1} is not expected`);
  }
}

function isAtEnd(on: Cursor, end: ")" | "esac" | ";;" | null): boolean {
  if (end === null) return isOver(on);
  if (end === "esac") return keyword(on) === "esac" && take(on, "esac");
  if (end === ";;") return keyword(on) === "esac" || take(on, ";;&") || take(on, ";;") || take(on, ";&");
  return take(on, end);
}

/** The unquoted word here, if a shell may take it for one of its own. */
export const keyword = (on: Cursor): string | null =>
  /^(?:[{}!]|[a-z]+)(?=$|[ \t\n;&|()<>])/.exec(on.text.slice(on.at, on.at + 20))?.[0] ?? null;

/** Passes a word of the shell's own, or what it introduces; false: a command begins here. */
function readCompound(on: Cursor, open: string[]): boolean {
  // `((…))` too: one shell takes it for arithmetic, another runs what is in it
  if (take(on, "(")) {
    nested(on, () => readScript(on, ")"));
    return true;
  }
  const word = keyword(on);
  if (word === null) return false;
  if (word === open.at(-1)) open.pop();
  else if (CLOSES[word] !== undefined) open.push(CLOSES[word]);
  else if (word === "for" || word === "select") return readFor(on, word, open);
  else if (word === "case") return nested(on, () => readCase(on));
  else if (word === "function") return readFunction(on);
  else if (word === "coproc" || Object.values(CLOSES).includes(word) || word === "esac")
    throw new Unreadable(`${word} at character ${on.at + 1} is not expected`);
  else if (!BETWEEN.has(word)) return false;
  on.at += word.length;
  return true;
}

function readFor(on: Cursor, word: string, open: string[]): true {
  on.at += word.length;
  skipBlanks(on);
  if (!(peek(on, "((") && skipArithmetic(on))) {
    if (readWord(on) === null) throw new Unreadable(`${word} names no variable`);
    skipSpace(on);
    if (keyword(on) === "in") {
      on.at += 2;
      do skipBlanks(on);
      while (readWord(on) !== null);
    }
  }
  open.push("done");
  return true;
}

function readCase(on: Cursor): true {
  on.at += "case".length;
  skipBlanks(on);
  if (readWord(on) === null) throw new Unreadable("case names no word");
  skipSpace(on);
  if (keyword(on) !== "in") throw new Unreadable("case has no in");
  on.at += "in".length;
  for (skipSpace(on); !isAtEnd(on, "esac"); skipSpace(on)) {
    take(on, "(");
    do {
      skipBlanks(on);
      if (readWord(on) === null) throw new Unreadable("case has a pattern that is none");
      skipBlanks(on);
    } while (take(on, "|"));
    expectText(on, ")");
    readScript(on, ";;");
  }
  return true;
}

function readFunction(on: Cursor): true {
  on.at += "function".length;
  skipBlanks(on);
  if (readWord(on)?.value == null) throw new Unreadable("a function has no name");
  skipBlanks(on);
  if (take(on, "(")) {
    skipBlanks(on);
    expectText(on, ")");
  }
  return true;
}

/** Blanks and ends of lines; behind one of these here-documents have their bodies. */
export function skipSpace(on: Cursor): void {
  for (skipBlanks(on); take(on, "\n"); skipBlanks(on)) readBodies(on);
}

/** What stands between two commands. */
function readSeparator(on: Cursor): void {
  skipBlanks(on);
  if (take(on, "\n")) readBodies(on);
  else if (!peek(on, ";;") && !peek(on, ";&")) SEPARATORS.some((one) => take(on, one));
}
/** the longest first */
const SEPARATORS = ["&&", "||", "|&", "|", "&", ";"];

function readBodies(on: Cursor): void {
  const bodies = on.pending;
  on.pending = [];
  for (const { delimiter, stripsTabs, isLiteral, read } of bodies) {
    const lines: string[] = [];
    while (!isOver(on)) {
      const end = on.text.indexOf("\n", on.at);
      const line = on.text.slice(on.at, end < 0 ? undefined : end);
      on.at = end < 0 ? on.text.length : end + 1;
      const bare = stripsTabs ? line.replace(/^\t+/, "") : line;
      if (bare === delimiter) break;
      lines.push(bare);
    }
    const body = lines.map((line) => `${line}\n`).join("");
    read(isLiteral ? body : readExpanded(on, body));
  }
}
