/** Sequences that move a cursor, colour or name windows; then every other control character but tab and newline. */
// biome-ignore format: one pattern a line
const SEQUENCES = new RegExp([
  "\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?",
  "\\u001b[\\[][0-?]*[ -/]*[@-~]?",
  "\\u001b[@-Z\\\\-_]?",
].join("|"), "g");
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from agents, files and people as it may go to a terminal: nothing in it gives orders. Line ends are kept. */
export const printable = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(SEQUENCES, "").replace(CONTROLS, "");

/** The same on one line. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim();

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const NONE = /\p{Mark}|\u200b|\u200d/u;

/** Columns that a text fills on a terminal: wide characters two, accents of their own none. */
export function width(text: string): number {
  let columns = 0;
  for (const char of text) columns += char < "\u0300" ? 1 : NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return columns;
}

/** The text filled up to that many columns. */
export const padEnd = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)));

/** The text, cut at its end where it has more columns. */
export function cut(text: string, columns: number): string {
  if (width(text) <= columns) return text;
  let kept = "";
  for (const char of text) {
    if (width(kept + char) > columns - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** Rows in columns, two spaces between them; the last column is not filled up. */
export function table(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => width(row[i] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, i) => padEnd(cell, widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}
