import type { CodeIndex } from "./code-index.ts";
import { folderOf, nameOf } from "./imports/places.ts";

/** Which tests test what. Files are their places in the index. */
export interface TestMap {
  isTest(place: number): boolean;
  /** what a test tests; empty for what is no test */
  sourcesOf(place: number): readonly number[];
  /** which tests test it */
  testsOf(place: number): readonly number[];
}

const FOLDERS = /(^|\/)(tests?|__tests__|specs?|e2e|testing|testdata|fixtures|__mocks__)\//i;
/** the name that a test has after what it tests, in the languages that have such a custom */
const MARKS =
  /^(?:test_(?<after>.+)|(?<before>.+?)(?:[._-](?:test|spec|tests|e2e|cy|test-d)(?:[._-]\w+)?|_test|_spec|Tests?|Spec|IT))$/;

/** Whether a file's name or folder says that it is a test. */
export const isTestPath = (path: string): boolean => FOLDERS.test(path) || MARKS.test(stemOf(path));

/** A file's name without its ending: `a/b.test.ts` is `b.test`. */
const stemOf = (path: string): string => nameOf(path).replace(/\.(d\.)?[^.]+$/, "");

/** What a test is called after: its name without the mark; a file in a folder of tests may have none. */
function subjectOf(path: string): string {
  const { after, before } = MARKS.exec(stemOf(path))?.groups ?? {};
  return (after ?? before ?? stemOf(path)).toLowerCase();
}

/** Pairs tests with what they test: by name, what they import first, what lies most alike next; else by what they import alone. */
export function testMap({ files, graph }: CodeIndex): TestMap {
  const tests = files.map(({ path }) => isTestPath(path));
  const bySubject = new Map<string, number[]>();
  for (const [place, { path }] of files.entries()) {
    if (tests[place]) continue;
    for (const name of subjectNames(path)) bySubject.set(name, [...(bySubject.get(name) ?? []), place]);
  }
  const sources = files.map((_, place) => (tests[place] ? subjects(place) : []));
  const back: number[][] = files.map(() => []);
  for (const [test, all] of sources.entries()) for (const source of all) back[source]!.push(test);
  return {
    isTest: (place) => tests[place]!,
    sourcesOf: (place) => sources[place]!,
    testsOf: (place) => back[place]!,
  };

  function subjects(test: number): readonly number[] {
    const imported = [...graph.imports[test]!].filter((place) => !tests[place]);
    const named = bySubject.get(subjectOf(files[test]!.path)) ?? [];
    const both = named.filter((place) => imported.includes(place));
    if (both.length > 0) return both;
    const alike = mostAlike(test, named);
    if (alike !== null) return [alike];
    // Nothing is called like it: a test of one thing alone tests that.
    return imported.length === 1 && MARKS.test(stemOf(files[test]!.path)) ? imported : [];
  }

  function mostAlike(test: number, candidates: readonly number[]): number | null {
    const { path, language } = files[test]!;
    const family = familyOf(language);
    const fitting = candidates.filter((place) => familyOf(files[place]!.language) === family);
    const scored = fitting.map((place) => ({ place, score: alikeness(path, files[place]!.path) }));
    scored.sort((a, b) => b.score - a.score || a.place - b.place);
    // Two files of one name, none of them nearer: it is not known which.
    return scored.length === 0 || scored[0]!.score === scored[1]?.score ? null : scored[0]!.place;
  }
}

function subjectNames(path: string): readonly string[] {
  const stem = stemOf(path).toLowerCase();
  // `jwt/index.ts` and `jwt/mod.rs` are called after their folder
  return /^(index|mod|__init__|main|lib)$/.test(stem) ? [stem, nameOf(folderOf(path)).toLowerCase()] : [stem];
}

const SCRIPTS = new Set(["typescript", "tsx", "javascript"]);
const familyOf = (language: string): string =>
  SCRIPTS.has(language) ? "script" : /^c(pp)?$/.test(language) ? "c" : language;

/** How many folders two files share, from either end; folders that only say "source" or "test" count for nothing. */
function alikeness(test: string, source: string): number {
  const [a, b] = [telling(test), telling(source)];
  const shared = b.filter((part) => a.includes(part)).length;
  return shared * 2 - Math.abs(a.length - b.length) * 0.5 + (folderOf(test) === folderOf(source) ? 1 : 0);
}
const telling = (path: string): readonly string[] =>
  folderOf(path)
    .toLowerCase()
    .split("/")
    .filter((part) => !/^(src|lib|tests?|__tests__|specs?|main|java|unit|)$/.test(part));
