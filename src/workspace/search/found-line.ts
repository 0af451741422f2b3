import type { FoundLine } from "../../ports/searcher.ts";

/** Text as ripgrep tells it: UTF-8, or any bytes in base64. */
export type Told = { readonly text: string } | { readonly bytes: string };

export interface LineEvent {
  readonly absolute_offset: number;
  readonly lines: Told;
  readonly line_number: number | null;
  readonly submatches: readonly { readonly start: number; readonly end: number }[];
}

/** Characters of a line that are given. */
const WIDEST = 500;

/** The lines of an event: mostly one, with `--multiline` several. */
export function foundLines(event: LineEvent, isMatch: boolean): readonly FoundLine[] {
  const { text, base64 } = read(event.lines);
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const first = event.submatches[0];
  return lines.map((line, i) => ({
    line: event.line_number === null ? null : event.line_number + i,
    isMatch,
    ...(isMatch && i === 0 && first ? around(line, column(event.lines, first.start)) : around(line, null)),
    ...(base64 === undefined ? {} : { base64 }),
  }));
}

function read(told: Told): { readonly text: string; readonly base64?: string } {
  if ("text" in told) return { text: told.text };
  return { text: Buffer.from(told.bytes, "base64").toString("utf8"), base64: told.bytes };
}

/** Offsets are in bytes; people count characters. */
function column(told: Told, start: number): number {
  const bytes = "text" in told ? Buffer.from(told.text) : Buffer.from(told.bytes, "base64");
  return bytes.subarray(0, start).toString("utf8").length + 1;
}

/** A long line is cut around its match, so that this can be seen. */
function around(line: string, at: number | null): { text: string; column?: number; isCut?: true } {
  const told = at === null ? {} : { column: at };
  if (line.length <= WIDEST) return { text: visible(line), ...told };
  const from = Math.max(0, Math.min((at ?? 1) - 1 - WIDEST / 4, line.length - WIDEST));
  const part = line.slice(from, from + WIDEST);
  const text = `${from > 0 ? "…" : ""}${visible(part)}${from + WIDEST < line.length ? "…" : ""}`;
  return { text, ...told, isCut: true };
}

/** Control characters are written out: nothing in a file gives orders, or gets lost. */
const visible = (text: string): string =>
  text.replace(CONTROL, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
const CONTROL = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

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
