import { folderOf, foldersUp, nameOf, normal, type Places, within } from "./places.ts";
import { at, type Layout, looseJson, textAt } from "./resolver.ts";
import { scriptAt } from "./script-file.ts";
import { matched } from "./ts-config.ts";

interface ScriptPackage {
  readonly folder: string;
  readonly manifest: unknown;
}

/** The packages of a repository: by name, and as the one that a file belongs to. */
export interface ScriptPackages {
  /** a file for `name` or `name/sub/path`, where a package of this repository has that name */
  byName(specifier: string): string | null;
  /** a file for `#name`, as the importing file's own package.json says */
  own(from: string, specifier: string): string | null;
  /** the folder of the package that a file is in; the root where there is none */
  folderOf(path: string): string;
}

export function scriptPackages({ texts, places }: Layout): ScriptPackages {
  const files = [...texts.keys()].filter((path) => nameOf(path) === "package.json").sort();
  const packages = files.map((path) => ({ folder: folderOf(path), manifest: looseJson(texts.get(path)!) }));
  const byFolder = new Map(packages.map((one) => [one.folder, one]));
  const byName = new Map(
    packages.flatMap((one) => {
      const name = textAt(one.manifest, "name");
      return name === null || name === "" ? [] : [[name, one] as const];
    }),
  );
  const home = (path: string): ScriptPackage | undefined => {
    const folder = foldersUp(path).find((candidate) => byFolder.has(candidate));
    return folder === undefined ? undefined : byFolder.get(folder);
  };
  return {
    folderOf: (path) => home(path)?.folder ?? "",
    byName(specifier) {
      const parts = specifier.split("/");
      const name = parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
      const found = byName.get(name);
      return found === undefined ? null : exported(places, found, specifier.slice(name.length + 1));
    },
    own(from, specifier) {
      const found = home(from);
      if (found === undefined) return null;
      for (const target of targetsOf(at(found.manifest, "imports"), specifier)) {
        const file = sourceFor(places, found.folder, target);
        if (file !== null) return file;
      }
      return null;
    },
  };
}

function exported(places: Places, { folder, manifest }: ScriptPackage, path: string): string | null {
  const entry = path === "" ? "." : `./${path}`;
  const exports = at(manifest, "exports");
  const declared = isSubpaths(exports) ? targetsOf(exports, entry) : path === "" ? leaves(exports) : [];
  const main = path === "" ? ["source", "types", "module", "main"].map((key) => textAt(manifest, key)) : [];
  const targets = [...declared, ...main.filter((target) => target !== null)];
  for (const target of targets) {
    const file = sourceFor(places, folder, target);
    if (file !== null) return file;
  }
  return scriptAt(places, within(folder, `src/${path}`)) ?? scriptAt(places, within(folder, path));
}

const isSubpaths = (exports: unknown): boolean =>
  typeof exports === "object" && exports !== null && Object.keys(exports).some((key) => key.startsWith("."));

function targetsOf(map: unknown, entry: string): readonly string[] {
  if (typeof map !== "object" || map === null) return [];
  const fitting = Object.entries(map).flatMap(([pattern, target]) => {
    const found = leaves(target).map((leaf) => matched(pattern, entry, leaf));
    return [{ pattern, found: found.filter((leaf) => leaf !== null) }];
  });
  return fitting.sort((a, b) => b.pattern.length - a.pattern.length).flatMap(({ found }) => found);
}

/** Every path in a tree of conditions. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

const BUILT = /(^|\/)(dist|lib|build|out|output|esm|cjs|types)\//;

/** What is built is not in the tree: the source that it is built from most likely is. */
function sourceFor(places: Places, folder: string, target: string): string | null {
  const path = normal(within(folder, target));
  const direct = scriptAt(places, path);
  if (direct !== null && places.has(direct)) return direct;
  const inside = normal(target);
  if (inside === null) return null;
  const bare = inside.replace(/(\.d)?\.[cm]?[jt]sx?$/, "");
  const guesses = [
    bare.replace(BUILT, "$1src/"),
    bare.replace(BUILT, "$1").replace(BUILT, "$1src/"),
    bare.replace(BUILT, "$1"),
  ];
  return guesses.map((guess) => scriptAt(places, within(folder, guess))).find((file) => file !== null) ?? null;
}
