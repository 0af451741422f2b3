import { readLenientAt } from "../../protocol/lenient-json.ts";
import { readCallAt } from "./call-text.ts";

/**
 * How something stands in an answer: behind a mark that says that an action follows (marked), by itself at the beginning
 * of a line, in a fence or behind a whole sentence (alone), or in the middle of words (inline).
 */
export type Standing = "marked" | "alone" | "inline";

/** What a dialect's actions look like. */
export interface Grammar {
  /** where the next one may begin, from `from` on; -1: nowhere */
  next(text: string, from: number): number;
  /** whether what stands there is taken for one; what is not, is words */
  isOne(text: string, at: number, standing: Standing): boolean;
  /** Reads it; throws a SyntaxError that says why it cannot be read. */
  read(text: string, at: number): { readonly value: unknown; readonly end: number };
}

export const JSON_OBJECTS: Grammar = {
  next: (text, from) => text.indexOf("{", from),
  isOne: (text, at, standing) =>
    standing !== "inline" || /^\{\s{0,20}["'\u201c]?(?:action|name)["'\u201d]?\s{0,20}:/.test(text.slice(at, at + 60)),
  read: readLenientAt,
};

/** Calls: behind a mark of any name, elsewhere of the names that the dialect knows. */
export function calls(names: readonly string[]): Grammar {
  const known = new Set(names);
  const opening = /[A-Za-z_][\w.]{0,60}\(/g;
  return {
    next(text, from) {
      opening.lastIndex = from;
      return opening.exec(text)?.index ?? -1;
    },
    isOne(text, at, standing) {
      const name = text.slice(at, text.indexOf("(", at));
      const isWhole = !/[\w.]/.test(text[at - 1] ?? " ");
      return isWhole && (standing === "marked" || known.has(name));
    },
    read(text, at) {
      const { call, end } = readCallAt(text, at);
      return { value: call, end };
    },
  };
}
