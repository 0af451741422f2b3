import type { ByteText } from "./byte-text.ts";
import type { Target } from "./target.ts";

/** The line end of a line: "\r\n", "\n", or "" where it has none. */
export const endingOf = (line: ByteText): ByteText =>
  line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";

/** The line end for a line that is put before this one: as the line above it, else as the one below, else "\n". */
export function endingBefore(target: Target, line: number): ByteText {
  const above = line > 0 ? endingOf(target.line(line - 1)) : "";
  return above || endingOf(target.line(line)) || endingOfFirst(target) || "\n";
}

const endingOfFirst = (target: Target): ByteText => (target.lineCount > 0 ? endingOf(target.line(0)) : "");

/** Every line end as "\n". */
export const fold = (text: ByteText): ByteText => text.replaceAll("\r\n", "\n");

/** A text whose line ends nobody has chosen, with those of the file. */
export const withEnding = (text: ByteText, ending: ByteText): ByteText =>
  ending === "\r\n" && !text.includes("\r") ? text.replaceAll("\n", "\r\n") : text;
