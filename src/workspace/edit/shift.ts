import type { ByteText } from "./byte-text.ts";

/** How the file's lines are indented compared with the hunk's: all by `add` more, or all by `take` less. */
export interface Shift {
  readonly add: string;
  readonly take: string;
}

export const NO_SHIFT: Shift = { add: "", take: "" };

/** What leads from the hunk's indent to the file's; null: neither ends with the other. */
export function shiftBetween(hunk: string, file: string): Shift | null {
  if (file.endsWith(hunk)) return { add: file.slice(0, file.length - hunk.length), take: "" };
  if (hunk.endsWith(file)) return { add: "", take: hunk.slice(0, hunk.length - file.length) };
  return null;
}

/** A line of the hunk as it stands in the file; null: it is not indented enough for that. Blank lines stay. */
export function shifted(line: ByteText, { add, take }: Shift): ByteText | null {
  if (/^[ \t\r\n]*$/.test(line)) return line;
  if (take !== "") return line.startsWith(take) ? line.slice(take.length) : null;
  return add + line;
}
