import { folderOf, within } from "./places.ts";
import { bare, type Layout, type Resolve } from "./resolver.ts";
import { scriptAt } from "./script-file.ts";
import { scriptPackages } from "./script-package.ts";
import { matched, pathMaps } from "./ts-config.ts";

/** TypeScript and JavaScript: paths, tsconfig's `paths` and `baseUrl`, packages of this repository, `#imports`. */
export function scriptImports(layout: Layout): Resolve {
  const { places } = layout;
  const mapFor = pathMaps(layout);
  const packages = scriptPackages(layout);

  function resolve(from: string, name: string): string | null {
    if (name.startsWith(".")) return scriptAt(places, within(folderOf(from), name));
    if (name.startsWith("/")) return scriptAt(places, name);
    if (name.startsWith("#")) return packages.own(from, name) ?? mapped(from, name);
    return mapped(from, name) ?? packages.byName(name) ?? usual(from, name);
  }

  function mapped(from: string, name: string): string | null {
    const map = mapFor(from);
    for (const [pattern, targets] of map?.paths ?? [])
      for (const target of targets) {
        const file = scriptAt(places, matched(pattern, name, target));
        if (file !== null) return file;
      }
    return map?.baseUrl == null ? null : scriptAt(places, within(map.baseUrl, name));
  }

  /** `@/x` and `~/x`, where only a bundler's configuration says what they mean */
  function usual(from: string, name: string): string | null {
    const [, path] = /^[@~]\/(.+)$/.exec(name) ?? [];
    if (path === undefined) return null;
    const home = packages.folderOf(from);
    return scriptAt(places, within(home, `src/${path}`)) ?? scriptAt(places, within(home, path));
  }

  return ({ path }, { specifier }) => {
    // `./a.ts?raw` is a file of a bundler's
    const name = bare(specifier).replace(/\?.*$/, "");
    const file = resolve(path, name);
    return file === null || file === path ? [] : [file];
  };
}
