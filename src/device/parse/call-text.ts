/** A call as models write it in the manner of Python: `click(start_box='(1,2)')`. */
export interface WrittenCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Reads the call that begins at `from`; `end`: behind its bracket. Named arguments only: texts, numbers, `True`, `None`,
 * and lists or tuples of these. What was cut off, or could be read in two ways, throws a SyntaxError that says why.
 */
export function readCallAt(text: string, from: number): { readonly call: WrittenCall; readonly end: number } {
  const reader = { text, at: from };
  const name = word(reader, NAME) ?? raise(reader, "a name is missing");
  if (!take(reader, "(")) raise(reader, `"(" is missing after ${name}`);
  const args: Record<string, unknown> = {};
  for (;;) {
    if (take(reader, ")")) return { call: { name, args }, end: reader.at };
    readArgument(reader, args);
    if (!take(reader, ",") && peek(reader) !== ")") raise(reader, 'neither "," nor ")" follows a value');
  }
}

interface Reader {
  readonly text: string;
  at: number;
}

const NAME = /[A-Za-z_][\w.]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?![\w.])/y;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
]);
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function readArgument(reader: Reader, args: Record<string, unknown>): void {
  skip(reader);
  const key = word(reader, NAME) ?? raise(reader, "the name of an argument is missing");
  if (!take(reader, "=")) raise(reader, `"=" is missing after ${key}`);
  if (Object.hasOwn(args, key)) raise(reader, `${key} is there twice`);
  const value = readValue(reader, 0);
  Object.defineProperty(args, key, { value, enumerable: true, writable: true, configurable: true });
}

function readValue(reader: Reader, depth: number): unknown {
  const char = peek(reader);
  if (char === '"' || char === "'") return readText(reader, char);
  if (char === "[" || char === "(") return readList(reader, { close: char === "[" ? "]" : ")", depth });
  const number = word(reader, NUMBER);
  if (number !== undefined) return Number(number);
  const name = word(reader, NAME);
  if (name !== undefined && WORDS.has(name)) return WORDS.get(name);
  return raise(reader, name === undefined ? "a value is missing" : `${name} is no value`);
}

function readList(reader: Reader, { close, depth }: { close: string; depth: number }): readonly unknown[] {
  if (depth > 2) raise(reader, "a list is nested too deep");
  reader.at += 1;
  const items: unknown[] = [];
  while (!take(reader, close)) {
    items.push(readValue(reader, depth + 1));
    if (!take(reader, ",") && peek(reader) !== close) raise(reader, "a list is not closed");
  }
  return items;
}

/**
 * A text ends at the first quote behind which the call goes on or ends. Models of these families leave quotes inside a
 * text as they are: such a one is part of it, as behind it no comma and no bracket stands.
 */
function readText(reader: Reader, quote: string): string {
  const { text } = reader;
  let read = "";
  for (reader.at += 1; ; ) {
    const char = text[reader.at];
    if (char === undefined) return raise(reader, "a text is not closed");
    reader.at += 1;
    if (char === quote && /^\s{0,50}[,)\]]/.test(text.slice(reader.at, reader.at + 52))) return read;
    if (char < " " && !"\n\r\t".includes(char)) raise(reader, "a control character stands in a text");
    read += char === "\\" ? readEscape(reader) : char;
  }
}

function readEscape(reader: Reader): string {
  const char = reader.text[reader.at] ?? "";
  reader.at += 1;
  if (Object.hasOwn(ESCAPES, char)) return ESCAPES[char]!;
  const hex = char === "u" ? /^[\da-fA-F]{4}/.exec(reader.text.slice(reader.at, reader.at + 4))?.[0] : undefined;
  if (hex === undefined) return raise(reader, `"\\${char}" is no escape`);
  reader.at += 4;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function skip(reader: Reader): void {
  while (/\s/.test(reader.text[reader.at] ?? "")) reader.at += 1;
}

function peek(reader: Reader): string | undefined {
  skip(reader);
  return reader.text[reader.at];
}

function take(reader: Reader, char: string): boolean {
  if (peek(reader) !== char) return false;
  reader.at += 1;
  return true;
}

function word(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function raise({ text, at }: Reader, why: string): never {
  throw new SyntaxError(`${why} (near ${JSON.stringify(text.slice(Math.max(0, at - 20), at + 10))})`);
}
