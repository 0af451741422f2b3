import { folderOf, foldersUp, nameOf, normal, within } from "./places.ts";
import { at, type Layout, looseJson, textAt } from "./resolver.ts";

/** What a tsconfig.json says about names that are no paths. */
export interface PathMap {
  /** null: names are not looked for from a folder */
  readonly baseUrl: string | null;
  /** patterns with at most one `*`, the longest first, and where each leads */
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

/** The map that counts for a file: that of the nearest tsconfig.json above it which says anything. */
export function pathMaps({ texts }: Layout): (path: string) => PathMap | null {
  const known = new Map<string, PathMap | null>();
  const mapOf = (file: string): PathMap | null => {
    if (!known.has(file)) known.set(file, read(file, texts, 0));
    return known.get(file)!;
  };
  const configs = [...texts.keys()].filter((file) => /^[tj]sconfig/.test(nameOf(file))).sort(plainFirst);
  const byFolder = group(configs);
  return (path) => {
    for (const folder of foldersUp(path))
      for (const file of byFolder.get(folder) ?? []) {
        const map = mapOf(file);
        if (map !== null && (map.paths.length > 0 || map.baseUrl !== null)) return map;
      }
    return null;
  };
}

const plainFirst = (a: string, b: string): number => nameOf(a).length - nameOf(b).length || (a < b ? -1 : 1);

function group(files: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const file of files) groups.set(folderOf(file), [...(groups.get(folderOf(file)) ?? []), file]);
  return groups;
}

const MAX_EXTENDS = 8;

function read(file: string, texts: ReadonlyMap<string, string>, depth: number): PathMap | null {
  const text = texts.get(file);
  const config = text === undefined || depth > MAX_EXTENDS ? null : looseJson(text);
  if (config === null) return null;
  const options = at(config, "compilerOptions");
  const parent = parentOf(config, file, texts, depth);
  const folder = folderOf(file);
  const written = textAt(options, "baseUrl");
  const baseUrl = written === null ? (parent?.baseUrl ?? null) : normal(within(folder, written));
  const paths = at(options, "paths");
  if (typeof paths !== "object" || paths === null) return { baseUrl, paths: parent?.paths ?? [] };
  return { baseUrl, paths: pathsFrom(paths, baseUrl ?? folder) };
}

function parentOf(config: unknown, file: string, texts: ReadonlyMap<string, string>, depth: number): PathMap | null {
  const named = at(config, "extends");
  const names = (Array.isArray(named) ? named : [named]).filter((name) => typeof name === "string");
  for (const name of names.reverse()) {
    const path = normal(within(folderOf(file), name));
    const found = [path, `${path}.json`, `${path}/tsconfig.json`].find(
      (candidate) => candidate && texts.has(candidate),
    );
    const map = found ? read(found, texts, depth + 1) : null;
    if (map !== null) return map;
  }
  return null;
}

function pathsFrom(paths: object, folder: string): PathMap["paths"] {
  const all = Object.entries(paths).map(([pattern, targets]) => {
    const list = (Array.isArray(targets) ? targets : []).filter((target) => typeof target === "string");
    return [pattern, list.map((target) => within(folder, target))] as const;
  });
  return all.sort(([a], [b]) => b.length - a.length);
}

/** Where a pattern with one `*` leads for a name; null: it does not fit. */
export function matched(pattern: string, name: string, target: string): string | null {
  const star = pattern.indexOf("*");
  if (star === -1) return pattern === name ? target : null;
  const [before, after] = [pattern.slice(0, star), pattern.slice(star + 1)];
  if (!name.startsWith(before) || !name.endsWith(after) || name.length < before.length + after.length) return null;
  return target.replace("*", () => name.slice(before.length, name.length - after.length));
}
