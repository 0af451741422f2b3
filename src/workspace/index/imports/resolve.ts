import type { Language } from "../../../ports/parser.ts";
import { goImports } from "./go.ts";
import { csharpImports, javaImports, phpImports } from "./packages.ts";
import { pythonImports } from "./python.ts";
import type { Layout, Resolve } from "./resolver.ts";
import { rustImports } from "./rust.ts";
import { scriptImports } from "./script.ts";
import { includes, rubyImports } from "./suffix.ts";

const BY_LANGUAGE: Readonly<Record<Language, (layout: Layout) => Resolve>> = {
  typescript: scriptImports,
  tsx: scriptImports,
  javascript: scriptImports,
  python: pythonImports,
  rust: rustImports,
  go: goImports,
  java: javaImports,
  c: includes,
  cpp: includes,
  csharp: csharpImports,
  ruby: rubyImports,
  php: phpImports,
};

/** Where the imports of a tree lead, each language by its own rules; each rule is made at its first file. */
export function importResolver(layout: Layout): Resolve {
  const made = new Map<(layout: Layout) => Resolve, Resolve>();
  return (from, wanted) => {
    const rule = BY_LANGUAGE[from.language];
    let resolve = made.get(rule);
    if (resolve === undefined) {
      resolve = rule(layout);
      made.set(rule, resolve);
    }
    return resolve(from, wanted);
  };
}
