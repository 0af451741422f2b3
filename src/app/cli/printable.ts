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

/** What this program paints with itself (palette.ts), and nothing else. */
const OURS = /^\u001b\[(?:0|1|2|22|31|32|33|36|39)m$/;
const ORDERS = new RegExp(`${SEQUENCES.source}|${CONTROLS.source}`, "g");

/**
 * The last look at a text before it goes out, whoever made it: our colours stay, every other order to a terminal goes.
 * Whether it is a terminal does not matter: what is in a file is shown on one later.
 */
export const harmless = (text: string): string =>
  text.replace(/\r\n/g, "\n").replace(ORDERS, (found) => (OURS.test(found) ? found : ""));

/** JSON that a terminal shows as it is: what JSON leaves bare, and a terminal obeys, is escaped. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A text as `printable` has it, on one line. */
export const oneLine = (text: string): string => printable(text).replace(/\s+/g, " ").trim();

/** East Asian Wide and Fullwidth, and what is shown as a picture by itself. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const NONE = /\p{Mark}|\u200b|\u200d/u;

/** Columns that a text fills on a terminal: wide characters two, accents of their own none. */
export function width(text: string): number {
  let columns = 0;
  for (const char of text) columns += char < "\u0300" ? 1 : NONE.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
  return columns;
}

/** The text filled up to that many columns. */
export const padEnd = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)));

/** The text, cut at its end where it has more columns; `more` says so. */
export function cut(text: string, columns: number, more = "…"): string {
  // Each column takes a character at least, most of them with no accents: what lies far behind is not looked at.
  if (text.length <= columns * 8 && width(text) <= columns) return text;
  let kept = "";
  let left = columns - width(more);
  for (const char of text) {
    left -= width(char);
    if (left < 0) break;
    kept += char;
  }
  return kept + more;
}

/** Rows in columns, two spaces between them; the last column is not filled up. A row is a line, whatever is in it. */
export function table(all: readonly (readonly string[])[]): readonly string[] {
  const rows = all.map((row) => row.map((cell) => cell.replace(/\s*[\r\n\u2028\u2029]\s*/g, " ")));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) => Math.max(...rows.map((row) => width(row[i] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, i) => padEnd(cell, widths[i]!))
      .join("  ")
      .trimEnd(),
  );
}
