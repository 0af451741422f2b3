import { PawlError } from "../../domain/errors.ts";

/** One piece of work as another tool has it. */
export interface Item {
  /** its id there: what others depend on it by */
  readonly key: string;
  readonly title: string;
  readonly body: string;
  /** keys */
  readonly deps: readonly string[];
  readonly criteria: readonly string[];
  readonly labels: readonly string[];
  /** done or dropped there: it makes no task, and what depends on it does not wait */
  readonly isOver: boolean;
  /** where it stands, from 1; missing: the format knows no lines */
  readonly line?: number;
}

/** Reads a file of another tool. `file` names it in errors. Throws IMPORT_BAD with the place. */
export type ReadItems = (text: string, file: string) => readonly Item[] | Promise<readonly Item[]>;

export const bad = (file: string, what: string, line?: number): PawlError =>
  new PawlError("IMPORT_BAD", `it cannot be imported: ${what}`, {
    at: line === undefined ? { file } : { file, line },
    next: "mend it there, or name what it is with --from. Nothing was written.",
  });

/** A text that a foreign field holds; what is no text is none. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [];

/** Paragraphs and headed parts, those that say nothing left out. */
export const bodyOf = (first: string, parts: Readonly<Record<string, string>> = {}): string =>
  [first, ...Object.entries(parts).flatMap(([title, text]) => (text === "" ? [] : [`## ${title}\n\n${text}`]))]
    .filter((part) => part !== "")
    .join("\n\n");
