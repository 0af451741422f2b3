import { folderOf, nameOf, within } from "./places.ts";
import { bare, type Layout, type Resolve } from "./resolver.ts";

/** Go: a package is a folder, found through the module path of the go.mod above it. */
export function goImports({ places, texts }: Layout): Resolve {
  const modules = [...texts].flatMap(([path, text]) => {
    const name = nameOf(path) === "go.mod" ? /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] : undefined;
    return name === undefined ? [] : [{ name, folder: folderOf(path) }];
  });
  modules.sort((a, b) => b.name.length - a.name.length);
  return (_, { specifier }) => {
    const name = bare(specifier);
    const found = modules.find((module) => name === module.name || name.startsWith(`${module.name}/`));
    if (found === undefined) return [];
    const folder = within(found.folder, name.slice(found.name.length + 1)).replace(/\/$/, "");
    return places.inFolder(folder).filter((path) => path.endsWith(".go") && !path.endsWith("_test.go"));
  };
}
