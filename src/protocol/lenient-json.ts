/**
 * Reads JSON as models write it, where nothing has to be guessed: comments, commas too many, names without quotes,
 * single or typographic quotes, raw line ends and tabs in texts, `True`, `None`. What was cut off, or could be read in
 * two ways, throws a SyntaxError that says where: a text that is only nearly there is never completed.
 */
export function readLenient(text: string): unknown {
  const reader = { text, at: 0 };
  const value = readValue(reader, 0);
  skip(reader);
  if (reader.at < text.length) throw fault(reader, "something follows the value");
  return value;
}

/** The same for a value that begins at `from`, whatever follows it; `end`: where it is over. */
export function readLenientAt(text: string, from: number): { readonly value: unknown; readonly end: number } {
  const reader = { text, at: from };
  const value = readValue(reader, 0);
  return { value, end: reader.at };
}

interface Reader {
  readonly text: string;
  at: number;
}

const MOST_DEPTH = 200;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
]);
/** a quote, and what closes it */
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "\u201c": "\u201d", "\u2018": "\u2019" };
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

function readValue(reader: Reader, depth: number): unknown {
  if (depth > MOST_DEPTH) throw fault(reader, "it is nested too deep");
  skip(reader);
  const char = reader.text[reader.at];
  if (char === "{") return readObject(reader, depth);
  if (char === "[") return readArray(reader, depth);
  if (char !== undefined && char in QUOTES) return readText(reader);
  return readWord(reader);
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  reader.at += 1;
  for (;;) {
    skip(reader);
    if (take(reader, "}")) return object;
    const name = readName(reader);
    skip(reader);
    if (!take(reader, ":")) throw fault(reader, `":" is missing after ${JSON.stringify(name)}`);
    if (Object.hasOwn(object, name)) throw fault(reader, `${JSON.stringify(name)} is there twice`);
    const value = readValue(reader, depth + 1);
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
    skip(reader);
    if (!take(reader, ",") && reader.text[reader.at] !== "}") throw fault(reader, 'neither "," nor "}"');
  }
}

function readArray(reader: Reader, depth: number): unknown[] {
  const items: unknown[] = [];
  reader.at += 1;
  for (;;) {
    skip(reader);
    if (take(reader, "]")) return items;
    items.push(readValue(reader, depth + 1));
    skip(reader);
    if (!take(reader, ",") && reader.text[reader.at] !== "]") throw fault(reader, 'neither "," nor "]"');
  }
}

function readName(reader: Reader): string {
  if ((reader.text[reader.at] ?? "") in QUOTES) return readText(reader);
  const name = /^[A-Za-z_$][\w$-]*/.exec(reader.text.slice(reader.at, reader.at + 200))?.[0];
  if (name === undefined) throw fault(reader, "a name is missing");
  reader.at += name.length;
  return name;
}

function readText(reader: Reader): string {
  const { text } = reader;
  const open = text[reader.at]!;
  const close = QUOTES[open]!;
  let read = "";
  for (reader.at += 1; ; ) {
    const char = text[reader.at];
    if (char === undefined) throw fault(reader, "a text is not closed");
    reader.at += 1;
    if (char === close) break;
    // raw line ends and tabs are what models write; nobody writes the others on purpose
    if (char < " " && !"\n\r\t".includes(char)) throw fault(reader, "a control character stands in a text");
    read += char === "\\" ? readEscape(reader) : char;
  }
  // a quote in the middle of a text that was not escaped could end it anywhere
  if (!/^\s*(?:[,:}\]]|\/[/*]|$)/.test(text.slice(reader.at, reader.at + 4000)))
    throw fault(reader, "a quote stands inside a text, or a comma is missing");
  return read;
}

function readEscape(reader: Reader): string {
  const char = reader.text[reader.at] ?? "";
  reader.at += 1;
  if (Object.hasOwn(ESCAPES, char)) return ESCAPES[char]!;
  const hex = char === "u" ? /^[\da-fA-F]{4}/.exec(reader.text.slice(reader.at, reader.at + 4))?.[0] : undefined;
  // `\d` may be a letter too many or a backslash too few
  if (hex === undefined) throw fault(reader, `"\\${char}" is no escape`);
  reader.at += 4;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

function readWord(reader: Reader): unknown {
  const word = /^[^\s,:{}[\]"'/]+/.exec(reader.text.slice(reader.at, reader.at + 400))?.[0];
  if (word === undefined) throw fault(reader, "a value is missing");
  reader.at += word.length;
  if (WORDS.has(word)) return WORDS.get(word);
  // a number at the very end may have been cut
  const isCut = reader.at >= reader.text.length && reader.at > word.length;
  if (!isCut && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return Number(word);
  throw fault(reader, `${JSON.stringify(word.slice(0, 40))} is no value`);
}

function skip(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    while (/[\s\ufeff\u200b]/.test(text[reader.at] ?? "")) reader.at += 1;
    if (text.startsWith("//", reader.at)) reader.at = orEnd(text, text.indexOf("\n", reader.at));
    else if (text.startsWith("/*", reader.at)) {
      const end = text.indexOf("*/", reader.at + 2);
      if (end < 0) throw fault(reader, "a comment is not closed");
      reader.at = end + 2;
    } else return;
  }
}

const orEnd = (text: string, at: number): number => (at < 0 ? text.length : at);

function take(reader: Reader, char: string): boolean {
  if (reader.text[reader.at] !== char) return false;
  reader.at += 1;
  return true;
}

const fault = ({ text, at }: Reader, why: string): SyntaxError => {
  const line = text.slice(0, at).split("\n").length;
  return new SyntaxError(`${why} (line ${line}, near ${JSON.stringify(text.slice(Math.max(0, at - 20), at + 10))})`);
};
