import { folderOf, foldersUp, nameOf, within } from "./places.ts";
import type { Layout, Resolve } from "./resolver.ts";

interface Crate {
  /** as `use` writes it */
  readonly name: string;
  /** where its modules begin */
  readonly root: string;
}

/** Rust: `mod x;` from the file, `use` through crate, self, super and the crates of this repository. */
export function rustImports({ places, texts }: Layout): Resolve {
  const crates = [...texts].flatMap(([path, text]) => (nameOf(path) === "Cargo.toml" ? crateOf(path, text) : []));
  const byFolder = new Map(crates.map(({ folder, crate }) => [folder, crate]));
  const byName = new Map(crates.map(({ crate }) => [crate.name, crate]));
  const crateAt = (path: string): Crate => {
    const folder = foldersUp(path).find((candidate) => byFolder.has(candidate));
    return (folder === undefined ? undefined : byFolder.get(folder)) ?? { name: "", root: rootWithout(path) };
  };
  const rootWithout = (path: string): string => foldersUp(path).find((folder) => nameOf(folder) === "src") ?? "";

  const moduleFile = (root: string, path: readonly string[]): string | null => {
    const at = within(root, path.join("/"));
    const files =
      path.length === 0 ? [within(root, "lib.rs"), within(root, "main.rs")] : [`${at}.rs`, within(at, "mod.rs")];
    return files.find((file) => places.has(file)) ?? null;
  };
  /** the deepest module on a path: what is behind it is a name in that module */
  const deepest = (root: string, path: readonly string[]): string | null => {
    for (let size = path.length; size > 0; size--) {
      const file = moduleFile(root, path.slice(0, size));
      if (file !== null) return file;
    }
    return moduleFile(root, []);
  };

  function used(from: string, path: readonly string[]): string | null {
    const crate = crateAt(from);
    const [first = "", ...rest] = path;
    if (first === "crate") return deepest(crate.root, rest);
    if (first === "self" || first === "super") return upFrom(modulePath(crate.root, from), path, crate.root);
    const other = byName.get(first);
    if (other !== undefined) return deepest(other.root, rest);
    // Since 2018 a name may also be a module beside this one.
    const here = modulePath(crate.root, from);
    return moduleFile(crate.root, [...here, first]) === null ? null : deepest(crate.root, [...here, ...path]);
  }
  function upFrom(here: readonly string[], path: readonly string[], root: string): string | null {
    let module = [...here];
    let rest = [...path];
    while (rest[0] === "self" || rest[0] === "super") {
      if (rest[0] === "super") module = module.slice(0, -1);
      rest = rest.slice(1);
    }
    return deepest(root, [...module, ...rest]);
  }

  return ({ path }, { kind, specifier }) => {
    const found =
      kind === "submodule"
        ? [submodule(path, specifier, places.has)]
        : useTree(specifier).map((segments) => used(path, segments));
    return [...new Set(found.filter((file) => file !== null && file !== path))] as string[];
  };
}

/** The path of a Rust file in its crate, as `use` writes it; the crate's name alone for its root. */
export function crateModule(path: string, texts: ReadonlyMap<string, string>): string {
  for (const folder of foldersUp(path)) {
    const manifest = within(folder, "Cargo.toml");
    const [found] = crateOf(manifest, texts.get(manifest) ?? "");
    if (found !== undefined) return [found.crate.name, ...modulePath(found.crate.root, path)].join("::");
  }
  return path.replace(/\.rs$/, "");
}

function crateOf(path: string, text: string): readonly { folder: string; crate: Crate }[] {
  const folder = folderOf(path);
  const section = /^\s*\[package\]([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(text)?.[1];
  const name = section === undefined ? undefined : /^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1];
  if (name === undefined) return [];
  return [{ folder, crate: { name: name.replaceAll("-", "_"), root: within(folder, "src") } }];
}

function modulePath(root: string, path: string): readonly string[] {
  if (!path.startsWith(`${root}/`)) return [];
  const parts = path
    .slice(root.length + 1)
    .replace(/(^|\/)(mod|lib|main)\.rs$|\.rs$/, "")
    .split("/");
  return parts.filter((part) => part !== "");
}

function submodule(path: string, name: string, has: (path: string) => boolean): string | null {
  const isHead = /^(mod|lib|main)\.rs$/.test(nameOf(path));
  const beside = within(folderOf(path), name);
  const below = within(path.replace(/\.rs$/, ""), name);
  const files = [isHead ? beside : below, isHead ? below : beside].flatMap((at) => [`${at}.rs`, `${at}/mod.rs`]);
  return files.find((file) => has(file)) ?? null;
}

/** Every path of a `use`: `a::{b, c::d as e, *}` is a::b, a::c::d and a. */
export function useTree(text: string): readonly (readonly string[])[] {
  const open = text.indexOf("{");
  if (open === -1) {
    const plain = text.replace(/\s+as\s+.*$/, "").trim();
    return [
      plain
        .split("::")
        .map((part) => part.trim())
        .filter((part) => part !== "" && part !== "*"),
    ];
  }
  const before = text
    .slice(0, open)
    .split("::")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const close = text.lastIndexOf("}");
  return parts(text.slice(open + 1, close === -1 ? undefined : close)).flatMap((part) =>
    useTree(part).map((path) => [...before, ...(path.length === 1 && path[0] === "self" ? [] : path)]),
  );
}

function parts(list: string): readonly string[] {
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= list.length; i++) {
    if (list[i] === "{") depth++;
    else if (list[i] === "}") depth--;
    else if ((list[i] === "," && depth === 0) || i === list.length) {
      found.push(list.slice(start, i));
      start = i + 1;
    }
  }
  return found.filter((part) => part.trim() !== "");
}
