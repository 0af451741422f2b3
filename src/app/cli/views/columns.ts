import { cut, width } from "../printable.ts";

/** A piece of a line; colour is put on when its place is known, so that it takes no room. `whole`: never cut. */
export type Cell =
  | string
  | { readonly text: string; readonly paint: (text: string) => string; readonly whole?: boolean };

/** Columns that a view may fill, unless the terminal is narrower. */
export const WIDTH = 100;

export interface Grid {
  /** columns that are filled up on their left */
  readonly right?: readonly number[];
  /** columns that may be cut at their end where the rows do not fit, in this order, each down to `least` columns */
  readonly flex: readonly { readonly column: number; readonly least: number }[];
  readonly width: number;
  /** says that something was cut */
  readonly more: string;
}

/** Rows in columns, two spaces apart. What may not be cut (ids and commands above all) may make a line longer than `width`. */
export function inColumns(rows: readonly (readonly Cell[])[], grid: Grid): readonly string[] {
  const widths = fitted(rows, grid);
  return rows.map((row) =>
    row
      .map((cell, column) =>
        placed(cell, { columns: widths[column]!, column, isLast: column === row.length - 1, grid }),
      )
      .join("  ")
      .trimEnd(),
  );
}

function fitted(rows: readonly (readonly Cell[])[], { flex, width: most }: Grid): readonly number[] {
  const count = rows.reduce((longest, row) => Math.max(longest, row.length), 0);
  const widths = Array.from({ length: count }, (_, column) => widest(rows, column, () => true));
  let over = widths.reduce((sum, one) => sum + one, 0) + 2 * (count - 1) - most;
  for (const { column, least } of flex) {
    const floor = Math.max(least, widest(rows, column, isWhole));
    const less = Math.min(Math.max(0, over), Math.max(0, (widths[column] ?? 0) - floor));
    widths[column] = (widths[column] ?? 0) - less;
    over -= less;
  }
  return widths;
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text);
const isWhole = (cell: Cell): boolean => typeof cell === "object" && cell.whole === true;
const widest = (rows: readonly (readonly Cell[])[], column: number, counts: (cell: Cell) => boolean): number =>
  rows.reduce((most, row) => {
    const cell = row[column] ?? "";
    return counts(cell) ? Math.max(most, width(textOf(cell))) : most;
  }, 0);

function placed(
  cell: Cell,
  { columns, column, isLast, grid }: { columns: number; column: number; isLast: boolean; grid: Grid },
): string {
  const mayCut = !isWhole(cell) && grid.flex.some((one) => one.column === column);
  const text = mayCut ? cut(textOf(cell), columns, grid.more) : textOf(cell);
  const room = " ".repeat(Math.max(0, columns - width(text)));
  const shown = typeof cell === "string" ? text : cell.paint(text);
  return grid.right?.includes(column) ? room + shown : isLast ? shown : shown + room;
}

/** Words on lines of at most `columns`, the lines after the first moved in by `indent`. A word is never cut. */
export function wrapped(text: string, of: { readonly columns: number; readonly indent: number }): readonly string[] {
  const lines: string[] = [];
  let line: string | null = null;
  for (const word of text.split(" ")) {
    if (line !== null && width(line) + 1 + width(word) > of.columns) {
      lines.push(line);
      line = " ".repeat(of.indent) + word;
    } else line = line === null ? word : `${line} ${word}`;
  }
  return [...lines, line ?? ""].map((one) => one.replaceAll("\u00a0", " "));
}

/** Words that stay together when a text is wrapped. */
export const together = (text: string): string => text.replaceAll(" ", "\u00a0");
