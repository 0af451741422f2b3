import { type LineCounter, Pair, type ParsedNode, Scalar, YAMLMap, YAMLSeq } from "yaml";

/**
 * Reads the YAML that nearly every task file is written in: one mapping of plain lines, quoted texts without escapes,
 * lists and short mappings of these. Gives the very nodes that the whole parser would, some ten times sooner; null for
 * everything else, faults above all: the whole parser is then asked. A backlog of 10,000 files is why this is here.
 */
export function parsePlain(yaml: string, lines: LineCounter): ParsedNode | null {
  if (UNUSUAL.test(yaml)) return null;
  const root = new YAMLMap();
  const seen = new Set<string>();
  let list: YAMLSeq | null = null;
  let indent = -1;
  let offset = 0;
  for (const line of yaml.split("\n")) {
    const start = offset;
    offset += line.length + 1;
    if (BLANK.test(line)) continue;
    const item = /^( {0,8})- (?=\S)/.exec(line);
    if (item) {
      if (!list || (indent >= 0 && indent !== item[1]!.length)) return null;
      indent = item[1]!.length;
      const value = valueAt(line, item[0].length, start);
      if (!value) return null;
      if (list.items.length === 0) list.range = [start + indent, start, start];
      list.items.push(value);
      continue;
    }
    const key = KEY.exec(line);
    if (!key || seen.has(key[1]!) || (list && list.items.length === 0)) return null;
    seen.add(key[1]!);
    [list, indent] = [null, -1];
    const node = scalar(key[1]!, key[1]!, { start, type: "PLAIN" });
    const rest = key[0].length === line.length;
    if (rest) list = new YAMLSeq();
    const value = rest ? list : valueAt(line, key[0].length, start);
    if (!value) return null;
    root.items.push(new Pair(node, value));
  }
  if (root.items.length === 0 || (list && list.items.length === 0)) return null;
  root.range = [0, yaml.length, yaml.length];
  countLines(yaml, lines);
  return root as unknown as ParsedNode;
}

const UNUSUAL = /[\t\r\uFEFF\u0085\u2028\u2029]|^(?:---|\.\.\.|%)|\n(?:---|\.\.\.)/;
const BLANK = /^ *(?:#.*)?$/;
const KEY = /^([a-z][a-z_]{0,40}):(?: +(?=\S)|$)/;

const QUOTED = /"[^"\\]*"|'[^']*'/y;
/** A plain text that cannot be anything else, in a block and in a list or mapping written on one line. */
const IN_BLOCK = /[A-Za-z_/.](?:[^:#\s]|:(?=[^\s])|(?<=\S)#| (?![ #]|$))*/y;
const IN_FLOW = /[A-Za-z_/.][\w./*+()=<>@~%^$-]*(?: [\w./*+()=<>@~%^$-]+)*/y;
const NUMBER = /(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?(?=[\s,\]}]|$)/y;
const NO_TEXT = /^(?:true|false|null|\.?inf|\.?nan|\.[\d].*|\.)$/i;

/** The one value that fills a line from `at`; null: there is something else. */
function valueAt(line: string, at: number, lineStart: number): ParsedNode | null {
  const read = readNode(line, at, { lineStart, flow: false });
  return read && /^ *(?: #.*)?$/.test(line.slice(read.end)) ? read.node : null;
}

interface Read {
  readonly node: ParsedNode;
  readonly end: number;
}
interface Where {
  readonly lineStart: number;
  readonly flow: boolean;
}

function readNode(line: string, at: number, where: Where): Read | null {
  const first = line[at];
  if (first === "[") return where.flow ? null : readList(line, at, where.lineStart);
  if (first === "{") return where.flow ? null : readMapping(line, at, where.lineStart);
  const start = where.lineStart + at;
  const quoted = match(QUOTED, line, at);
  if (quoted !== null) {
    const type = first === '"' ? "QUOTE_DOUBLE" : "QUOTE_SINGLE";
    const inner = quoted.slice(1, -1);
    return { node: scalar(inner, inner, { start, type, width: quoted.length }), end: at + quoted.length };
  }
  const number = match(NUMBER, line, at);
  // What goes on after a number is a text that begins with one: 2 items.
  if (number !== null && (where.flow || /^ *(?: #.*)?$/.test(line.slice(at + number.length))))
    return { node: scalar(Number(number), number, { start, type: "PLAIN" }), end: at + number.length };
  const text = match(where.flow ? IN_FLOW : IN_BLOCK, line, at);
  if (text === null) return null;
  const word = text === "true" ? true : text === "false" ? false : NO_TEXT.test(text) ? null : text;
  return word === null ? null : { node: scalar(word, text, { start, type: "PLAIN" }), end: at + text.length };
}

const match = (pattern: RegExp, line: string, at: number): string | null => {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? null;
};

const past = (line: string, at: number): number => {
  let end = at;
  while (line[end] === " ") end++;
  return end;
};

function readList(line: string, at: number, lineStart: number): Read | null {
  const list = new YAMLSeq();
  const end = readItems({ line, at: at + 1, closing: "]" }, (from) => {
    const read = readNode(line, from, { lineStart, flow: true });
    if (read) list.items.push(read.node);
    return read?.end ?? null;
  });
  return end === null ? null : done(list, { lineStart, at, end });
}

function readMapping(line: string, at: number, lineStart: number): Read | null {
  const map = new YAMLMap();
  const seen = new Set<string>();
  const end = readItems({ line, at: at + 1, closing: "}" }, (from) => {
    const key = /^([a-z][a-z_]{0,40}): +/.exec(line.slice(from, from + 60));
    if (!key || seen.has(key[1]!)) return null;
    seen.add(key[1]!);
    const read = readNode(line, from + key[0].length, { lineStart, flow: true });
    if (read) map.items.push(new Pair(scalar(key[1]!, key[1]!, { start: lineStart + from, type: "PLAIN" }), read.node));
    return read?.end ?? null;
  });
  return end === null ? null : done(map, { lineStart, at, end });
}

const done = (node: YAMLSeq | YAMLMap, of: { lineStart: number; at: number; end: number }): Read => {
  const end = of.lineStart + of.end;
  node.flow = true;
  node.range = [of.lineStart + of.at, end, end];
  return { node: node as unknown as ParsedNode, end: of.end };
};

/** Items with commas between them up to the closing bracket; gives the place after it, or null. */
function readItems(
  of: { line: string; at: number; closing: string },
  item: (from: number) => number | null,
): number | null {
  let at = past(of.line, of.at);
  if (of.line[at] === of.closing) return at + 1;
  for (;;) {
    const end = item(at);
    if (end === null) return null;
    at = past(of.line, end);
    if (of.line[at] === of.closing) return at + 1;
    if (of.line[at] !== ",") return null;
    at = past(of.line, at + 1);
  }
}

function scalar(value: unknown, source: string, of: { start: number; type: Scalar.Type; width?: number }): ParsedNode {
  const node = new Scalar(value);
  const end = of.start + (of.width ?? source.length);
  node.source = source;
  node.type = of.type;
  node.range = [of.start, end, end];
  return node as unknown as ParsedNode;
}

function countLines(yaml: string, lines: LineCounter): void {
  lines.addNewLine(0);
  for (let at = yaml.indexOf("\n"); at >= 0; at = yaml.indexOf("\n", at + 1)) lines.addNewLine(at + 1);
}
