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
  new PawlError("IMPORT_BAD", `it cannot be imported: ${what.replace(/\s+/g, " ")}`, {
    at: line === undefined ? { file } : { file, line },
    next: "mend it there, or name what it is with --from. Nothing was written.",
  });

/** A text that a foreign field holds; what is no text is none. */
export const textOf = (value: unknown): string =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";

/** What fields of one entry hold. Each throws IMPORT_BAD where it would be lost: where it is of another kind. */
export interface Fields {
  readonly owner: string;
  readonly file: string;
  readonly line?: number;
}

export function unfit({ owner, file, line }: Fields, what: string, value: unknown): PawlError {
  return bad(file, `${what} of "${owner}" cannot be ${(JSON.stringify(value) ?? "nothing").slice(0, 60)}`, line);
}

/** Empty where the field is not there. */
export function listIn(value: unknown, what: string, of: Fields): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw unfit(of, what, value);
}

/** Names in a list, or in a text with commas between them. */
export function namesIn(value: unknown, what: string, of: Fields): readonly string[] {
  const list = typeof value === "string" || typeof value === "number" ? String(value).split(",") : value;
  return listIn(list, what, of)
    .map((one) => {
      if (typeof one !== "string" && typeof one !== "number") throw unfit(of, what, one);
      return textOf(one);
    })
    .filter((name) => name !== "");
}

/** A text, or the lines of a list of them. */
export function textIn(value: unknown, what: string, of: Fields): string {
  if (typeof value === "string" || typeof value === "number") return textOf(value);
  return listIn(value, what, of)
    .map((line) => {
      if (typeof line !== "string") throw unfit(of, what, line);
      return line;
    })
    .join("\n")
    .trim();
}

/** Paragraphs and headed parts, those that say nothing left out. */
export const bodyOf = (first: string, parts: Readonly<Record<string, string>> = {}): string =>
  [first, ...Object.entries(parts).flatMap(([title, text]) => (text === "" ? [] : [`## ${title}\n\n${text}`]))]
    .filter((part) => part !== "")
    .join("\n\n");
