import { nameOf } from "./places.ts";
import { at, type Importer, type Layout, looseJson, type Resolve } from "./resolver.ts";

/** Files of each package or namespace, by what they call it. */
function byModule(
  sources: readonly Importer[],
  language: Importer["language"],
): ReadonlyMap<string, readonly string[]> {
  const modules = new Map<string, string[]>();
  for (const source of sources) {
    if (source.language !== language || source.module === "") continue;
    const files = modules.get(source.module);
    if (files === undefined) modules.set(source.module, [source.path]);
    else files.push(source.path);
  }
  return modules;
}

const stemOf = (path: string): string => nameOf(path).replace(/\.\w+$/, "");
const parent = (name: string, mark: string): string => name.slice(0, Math.max(0, name.lastIndexOf(mark)));
const last = (name: string, mark: string): string => name.slice(name.lastIndexOf(mark) + 1);

/** Java: a class by its package and name, a package whole for `*`; a nested class or a static member is in its class's file. */
export function javaImports({ sources }: Layout): Resolve {
  const packages = byModule(sources, "java");
  const classFile = (name: string): string | undefined =>
    packages.get(parent(name, "."))?.find((path) => stemOf(path) === last(name, "."));
  return ({ path }, { specifier, member }) => {
    const name = specifier.trim();
    const whole = member === "*" ? packages.get(name) : undefined;
    if (whole !== undefined) return whole.filter((file) => file !== path);
    for (let at = name; at !== ""; at = parent(at, ".")) {
      const file = classFile(at);
      if (file !== undefined) return file === path ? [] : [file];
    }
    return [];
  };
}

/** C#: `using` names a namespace, which many files may add to. */
export function csharpImports({ sources }: Layout): Resolve {
  const namespaces = byModule(sources, "csharp");
  return ({ path }, { specifier }) => (namespaces.get(specifier.trim()) ?? []).filter((file) => file !== path);
}

/** PHP: a class by its namespace, or by the folders that composer.json gives to namespaces (PSR-4); files by their path. */
export function phpImports({ places, texts, sources }: Layout): Resolve {
  const namespaces = byModule(sources, "php");
  const folders = [...texts].flatMap(([path, text]) => (nameOf(path) === "composer.json" ? psr4(path, text) : []));
  const declared = (name: string): string | undefined =>
    namespaces.get(parent(name, "\\"))?.find((path) => stemOf(path) === last(name, "\\"));
  const placed = (name: string): string | undefined => {
    for (const { prefix, folder } of folders) {
      if (!name.startsWith(prefix)) continue;
      const path = `${folder}${name.slice(prefix.length).replaceAll("\\", "/")}.php`;
      if (places.has(path)) return path;
    }
    return undefined;
  };
  const included = (specifier: string): string | undefined => {
    const [, path] = /['"]\/?((?:[^'"]+\/)?[^'"/]+\.\w+)['"]/.exec(specifier) ?? [];
    const found = path === undefined ? [] : places.endingWith(path.replace(/^(\.{1,2}\/)+/, ""));
    return found.length === 1 ? found[0] : undefined;
  };
  return ({ path }, { kind, specifier, member }) => {
    const name = `${specifier}${member === "" ? "" : `\\${member}`}`.replace(/^\\/, "");
    const file = kind === "include" ? included(specifier) : (declared(name) ?? placed(name));
    return file === undefined || file === path ? [] : [file];
  };
}

function psr4(path: string, text: string): readonly { prefix: string; folder: string }[] {
  const root = path.slice(0, -"composer.json".length);
  const manifest = looseJson(text);
  const maps = ["autoload", "autoload-dev"].map((key) => at(at(manifest, key), "psr-4"));
  const all = maps.flatMap((map) => (typeof map === "object" && map !== null ? Object.entries(map) : []));
  const folders = all.flatMap(([prefix, folder]) =>
    [folder]
      .flat()
      .map((one) => ({ prefix, folder: `${root}${String(one).replace(/^\.\/|\/$/g, "")}/`.replace(/^\//, "") })),
  );
  return folders.sort((a, b) => b.prefix.length - a.prefix.length);
}
