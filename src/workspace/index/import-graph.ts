import type { IndexedFile } from "./code-index.ts";
import { placesOf } from "./imports/places.ts";
import { importResolver } from "./imports/resolve.ts";
import type { Importer, Layout } from "./imports/resolver.ts";
import { importsOf } from "./outline-rows.ts";

/** Who imports whom; a file is its place in the index. A file stands at most once in a list, never in its own. */
export interface ImportGraph {
  readonly imports: readonly Uint32Array[];
  readonly importedBy: readonly Uint32Array[];
}

interface Tree {
  readonly files: readonly IndexedFile[];
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly placeOf: ReadonlyMap<string, number>;
}

/**
 * Gives the graph of one tree after the other. As long as no file came or went and nothing changed what imports mean,
 * only changed files are looked at again.
 */
export function graphKeeper(): (tree: Tree) => ImportGraph {
  let last: { readonly tree: Tree; readonly modules: readonly string[] } | null = null;
  let leads = new Map<IndexedFile, readonly string[]>();
  let layout: Layout | null = null;
  let resolve: ReturnType<typeof importResolver> | null = null;
  return (tree) => {
    // Files that stayed are the same objects, so that one look is enough for most.
    const modules = tree.files.map(({ outline }) => outline.module);
    const isSame =
      last !== null &&
      equal(last.tree.paths, tree.paths) &&
      equal(last.modules, modules) &&
      equal([...last.tree.texts.values()], [...tree.texts.values()]);
    if (!isSame || layout === null || resolve === null) {
      layout = { places: placesOf(tree.paths), sources: tree.files.map(importerOf), texts: tree.texts };
      resolve = importResolver(layout);
      leads = new Map();
    }
    const now = new Map<IndexedFile, readonly string[]>();
    for (const file of tree.files) now.set(file, leads.get(file) ?? targets(file, resolve));
    last = { tree, modules };
    leads = now;
    return graphOf([...now.values()], tree.placeOf);
  };
}

const importerOf = ({ path, language, outline }: IndexedFile): Importer => ({ path, language, module: outline.module });

function targets(file: IndexedFile, resolve: ReturnType<typeof importResolver>): readonly string[] {
  const from = importerOf(file);
  return [...new Set(importsOf(file.outline).flatMap((wanted) => resolve(from, wanted)))];
}

function graphOf(leads: readonly (readonly string[])[], placeOf: ReadonlyMap<string, number>): ImportGraph {
  const imports = leads.map((paths) => Uint32Array.from(paths.flatMap((path) => placeOf.get(path) ?? [])).sort());
  const back: number[][] = imports.map(() => []);
  for (const [from, all] of imports.entries()) for (const to of all) back[to]!.push(from);
  return { imports, importedBy: back.map((all) => Uint32Array.from(all)) };
}

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);
