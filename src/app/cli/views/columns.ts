import { cut, width } from "../printable.ts";

/** A piece of a line; colour is put on when its place is known, so that it takes no room. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** Columns that a view may fill, unless the terminal is narrower. */
export const WIDTH = 100;

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text);

/**
 * Rows in columns, two spaces apart, within `width`: where they do not fit, the cells of the columns in `flex` are cut
 * at their end (the last named first), down to 8 columns each; all others, ids and commands above all, are never cut.
 */
export function inColumns(
  rows: readonly (readonly Cell[])[],
  of: {
    readonly right?: readonly number[];
    readonly flex: readonly number[];
    readonly width: number;
    readonly more: string;
  },
): readonly string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) =>
    rows.reduce((most, row) => Math.max(most, width(textOf(row[i] ?? ""))), 0),
  );
  let over = widths.reduce((sum, one) => sum + one, 0) + 2 * (count - 1) - of.width;
  for (const i of [...of.flex].reverse()) {
    const less = Math.min(Math.max(0, over), Math.max(0, (widths[i] ?? 0) - LEAST));
    widths[i] = (widths[i] ?? 0) - less;
    over -= less;
  }
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      place(cell, {
        columns: widths[i]!,
        right: of.right?.includes(i) ?? false,
        last: i === row.length - 1,
        more: of.more,
        isFlex: of.flex.includes(i),
      }),
    );
    return cells.join("  ").trimEnd();
  });
}
const LEAST = 8;

function place(
  cell: Cell,
  of: { columns: number; right: boolean; last: boolean; more: string; isFlex: boolean },
): string {
  const text = of.isFlex ? cut(textOf(cell), of.columns, of.more) : textOf(cell);
  const room = " ".repeat(Math.max(0, of.columns - width(text)));
  const shown = typeof cell === "string" ? text : cell.paint(text);
  return of.right ? room + shown : of.last ? shown : shown + room;
}

/** Words on lines of at most `columns`, the lines after the first moved in by `indent`. A word is never cut. */
export function wrapped(text: string, of: { readonly columns: number; readonly indent: number }): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && width(line) + 1 + width(word) > of.columns) {
      lines.push(line);
      line = " ".repeat(of.indent) + word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
