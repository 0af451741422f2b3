import { stripVTControlCharacters } from "node:util";
import { width } from "../printable.ts";

/** Where a picture is drawn. */
export interface Out {
  write(text: string): unknown;
  /** a slow reader has not taken what was written before */
  readonly writableNeedDrain?: boolean;
}

/**
 * Lines that scroll up, and a block below them that is drawn again in place: by cursor up and erase, in one write, with
 * no alternate screen and the cursor never hidden, so that nothing has to be put back whatever ends the program.
 */
export interface Screen {
  /** puts lines above the block and draws it again */
  draw(lines: readonly string[], block: readonly string[]): void;
  /** takes the block away */
  clear(): void;
}

/** `size` is asked at each draw: a terminal that was made narrower has broken the lines that it shows. */
export function screen(out: Out, size: () => { readonly columns: number; readonly rows: number }): Screen {
  let shown: readonly string[] = [];
  const erase = (): string => {
    const up = heightOf(shown, size().columns);
    return up === 0 ? "" : `\r\u001b[${up}A\u001b[J`;
  };
  return {
    draw(lines, block) {
      const { columns, rows } = size();
      const fitting = fittingIn(block, { columns, rows });
      out.write(erase() + [...lines, ...fitting].map((line) => `${line}\n`).join(""));
      shown = fitting;
    },
    clear() {
      const text = erase();
      if (text !== "") out.write(text);
      shown = [];
    },
  };
}

/** Rows of the terminal that lines take. */
const heightOf = (lines: readonly string[], columns: number): number =>
  lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(width(stripVTControlCharacters(line)) / Math.max(1, columns))),
    0,
  );

/** What is higher than the terminal could not be taken back: its top has scrolled away. */
function fittingIn(block: readonly string[], { columns, rows }: { columns: number; rows: number }): readonly string[] {
  let fitting = block;
  while (fitting.length > 0 && heightOf(fitting, columns) >= rows) fitting = fitting.slice(0, -1);
  return fitting;
}
