/** Languages that there is a grammar for. */
export const LANGUAGES = [
  "typescript",
  "tsx",
  "javascript",
  "python",
  "rust",
  "go",
  "java",
  "c",
  "cpp",
  "csharp",
  "ruby",
  "php",
] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a definition is; its place in this list is what stands in an outline. */
export const DEFINITION_KINDS = [
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "module",
  "variable",
  "constant",
  "field",
  "macro",
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** How a name is used; its place in this list is what stands in an outline. */
export const REFERENCE_KINDS = ["call", "new", "extends", "type", "use"] as const;
export type ReferenceKind = (typeof REFERENCE_KINDS)[number];

/** How a file says that it needs another; its place in this list is what stands in an outline. */
export const IMPORT_KINDS = ["module", "relative", "include", "submodule"] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** How many numbers a row of each column has. */
export const WIDTH = { definitions: 7, references: 4, imports: 4 } as const;

/**
 * What a file holds, as columns, so that a repository's fits into memory and goes between threads without being copied.
 * `texts` are parted by line feeds, the first is empty; a text in a row is its place among them. Lines and columns count
 * from 1, columns in UTF-16 units; the end of a definition is where its last character stands.
 */
export interface Outline {
  /** rows of: kind, name, line, column, end line, end column, signature line (a text) */
  readonly definitions: Uint32Array;
  /** rows of: kind, name, line, column; in the order of the file */
  readonly references: Uint32Array;
  /** rows of: kind, what is named (a text), a member of it (a text, or 0), line */
  readonly imports: Uint32Array;
  /** hashes of the words in the file, ascending, each once */
  readonly words: Uint32Array;
  /** how often each of `words` is there, at most 65,535 */
  readonly wordCounts: Uint16Array;
  /** hashes of the words in the names of what it defines, ascending, each once */
  readonly defined: Uint32Array;
  readonly texts: string;
  /** what the file calls its package, namespace or module; empty: it does not say */
  readonly module: string;
  readonly lines: number;
  /** words in the file, all together */
  readonly length: number;
}

/** Why a file has no outline. */
export type NotParsed = "too-big" | "binary" | "time-limit" | "crashed" | "stopped";

export type Parsed =
  | { readonly kind: "parsed"; readonly outline: Outline }
  | { readonly kind: "failed"; readonly why: NotParsed; readonly detail: string };

export interface Source {
  readonly path: string;
  readonly language: Language;
  /** nobody changes them as long as it is parsed */
  readonly bytes: Uint8Array;
}

/**
 * Reads definitions, references, imports and words out of source text.
 *
 * Contract: `parse` never rejects; a file that cannot be parsed is `failed`, and says why. A grammar that hangs or
 * crashes costs the file that it was at, and no other one: those before and behind it come out as if it were not
 * there. Text with faults in its syntax is parsed as far as it goes. The same bytes give the same outline, whatever was
 * parsed before. Many may be asked at once; they are parsed on all cores. After `close` everything still asked is
 * `failed`, stopped, and nothing is left running.
 */
export interface Parser {
  parse(source: Source): Promise<Parsed>;
  close(): Promise<void>;
}
