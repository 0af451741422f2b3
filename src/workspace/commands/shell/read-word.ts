import { type Cursor, cursorOn, expectText, isOver, nested, peek, take, takeUntil } from "./cursor.ts";
import { readScript } from "./read-script.ts";
import { Unreadable, type Word } from "./word.ts";

/** What a word is made of while it is read. */
interface Making {
  text: string;
  isKnown: boolean;
  /** unquoted characters only, by which globs and braces are told */
  bare: string;
}

const META = /[ \t\n;&|()<>]/;
const GLOB = /[*?]|\[[^\]]*\]|\{[^}]*(?:,|\.\.)[^}]*\}/;

/** The word that begins here; null: none does. */
export function readWord(on: Cursor): Word | null {
  const start = on.at;
  const made: Making = { text: "", isKnown: true, bare: "" };
  while (!isOver(on) && readPart(on, made));
  if (on.at === start) return null;
  const isGlob = GLOB.test(made.bare);
  return { value: made.isKnown && !isGlob ? made.text : null, raw: on.text.slice(start, on.at) };
}

/** One more piece of a word; false: it is over. */
function readPart(on: Cursor, made: Making): boolean {
  const char = on.text[on.at]!;
  if (peek(on, "<(") || peek(on, ">(")) return readProcess(on, made);
  if (META.test(char)) return false;
  on.at++;
  if (char === "'") made.text += takeUntil(on, "'", "a quote");
  else if (char === '"') readDouble(on, made);
  else if (char === "\\") readEscape(on, made);
  else if (char === "`") readBackticks(on, made, /[$`\\]/);
  else if (char === "$") readDollar(on, made, false);
  else {
    made.text += char;
    made.bare += char;
  }
  return true;
}

function readEscape(on: Cursor, made: Making): void {
  if (isOver(on)) throw new Unreadable("it ends with a backslash");
  const char = on.text[on.at++]!;
  if (char !== "\n") made.text += char;
}

function readDouble(on: Cursor, made: Making): void {
  while (!take(on, '"')) {
    if (isOver(on)) throw new Unreadable("a double quote has no end");
    readQuoted(on, made);
  }
}

/** One piece of what stands in double quotes, or in a here-document. */
function readQuoted(on: Cursor, made: Making): void {
  const char = on.text[on.at++]!;
  if (char === "\\" && /[$`"\\\n]/.test(on.text[on.at] ?? "")) return readEscape(on, made);
  if (char === "`") return readBackticks(on, made, /[$`\\"]/);
  if (char === "$") return readDollar(on, made, true);
  made.text += char;
}

/** The commands in a here-document's body; its text, where it has nothing that is expanded. */
export function readExpanded(on: Cursor, body: string): string | null {
  const inner: Cursor = { ...on, text: body, at: 0, pending: [] };
  const made: Making = { text: "", isKnown: true, bare: "" };
  while (!isOver(inner)) readQuoted(inner, made);
  return made.isKnown ? made.text : null;
}

function readProcess(on: Cursor, made: Making): true {
  made.isKnown = false;
  on.at += 2;
  nested(on, () => readScript(on, ")"));
  return true;
}

/** `escapes`: what a backslash takes its meaning from, before the inside is read as a script of its own. */
function readBackticks(on: Cursor, made: Making, escapes: RegExp): void {
  made.isKnown = false;
  let inside = "";
  for (; !take(on, "`"); on.at++) {
    if (isOver(on)) throw new Unreadable("a backtick has no end");
    if (peek(on, "\\") && escapes.test(on.text[on.at + 1] ?? "")) on.at++;
    inside += on.text[on.at];
  }
  const inner = cursorOn(inside);
  inner.depth = on.depth + 1;
  nested(inner, () => readScript(inner, null));
  on.found.push(...inner.found);
}

/** Behind a dollar sign: what it stands for is known only when it runs. */
function readDollar(on: Cursor, made: Making, isQuoted: boolean): void {
  const before = on.at;
  if (peek(on, "((") && skipArithmetic(on)) made.isKnown = false;
  else if (take(on, "(")) nested(on, () => readScript(on, ")"));
  else if (take(on, "{")) readBraces(on);
  else if (!isQuoted && take(on, "'")) skipAnsi(on);
  else if (!isQuoted && take(on, '"')) readDouble(on, made);
  else {
    const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(on.text.slice(on.at, on.at + 200))?.[0] ?? "";
    on.at += name.length;
  }
  if (on.at === before) made.text += "$";
  else made.isKnown = false;
}

/** `$'…'`: one shell takes its escapes for what they mean, another does not. */
function skipAnsi(on: Cursor): void {
  while (!take(on, "'")) {
    if (isOver(on)) throw new Unreadable("a quote has no end");
    on.at += peek(on, "\\") ? 2 : 1;
  }
}

/** `${…}`, which may hold commands of its own. */
function readBraces(on: Cursor): void {
  const made: Making = { text: "", isKnown: true, bare: "" };
  while (!take(on, "}")) {
    if (isOver(on)) throw new Unreadable("a ${ has no end");
    if (take(on, "'")) takeUntil(on, "'", "a quote");
    else if (take(on, '"')) readDouble(on, made);
    else readQuoted(on, made);
  }
}

/** Passes `((…))` where it is arithmetic, and notes the commands in it; false: it is a command in two parentheses. */
export function skipArithmetic(on: Cursor): boolean {
  const inner: Cursor = { ...on, at: on.at + 2, found: [] };
  const made: Making = { text: "", isKnown: true, bare: "" };
  let open = 0;
  while (!(open === 0 && peek(inner, "))"))) {
    if (isOver(inner) || (open === 0 && peek(inner, ")"))) return false;
    if (peek(inner, "(")) open++;
    if (peek(inner, ")")) open--;
    if (take(inner, '"')) readDouble(inner, made);
    else readQuoted(inner, made);
  }
  expectText(inner, "))");
  on.at = inner.at;
  on.found.push(...inner.found);
  return true;
}
