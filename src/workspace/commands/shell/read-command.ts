import { type Cursor, peek, skipBlanks, take } from "./cursor.ts";
import { readWord } from "./read-word.ts";
import { type SimpleCommand, Unreadable, type Word } from "./word.ts";

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;
/** the longest first */
const REDIRECTIONS = ["&>>", "&>", "<<<", "<&", "<>", ">>", ">&", ">|", "<", ">"];

interface Reading {
  readonly words: Word[];
  readonly sets: string[];
  input: SimpleCommand["input"];
}

/** One simple command, noted in `on.found`; or the head of a function, whose body is read as the next command. */
export function readCommand(on: Cursor): void {
  const made: Reading = { words: [], sets: [], input: null };
  for (;;) {
    skipBlanks(on);
    if (readHereDocument(on, made) || readRedirection(on, made)) continue;
    const word = readWord(on);
    if (word === null) break;
    if (/^\d+$/.test(word.raw) && /[<>]/.test(on.text[on.at] ?? "")) continue;
    const sets = made.words.length === 0 ? ASSIGNMENT.exec(word.raw)?.[1] : undefined;
    if (sets === undefined) made.words.push(word);
    else if (peek(on, "(")) throw new Unreadable("a list in a variable is no POSIX shell");
    else made.sets.push(sets);
    if (made.words.length === 1 && isFunction(on, word)) return;
  }
  if (made.words.length > 0 || made.sets.length > 0) {
    // a body of a here-document is read later, and then it is put in
    on.found.push(made);
  }
}

function isFunction(on: Cursor, name: Word): boolean {
  const before = on.at;
  skipBlanks(on);
  if (!take(on, "(")) {
    on.at = before;
    return false;
  }
  skipBlanks(on);
  if (!take(on, ")") || name.value === null) throw new Unreadable(`( behind ${name.raw} is not expected`);
  return true;
}

function readHereDocument(on: Cursor, made: Reading): boolean {
  if (!peek(on, "<<") || peek(on, "<<<")) return false;
  on.at += 2;
  const stripsTabs = take(on, "-");
  skipBlanks(on);
  const word = readWord(on);
  if (word === null) throw new Unreadable("a here-document has no end");
  const isLiteral = /['"\\]/.test(word.raw);
  if (isLiteral && word.value === null) throw new Unreadable("the end of a here-document is not known");
  const read = (text: string | null): void => {
    made.input = text;
  };
  on.pending.push({ delimiter: isLiteral ? word.value! : word.raw, isLiteral, stripsTabs, read });
  return true;
}

function readRedirection(on: Cursor, made: Reading): boolean {
  if (peek(on, "<(") || peek(on, ">(")) return false;
  const operator = REDIRECTIONS.find((one) => peek(on, one));
  if (operator === undefined) return false;
  on.at += operator.length;
  skipBlanks(on);
  const target = readWord(on);
  if (target === null) throw new Unreadable(`${operator} names no file`);
  if (operator === "<<<") made.input = target.value;
  return true;
}
