import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Language as Grammar, Parser, Query } from "web-tree-sitter";
import type { Language } from "../../ports/parser.ts";

/** A language's grammar, ready to parse, and what is looked for in its trees. */
export interface Reader {
  readonly parser: Parser;
  readonly query: Query;
  /** a name in its text, from where it begins */
  readonly name: RegExp;
}

const require = createRequire(import.meta.url);

/** Loads readers by name, each once. `queries`: the folder with one file for each language. */
export function grammars(queries: string): (language: Language) => Promise<Reader> {
  let started: Promise<void> | null = null;
  const loaded = new Map<Language, Promise<Reader>>();
  return (language) => {
    started ??= Parser.init();
    const found = loaded.get(language) ?? started.then(() => readerOf(language, queries));
    loaded.set(language, found);
    return found;
  };
}

async function readerOf(language: Language, queries: string): Promise<Reader> {
  const grammar = await Grammar.load(grammarFile(language));
  const parser = new Parser();
  parser.setLanguage(grammar);
  return { parser, query: new Query(grammar, queryText(language, queries)), name: NAMES[language] ?? NAME };
}

const NAME = /[\w$\u0080-\uffff]+/y;
const NAMES: Partial<Record<Language, RegExp>> = { ruby: /[\w$\u0080-\uffff]+(?:[?!](?![=?.!:]))?/y };

function grammarFile(language: Language): string {
  const name = language === "csharp" ? "c_sharp" : language;
  return require.resolve(`@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`);
}

/** What is looked for in a language's trees, as tree-sitter's query. */
export function queryText(language: Language, queries: string): string {
  const files = language === "tsx" ? ["typescript", "tsx"] : [language];
  return files.map((name) => readFileSync(join(queries, `${name}.scm`), "utf8")).join("\n");
}
