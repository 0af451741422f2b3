import { cut, width } from "../printable.ts";

/**
 * A piece of a line; colour is put on when its place is known, so that it takes no room. `whole`: never cut. `loose`: its
 * column is not made wider for it than so many; what does not fit moves the rest of its own row.
 */
export type Cell =
  | string
  | {
      readonly text: string;
      readonly paint: (text: string) => string;
      readonly whole?: boolean;
      readonly loose?: number;
    };

/** Columns that a view may fill, unless the terminal is narrower. */
export const WIDTH = 100;

export interface Grid {
  /** columns that are filled up on their left */
  readonly right?: readonly number[];
  /** columns that may be cut at their end where the rows do not fit, in this order, each down to `least` columns */
  readonly flex: readonly { readonly column: number; readonly least: number }[];
  readonly width: number;
  /** columns that are left out, in this order, where the rows do not fit though all was cut that may be */
  readonly drop?: readonly number[];
  /** says that something was cut */
  readonly more: string;
}

/** Rows in columns, two spaces apart. What may not be cut (ids and commands above all) may make a line longer than `width`. */
export function inColumns(rows: readonly (readonly Cell[])[], grid: Grid): readonly string[] {
  const { widths, left } = fitting(rows, grid);
  return rows.map((row) =>
    row
      .flatMap((cell, column) =>
        left.has(column)
          ? []
          : [placed(cell, { columns: widths[column]!, column, isLast: column === row.length - 1, grid })],
      )
      .join("  ")
      .trimEnd(),
  );
}

/** The width of each column, and which are left out. */
function fitting(rows: readonly (readonly Cell[])[], grid: Grid) {
  const { drop = [], width: most } = grid;
  for (let n = 0; ; n++) {
    const left = new Set(drop.slice(0, n));
    const widths = fitted(rows, left, grid);
    if (n >= drop.length || lengthOf(widths, left) <= most) return { widths, left };
  }
}

const lengthOf = (widths: readonly number[], left: ReadonlySet<number>): number =>
  widths.reduce((sum, one, column) => (left.has(column) ? sum : sum + one + 2), -2);

function fitted(
  rows: readonly (readonly Cell[])[],
  left: ReadonlySet<number>,
  { flex, width: most }: Grid,
): readonly number[] {
  const count = rows.reduce((longest, row) => Math.max(longest, row.length), 0);
  const widths = Array.from({ length: count }, (_, column) => widest(rows, column, () => true));
  let over = lengthOf(widths, left) - most;
  for (const { column, least } of flex) {
    if (left.has(column)) continue;
    const floor = Math.max(least, widest(rows, column, isWhole));
    const less = Math.min(Math.max(0, over), Math.max(0, (widths[column] ?? 0) - floor));
    widths[column] = (widths[column] ?? 0) - less;
    over -= less;
  }
  return widths;
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text);
const isWhole = (cell: Cell): boolean => typeof cell === "object" && cell.whole === true;
const looseOf = (cell: Cell): number => (typeof cell === "object" && cell.loose) || Number.POSITIVE_INFINITY;
const widest = (rows: readonly (readonly Cell[])[], column: number, counts: (cell: Cell) => boolean): number =>
  rows.reduce((most, row) => {
    const cell = row[column] ?? "";
    return counts(cell) ? Math.max(most, Math.min(width(textOf(cell)), looseOf(cell))) : most;
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
