import type { CodeIndex, IndexedFile } from "../index/code-index.ts";
import { definedNames } from "../index/outline-rows.ts";

/** Names that more files than these define say nothing. */
const MANY = 12;

/** Files that define what is named, and how surely each is meant: 1 where it is the only one. */
export function definersOf(index: CodeIndex, names: readonly string[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  for (const name of names) {
    const places = index.files.flatMap((file, place) => (definedIn(file).has(name) ? [place] : []));
    if (places.length > MANY) continue;
    for (const place of places) scores.set(place, Math.max(scores.get(place) ?? 0, 1 / Math.sqrt(places.length)));
  }
  return scores;
}

const known = new WeakMap<IndexedFile, ReadonlySet<string>>();

/** The names that a file defines; they stay what they are as long as it does. */
function definedIn(file: IndexedFile): ReadonlySet<string> {
  const found = known.get(file) ?? definedNames(file.outline);
  known.set(file, found);
  return found;
}

/** Files whose path, or the end or a stretch of it, is named. */
export function pathsNamed(paths: readonly string[], names: readonly string[]): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  const lower = paths.map((path) => `/${path.toLowerCase()}`);
  for (const name of names) {
    const places = lower.flatMap((path, place) => (path.includes(`/${name.toLowerCase()}`) ? [place] : []));
    for (const place of places) scores.set(place, Math.min(1, (scores.get(place) ?? 0) + 1 / Math.sqrt(places.length)));
  }
  return scores;
}
