import { folderOf, foldersUp, nameOf, nearestTo, within } from "./places.ts";
import type { Layout, Resolve } from "./resolver.ts";

/** Python: modules by their dotted name from each package's root, the repository's root and `src`; relative ones from the file. */
export function pythonImports({ places, sources }: Layout): Resolve {
  const modules = new Map<string, string[]>();
  for (const { path, language } of sources)
    if (language === "python")
      for (const name of namesOf(path, places.has)) modules.set(name, [...(modules.get(name) ?? []), path]);

  const absolute = (from: string, name: string): string | null => nearestTo(from, modules.get(name) ?? []);
  const relative = (folder: string, name: string): string | null => {
    const path = within(folder, name.replaceAll(".", "/"));
    const file = name === "" ? within(folder, "__init__.py") : `${path}.py`;
    return [file, `${path}.pyi`, `${path}/__init__.py`].find((candidate) => places.has(candidate)) ?? null;
  };
  const dotted = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(".");

  return ({ path }, { kind, specifier, member }) => {
    const [, dots = "", name = ""] = /^(\.*)\s*(.*)$/.exec(specifier) ?? [];
    const folder = kind === "relative" ? foldersUp(path)[dots.length - 1] : undefined;
    if (kind === "relative" && folder === undefined) return [];
    const look = (module: string) => (folder === undefined ? absolute(path, module) : relative(folder, module));
    const file = (member === "" ? null : look(dotted(name, member))) ?? look(name) ?? upwards(look, name);
    return file === null || file === path ? [] : [file];
  };
}

/** `import a.b.c` may name a thing in a.b: the module that is there counts. */
function upwards(look: (name: string) => string | null, name: string): string | null {
  const parts = name.split(".");
  for (let size = parts.length - 1; size > 1; size--) {
    const file = look(parts.slice(0, size).join("."));
    if (file !== null) return file;
  }
  return null;
}

function namesOf(path: string, has: (path: string) => boolean): readonly string[] {
  const bare = path.replace(/(\/__init__)?\.pyi?$/, "");
  const root = packageRoot(path, has);
  const names = [bare, bare.replace(/^(src|lib|python)\//, ""), root === "" ? bare : bare.slice(root.length + 1)];
  return [...new Set(names)].map((name) => name.replaceAll("/", "."));
}

/** The folder above the outermost package that a file is in. */
function packageRoot(path: string, has: (path: string) => boolean): string {
  let root = folderOf(path);
  if (nameOf(path).startsWith("__init__.")) root = folderOf(path);
  while (root !== "" && has(within(root, "__init__.py"))) root = folderOf(root);
  return root;
}

/** The dotted name of a Python file, as the rest of its package calls it. */
export const pythonModule = (path: string, has: (path: string) => boolean): string => namesOf(path, has).at(-1)!;
