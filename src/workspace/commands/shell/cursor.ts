import type { SimpleCommand } from "./word.ts";
import { Unreadable } from "./word.ts";

/** A here-document whose body begins behind the next end of a line. */
export interface Pending {
  readonly delimiter: string;
  /** nothing in it is expanded */
  readonly isLiteral: boolean;
  readonly stripsTabs: boolean;
  readonly read: (text: string | null) => void;
}

/** Where the reading of a text is, and what was found. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** every command, also those in substitutions, in the order of their ends */
  readonly found: SimpleCommand[];
  pending: Pending[];
  depth: number;
}

export const cursorOn = (text: string): Cursor => ({
  text,
  at: 0,
  found: [],
  pending: [],
  depth: 0,
});

export const peek = (on: Cursor, text: string): boolean => on.text.startsWith(text, on.at);
export const isOver = (on: Cursor): boolean => on.at >= on.text.length;

export function take(on: Cursor, text: string): boolean {
  if (!peek(on, text)) return false;
  on.at += text.length;
  return true;
}

export function expectText(on: Cursor, text: string): void {
  if (!take(on, text)) throw new Unreadable(`${text} is missing at character ${on.at + 1}`);
}

/** Up to `end`, which is passed; throws where it never comes. */
export function takeUntil(on: Cursor, end: string, what: string): string {
  const at = on.text.indexOf(end, on.at);
  if (at < 0) throw new Unreadable(`${what} that begins before character ${on.at + 1} has no end`);
  const inside = on.text.slice(on.at, at);
  on.at = at + end.length;
  return inside;
}

/** Spaces, continued lines and comments: what separates words and means nothing. */
export function skipBlanks(on: Cursor): void {
  for (;;) {
    if (take(on, " ") || take(on, "\t") || take(on, "\\\n")) continue;
    if (!peek(on, "#")) return;
    const end = on.text.indexOf("\n", on.at);
    on.at = end < 0 ? on.text.length : end;
  }
}

/** Deeper than anybody writes, and than a stack holds. */
const DEEPEST = 100;

export function nested<T>(on: Cursor, read: () => T): T {
  if (++on.depth > DEEPEST) throw new Unreadable("it is nested too deep");
  const result = read();
  on.depth--;
  return result;
}
