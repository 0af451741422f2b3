import type { FoundLine } from "../../ports/searcher.ts";

import type { LineEvent, Told } from "./line-event.ts";

/** Characters of a line that are given. */
const WIDEST = 500;

/** The lines of an event: mostly one, with `--multiline` several. */
export function foundLines({ lines, line_number, submatches }: LineEvent, isMatch: boolean): readonly FoundLine[] {
  const base64 = "bytes" in lines ? lines.bytes : undefined;
  const text = "text" in lines ? lines.text : Buffer.from(lines.bytes, "base64").toString("utf8");
  const start = isMatch ? submatches[0]?.start : undefined;
  return split(text).map((line, i) => {
    const at = i === 0 && start !== undefined ? column(lines, start) : undefined;
    const found = { line: line_number === null ? null : line_number + i, text: visible(line), isMatch };
    if (line.length > WIDEST) Object.assign(found, { text: around(line, at ?? 1), isCut: true });
    if (at !== undefined) Object.assign(found, { column: at });
    return base64 === undefined ? found : { ...found, base64 };
  });
}

/** Without the ends of lines. */
function split(text: string): readonly string[] {
  const end = text.indexOf("\n");
  if (end >= 0 && end < text.length - 1) return text.replace(/\r?\n$/, "").split(/\r?\n/);
  return [text.slice(0, end < 0 ? undefined : text[end - 1] === "\r" ? end - 1 : end)];
}

/** Offsets are in bytes; people count characters. */
function column(told: Told, start: number): number {
  if ("text" in told && Buffer.byteLength(told.text) === told.text.length) return start + 1;
  const bytes = "text" in told ? Buffer.from(told.text) : Buffer.from(told.bytes, "base64");
  return bytes.subarray(0, start).toString("utf8").length + 1;
}

/** A long line is cut around its match, so that this can be seen. */
function around(line: string, at: number): string {
  const from = Math.max(0, Math.min(at - 1 - WIDEST / 4, line.length - WIDEST));
  return `${from > 0 ? "…" : ""}${visible(line.slice(from, from + WIDEST))}${from + WIDEST < line.length ? "…" : ""}`;
}

/** Control characters are written out: nothing in a file gives orders, or gets lost. */
const visible = (text: string): string =>
  HAS_CONTROL.test(text)
    ? text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
    : text;
const HAS_CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/;
const CONTROL = new RegExp(HAS_CONTROL, "g");

/** Neither UTF-8 nor without control characters: what it says is nothing for people. */
export const isGarbage = ({ text, base64 }: FoundLine): boolean => base64 !== undefined && /\\x[01]/.test(text);

/** A name's bytes: `key` is in the order of bytes, `path` can be shown. */
export function pathOf(told: Told): { readonly key: string; readonly path: string; readonly base64?: string } {
  if ("text" in told) {
    const path = told.text.replace(/^\.\//, "");
    return { path, key: /^[\x00-\x7f]*$/.test(path) ? path : Buffer.from(path).toString("latin1") };
  }
  const key = Buffer.from(told.bytes, "base64").toString("latin1").replace(/^\.\//, "");
  return { key, path: shown(key), base64: Buffer.from(key, "latin1").toString("base64") };
}

/** Whole characters of UTF-8 as they are, any other byte as \xNN. */
function shown(bytes: string): string {
  const wide = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g;
  return bytes.replace(wide, (part) => {
    const text = Buffer.from(part, "latin1").toString("utf8");
    return text.includes("\ufffd") ? [...part].map((byte) => `\\x${byte.charCodeAt(0).toString(16)}`).join("") : text;
  });
}
