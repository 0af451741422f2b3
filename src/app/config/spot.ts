import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from "yaml";
import { type At, PawlError } from "../../domain/errors.ts";
import { parsePlain } from "./plain-yaml.ts";

/** What a fault may say beside its message: what to do, a word under the place, and where in the value it is. */
export interface FaultWords {
  readonly next?: string;
  /** stands beside the carets */
  readonly note?: string;
  /** characters from the start of the value, and how many are meant */
  readonly from?: number;
  readonly length?: number;
  /** the key is meant, not the value */
  readonly key?: boolean;
  /** the path of the key that was probably meant, where one is not known */
  readonly meant?: string;
}

/** A value in a YAML text, and where it stands. */
export interface Spot {
  readonly text: YamlText;
  /** null: nothing there */
  readonly node: ParsedNode | null;
  readonly key: Scalar | null;
  /** `phases.implement.run` */
  readonly path: string;
}

/** A YAML text being read: every fault found in it is kept here, in the order it was found. */
export interface YamlText {
  readonly file: string;
  readonly faults: PawlError[];
  readonly lines: LineCounter;
  /** lines of the file before this text */
  readonly lineShift: number;
  readonly document: Document | null;
}

/** Reads YAML 1.2. What cannot be read at all is a fault (YAML_BAD, KEY_TWICE), and the root is then empty. */
export function parseYaml(input: { file: string; yaml: string; lineShift?: number }): Spot {
  const lines = new LineCounter();
  const text = { file: input.file, faults: [] as PawlError[], lines, lineShift: input.lineShift ?? 0, document: null };
  const plain = parsePlain(input.yaml, lines);
  if (plain) return { text: { ...text, document: NO_ALIASES }, node: plain, key: null, path: "" };
  const parsed = parsedOrFault(input.yaml, text);
  if (!parsed) return { text, node: null, key: null, path: "" };
  const whole = { ...text, document: parsed as Document };
  const broken = [...parsed.errors, ...parsed.warnings];
  const first = broken.filter(({ pos }, i) => broken.findIndex((other) => other.pos[0] === pos[0]) === i);
  whole.faults.push(...first.slice(0, MOST_SYNTAX_FAULTS).map((error) => syntaxFault(error, whole)));
  const readable = broken.every((error) => error.code === "DUPLICATE_KEY");
  return { text: whole, node: readable ? (parsed.contents as ParsedNode | null) : null, key: null, path: "" };
}
/** Plain texts hold no alias, so it does not matter which document they are in. */
const NO_ALIASES = new Document();
/** One slip makes many errors further down, which say nothing. */
const MOST_SYNTAX_FAULTS = 3;

function parsedOrFault(yaml: string, text: YamlText): ReturnType<typeof parseDocument> | null {
  try {
    return parseDocument(yaml, { lineCounter: text.lines, prettyErrors: false, version: "1.2" });
  } catch (error) {
    // The parser is recursive: what is nested thousands of levels deep ends its stack.
    const why = error instanceof RangeError ? "it is nested too deeply" : String(error);
    text.faults.push(fault("YAML_BAD", `this cannot be read as YAML: ${why}`, { at: { file: text.file } }));
    return null;
  }
}

function syntaxFault(error: YAMLError, text: YamlText): PawlError {
  const opened = openedBefore(error, text);
  const at = placeOf(text, opened ?? error.pos[0]);
  if (error.code === "DUPLICATE_KEY")
    return fault("KEY_TWICE", "this key is there twice", { at, next: "take one of them out." });
  const [first = ""] = error.message.split("\n");
  return fault("YAML_BAD", `this cannot be read as YAML: ${first.replace(/\.$/, "")}`, {
    at,
    next:
      opened !== null
        ? "close what is opened here."
        : (YAML_HINT[error.code] ?? "a text with : or # in it, or one that starts with * & ! % @ ` { [, needs quotes."),
  });
}
/** Where a quote, a list or a mapping is opened on an earlier line that the parser missed the end of; null: it is none. */
function openedBefore({ code, message, pos: [end] }: YAMLError, { document, lines }: YamlText): number | null {
  if (document === null || !/^(MISSING_CHAR|BAD_INDENT)$/.test(code) || !/^(Missing closing|Flow )/.test(message))
    return null;
  let opened: number | null = null;
  visit(document, {
    Node(_key, node) {
      const [start, until] = node.range ?? [end, end];
      const canOpen = isScalar(node) ? /^QUOTE/.test(node.type ?? "") : isCollection(node) && node.flow === true;
      if (canOpen && start < end && until >= end) opened = start;
    },
  });
  return opened !== null && lines.linePos(opened).line < lines.linePos(end).line ? opened : null;
}

const YAML_HINT: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: "indent with spaces.",
  MULTIPLE_DOCS: "keep one document; take the line with --- out.",
  BAD_INDENT: "put keys of one mapping below each other, in the same column.",
};

