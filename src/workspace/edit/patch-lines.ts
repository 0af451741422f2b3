import type { ByteText } from "./byte-text.ts";

/** What was sent, line by line, without line ends but with what stands before them (`\r` is part of a hunk's line). */
export interface PatchLines {
  readonly lines: readonly ByteText[];
  /** index of the next line */
  at: number;
}

export function patchLines(text: ByteText): PatchLines {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return { lines, at: 0 };
}

/** The next line, not taken; undefined at the end. */
export const peek = (from: PatchLines, ahead = 0): ByteText | undefined => from.lines[from.at + ahead];

/** A line that is no content: what a patch that went through CRLF has at its end is not part of it. */
export const bare = (line: ByteText): ByteText => (line.endsWith("\r") ? line.slice(0, -1) : line);

/** 1-based number of the next line. */
export const lineNumber = (from: PatchLines): number => from.at + 1;
