import type { IndexedFile } from "./code-index.ts";
import { folderOf, foldersUp, nameOf } from "./imports/places.ts";
import { pythonModule } from "./imports/python.ts";
import { looseJson, textAt } from "./imports/resolver.ts";
import { crateModule } from "./imports/rust.ts";

interface Tree {
  readonly paths: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * The module that a file is, or belongs to: what it says itself (Go, Java, C#, PHP), else what its language calls it: the
 * dotted name in Python, the path in its crate in Rust, the package with the path in it for TypeScript and JavaScript,
 * the folder for the others; empty for what lies at the top.
 */
export function moduleNames({ paths, texts }: Tree): (file: IndexedFile) => string {
  const all = new Set(paths);
  let packages: ReadonlyMap<string, string> | null = null;
  return ({ path, language, outline }) => {
    if (outline.module !== "") return outline.module;
    if (language === "python") return pythonModule(path, (other) => all.has(other));
    if (language === "rust") return crateModule(path, texts);
    if (language === "typescript" || language === "tsx" || language === "javascript") {
      packages ??= packagesIn(texts);
      return inPackage(path, packages);
    }
    return folderOf(path);
  };
}

/** Names of packages by their folder. */
function packagesIn(texts: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map(
    [...texts].flatMap(([path, text]) => {
      const name = nameOf(path) === "package.json" ? textAt(looseJson(text), "name") : null;
      return name === null ? [] : [[folderOf(path), name] as const];
    }),
  );
}

function inPackage(path: string, packages: ReadonlyMap<string, string>): string {
  const bare = path.replace(/(\/index)?(\.d)?\.[cm]?[jt]sx?$/, "");
  const folder = foldersUp(path).find((one) => packages.has(one));
  if (folder === undefined) return bare;
  const inside = folder === "" ? bare : bare.slice(folder.length + 1);
  return inside === "" ? packages.get(folder)! : `${packages.get(folder)!}/${inside}`;
}