export const fault = (
  code: string,
  message: string,
  options: { at?: At; next?: string; data?: Record<string, unknown> },
): PawlError => new PawlError(code, message, options);

/** Line and column (1-based) of an offset in the text, as the file has them. */
export function placeOf(text: YamlText, offset: number): At {
  const { line, col } = text.lines.linePos(offset);
  return { file: text.file, line: Math.max(1, line) + text.lineShift, column: Math.max(1, col) };
}

/** Where a value stands; the key where there is no value; the start of the file where there is neither. */
export function at(spot: Spot): At {
  const start = spot.node?.range?.[0] ?? spot.key?.range?.[0];
  return start === undefined
    ? { file: spot.text.file, line: 1 + spot.text.lineShift, column: 1 }
    : placeOf(spot.text, start);
}

/** Notes a fault at a value. */
export function noteFault(spot: Spot, code: string, message: string, words: FaultWords = {}): void {
  spot.text.faults.push(faultAt(spot, code, message, words));
}

export function faultAt(spot: Spot, code: string, message: string, words: FaultWords = {}): PawlError {
  const place = words.key && spot.key ? { ...spot, node: null } : spot;
  const start = at(place);
  const column = (start.column ?? 1) + (words.from === undefined ? 0 : words.from + quoteWidth(spot));
  return fault(code, message, {
    at: { ...start, column },
    ...(words.next === undefined ? {} : { next: words.next }),
    data: {
      path: spot.path,
      span: words.length ?? spanOf(place),
      ...(words.note === undefined ? {} : { note: words.note }),
      ...(words.meant === undefined ? {} : { meant: words.meant }),
    },
  });
}

const quoteWidth = (spot: Spot): number =>
  isScalar(spot.node) && (spot.node.type === "QUOTE_DOUBLE" || spot.node.type === "QUOTE_SINGLE") ? 1 : 0;

function spanOf(spot: Spot): number {
  const range = spot.node?.range ?? spot.key?.range;
  if (!range) return 1;
  const [start, end] = [spot.text.lines.linePos(range[0]), spot.text.lines.linePos(range[1])];
  return start.line === end.line ? Math.max(1, end.col - start.col) : 1;
}

/** The value with aliases followed; null where there is none (a key without a value is as if it were not there). */
export function nodeOf(spot: Spot): ParsedNode | null {
  let node: unknown = spot.node;
  for (let hops = 0; isAlias(node) && hops < 10; hops++)
    node = spot.text.document ? node.resolve(spot.text.document) : null;
  if (isAlias(node) || (isScalar(node) && node.value === null)) return null;
  return (node as ParsedNode | null | undefined) ?? null;
}

/** The entries of a mapping in their order, or null if it is none. Keys that are no plain text are faults. */
export function entriesOf(spot: Spot): readonly (readonly [string, Spot])[] | null {
  const node = nodeOf(spot);
  if (!isMap(node)) return null;
  const seen = new Map<string, Spot>();
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? (pair.key as Scalar) : null;
    const name = key ? plain(key) : null;
    const child = { text: spot.text, node: pair.value as ParsedNode | null, key, path: join(spot.path, name ?? "?") };
    if (name === null) noteFault(child, "KEY_BAD", "a key has to be a plain text", { key: true });
    // Of two with one name the first counts; the second was told when the text was read.
    else if (!seen.has(name)) seen.set(name, child);
  }
  return [...seen];
}

/** The items of a list, or null if it is none. */
export function itemsOf(spot: Spot): readonly Spot[] | null {
  const node = nodeOf(spot);
  if (!isSeq(node)) return null;
  return node.items.map((item, index) => ({
    text: spot.text,
    node: item as ParsedNode | null,
    key: null,
    path: `${spot.path}[${index}]`,
  }));
}

/** The value below a key; an empty spot where there is none. */
export function child(spot: Spot, key: string): Spot {
  const found = entriesOf(spot)?.find(([name]) => name === key)?.[1];
  return found ?? { text: spot.text, node: null, key: spot.key, path: join(spot.path, key) };
}

/** The names below a key, also of what has a fault. */
export const namesAt = (spot: Spot, key: string): readonly string[] =>
  (entriesOf(child(spot, key)) ?? []).map(([name]) => name);

/** A scalar as it was written: `2048` and `yes` are texts too; null for a list, a mapping or nothing. */
export function textOf(spot: Spot): string | null {
  const node = nodeOf(spot);
  return isScalar(node) ? plain(node as Scalar) : null;
}
const plain = (scalar: Scalar): string | null =>
  typeof scalar.value === "string"
    ? scalar.value
    : scalar.value === null
      ? null
      : (scalar.source ?? String(scalar.value));

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);
