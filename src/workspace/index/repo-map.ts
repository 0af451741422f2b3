import type { CodeIndex } from "./code-index.ts";
import { type Definition, definitionsOf } from "./outline-rows.ts";
import { signatureText } from "./signature-text.ts";
import { spread } from "./spread.ts";
import { testMap } from "./test-map.ts";

/** A file as a map shows it. */
export interface MapEntry {
  readonly path: string;
  readonly language: string;
  /** its module, package or namespace */
  readonly module: string;
  /** what it defines at its top, in its order */
  readonly definitions: readonly Definition[];
  /** files that it imports, and tests of it */
  readonly imports: readonly string[];
  readonly tests: readonly string[];
  /** as one line of text */
  readonly text: string;
}
export interface RepoMap {
  readonly entries: readonly MapEntry[];
  /** files that there are to show, and tokens that the shown ones take, as far as that can be told without a model */
  readonly of: number;
  readonly tokens: number;
}

const MAX_DEFINITIONS = 12;
const MAX_NAMES = 3;
/** A text for a model has about a token for four characters. */
export const tokensOf = (text: string): number => Math.ceil((text.length + 1) / 4);

/**
 * The files of a folder (empty: all), those first that much of the repository leans on, as many as fit into the budget;
 * one is always shown. Tests stand with what they test, and by themselves behind all others.
 */
export function repoMap(index: CodeIndex, { folder, tokens }: { folder: string; tokens: number }): RepoMap {
  const tests = testMap(index);
  const weights = spread(index.graph, new Float64Array(index.files.length).fill(1), PAGE_RANK);
  const inside = folder === "" ? "" : `${folder}/`;
  const places = index.files.flatMap(({ path }, place) => (path === folder || path.startsWith(inside) ? [place] : []));
  const rank = (place: number): number => weights[place]! * (tests.isTest(place) ? 0.001 : 1);
  places.sort((a, b) => rank(b) - rank(a) || a - b);
  const entries: MapEntry[] = [];
  let used = 0;
  for (const place of places) {
    const entry = entryOf(index, place, tests.testsOf(place));
    const cost = tokensOf(entry.text);
    if (entries.length > 0 && used + cost > tokens) break;
    entries.push(entry);
    used += cost;
  }
  return { entries, of: places.length, tokens: used };
}

const PAGE_RANK = { damping: 0.85, steps: 20, back: 0 };

function entryOf({ files, graph, moduleOf }: CodeIndex, place: number, tests: readonly number[]): MapEntry {
  const { path, language, outline } = files[place]!;
  const definitions = topLevel(definitionsOf(outline));
  const imports = [...graph.imports[place]!].map((other) => files[other]!.path);
  const module = moduleOf(files[place]!);
  const entry = { path, language, module, definitions, imports, tests: tests.map((test) => files[test]!.path) };
  return { ...entry, text: textOf(entry) };
}

/** What stands in nothing else of the file; fields and what begins with an underscore say little. */
function topLevel(all: readonly Definition[]): readonly Definition[] {
  let end = 0;
  return all.filter(({ kind, name, line, endLine }) => {
    if (line <= end) return false;
    if (kind !== "module") end = Math.max(end, endLine > line ? endLine : 0);
    return kind !== "field" && !name.startsWith("_");
  });
}

function textOf({ path, definitions, imports, tests }: Omit<MapEntry, "text">): string {
  const told = definitions.slice(0, MAX_DEFINITIONS).map(signatureText);
  const more = definitions.length > told.length ? [`${definitions.length - told.length} more`] : [];
  return [path, [...told, ...more].join(" · "), named("imports", imports.map(stemOf)), named("test", tests)]
    .filter((part) => part !== "")
    .join("  ");
}

function named(word: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const more = names.length > MAX_NAMES ? ` +${names.length - MAX_NAMES}` : "";
  return `${word} ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

const stemOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/(\.d)?\.\w+$/, "");
  return /^(index|mod|lib|__init__)$/.test(name) ? path.replace(/\/[^/]+$/, "") : name;
};
