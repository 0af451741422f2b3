/** A word of a command, as far as it is known before it runs. */
export interface Word {
  /** without its quotes; null: it holds a variable, a glob or another command's output, and may become several words */
  readonly value: string | null;
  /** as it is written */
  readonly raw: string;
}

/** One program that a text starts, with what it is given. */
export interface SimpleCommand {
  readonly words: readonly Word[];
  /** names of variables that are set for it alone */
  readonly sets: readonly string[];
  /** what it reads, where that stands in the text; null: that is not known before it runs */
  readonly input: string | null;
}

/** The text cannot be read as a POSIX shell would read it, or nobody can tell. */
export class Unreadable extends Error {}

export const known = (value: string): Word => ({ value, raw: value });
export const UNKNOWN: Word = { value: null, raw: "…" };
