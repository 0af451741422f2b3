import { folderOf, nearestTo, normal, within } from "./places.ts";
import { bare, type Layout, type Resolve } from "./resolver.ts";

/** C and C++: from the file's own folder, else the nearest file whose path ends so. A name alone in `<>` is the system's. */
export function includes({ places }: Layout): Resolve {
  return ({ path }, { kind, specifier }) => {
    const name = bare(specifier);
    const beside = normal(within(folderOf(path), name));
    if (kind === "include" && beside !== null && places.has(beside)) return beside === path ? [] : [beside];
    const clean = normal(name.replace(/^(\.\.?\/)+/, "")) ?? "";
    if (kind === "module" && !clean.includes("/") && places.named(clean).length !== 1) return [];
    const file = nearestTo(path, places.endingWith(clean));
    return file === null || file === path ? [] : [file];
  };
}

/** Ruby: `require_relative` from the file, `require` from any folder of code that has it. */
export function rubyImports({ places }: Layout): Resolve {
  return ({ path }, { kind, specifier }) => {
    const name = specifier.endsWith(".rb") ? specifier : `${specifier}.rb`;
    const beside = normal(within(folderOf(path), name));
    if (kind === "relative") return beside !== null && places.has(beside) && beside !== path ? [beside] : [];
    const clean = normal(name);
    const found = clean === null ? [] : places.endingWith(`lib/${clean}`);
    const file = nearestTo(path, found.length > 0 || !clean?.includes("/") ? found : places.endingWith(clean));
    return file === null || file === path ? [] : [file];
  };
}
