import type { Language } from "../../../ports/parser.ts";
import type { Import } from "../outline-rows.ts";
import type { Places } from "./places.ts";

/** A source file as imports see it. */
export interface Importer {
  readonly path: string;
  readonly language: Language;
  /** what it calls its package, namespace or module; empty: nothing */
  readonly module: string;
}

/** What a tree says about where its imports lead. */
export interface Layout {
  readonly places: Places;
  readonly sources: readonly Importer[];
  /** texts of the files that `isLayoutFile` names, by path */
  readonly texts: ReadonlyMap<string, string>;
}

/** Files of the tree that an import leads to; none, where it leads out of it or is not understood. */
export type Resolve = (from: Importer, wanted: Import) => readonly string[];

/** An import as it stands in a file, without its quotes or brackets. */
export const bare = (specifier: string): string => specifier.replace(/^['"`<]|['"`>]$/g, "");

const LAYOUT = new Set(["package.json", "go.mod", "Cargo.toml", "composer.json"]);

/** Whether a file's text says where imports lead. */
export function isLayoutFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return LAYOUT.has(name) || /^[tj]sconfig(\.[\w.-]+)?\.json$/.test(name);
}

/** JSON with comments and commas too many, as it is in tsconfig.json; null: it is none. */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseBare(text);
  }
}

function parseBare(text: string): unknown {
  // A string is kept as it is; what looks like a comment in it is none.
  const plain = text.replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string) => string ?? "");
  const commas = plain.replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, string) => string ?? "");
  try {
    return JSON.parse(commas.replace(/^\ufeff/, ""));
  } catch {
    return null;
  }
}

/** A value of an object that may be none. */
export const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
export const textAt = (value: unknown, key: string): string | null => {
  const found = at(value, key);
  return typeof found === "string" ? found : null;
};
