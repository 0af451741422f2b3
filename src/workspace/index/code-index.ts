import type { CodeTree, TreeFile } from "../../ports/code-tree.ts";
import type { Language, NotParsed, Outline, Parser } from "../../ports/parser.ts";
import type { RecordCache } from "../../ports/record-cache.ts";
import { graphKeeper, type ImportGraph } from "./import-graph.ts";
import { isLayoutFile } from "./imports/resolver.ts";
import { languages } from "./language.ts";
import { moduleNames } from "./module-names.ts";
import { reader } from "./read-sources.ts";
import { type Stored, storedIn } from "./stored.ts";

/** A source file of the index. */
export interface IndexedFile {
  readonly path: string;
  readonly language: Language;
  readonly hash: string;
  readonly outline: Outline;
}
export interface SkippedFile {
  readonly path: string;
  readonly why: NotParsed;
}

/** A repository's source files at one moment; nothing in it changes. */
export interface CodeIndex {
  /** sorted by path */
  readonly files: readonly IndexedFile[];
  /** source files without an outline */
  readonly skipped: readonly SkippedFile[];
  /** every file of the tree, also those without a grammar, sorted */
  readonly paths: readonly string[];
  /** the imports between `files`, by their place there */
  readonly graph: ImportGraph;
  /** the place of a path among `files`; undefined: it is not there */
  readonly placeOf: ReadonlyMap<string, number>;
  /** the module, package or namespace of a file, as its language calls it */
  readonly moduleOf: (file: IndexedFile) => string;
}

export interface Indexer {
  /**
   * The index as the tree is now. Only what changed since the last time, or is not in the cache, is read and parsed.
   * Calls at the same time get the same answer. `changed`: who wrote these files, and knows that nothing else changed
   * since the last time, spares asking git.
   */
  refresh(changed?: readonly string[]): Promise<CodeIndex>;
}

/** Larger files are generated, and cost more than they say. */
export const MAX_SOURCE_BYTES = 4 * 1024 * 1024;

/** Keeps the index of one tree. Records of other trees in the cache are used where content and language are the same. */
export function indexer(parts: { tree: CodeTree; parser: Parser; cache: RecordCache }): Indexer {
  const { tree, parser, cache } = parts;
  let records: Map<string, Uint8Array> | null = null;
  let before = new Map<string, { readonly key: string; readonly file: IndexedFile }>();
  let now: Promise<CodeIndex> | null = null;
  const graphs = graphKeeper();
  const read = reader({ tree, parser, cache });
  const layouts = new Map<string, string>();
  let stored = new Map<string, Stored>();

  async function refresh(changed?: readonly string[]): Promise<CodeIndex> {
    records ??= new Map(cache.load());
    const listed = await tree.list(changed);
    const languageOf = languages(listed.map(({ path }) => path));
    const sources = listed.flatMap((file) => {
      const language = languageOf(file.path);
      return language === null ? [] : [{ ...file, language, key: `${file.hash}.${language}` }];
    });
    const unknown = sources.filter((source) => !isKnown(records!, stored, source.key));
    if (unknown.length > 0) await read(unknown, records, stored);
    const files: IndexedFile[] = [];
    const skipped: SkippedFile[] = [];
    const after = new Map<string, { readonly key: string; readonly file: IndexedFile }>();
    for (const { path, hash, language, key } of sources) {
      const found = stored.get(key);
      if (found?.kind === "failed") skipped.push({ path, why: found.why });
      if (found?.kind !== "outline") continue;
      const old = before.get(path);
      const file = old?.key === key ? old.file : { path, hash, language, outline: found.outline };
      after.set(path, { key, file });
      files.push(file);
    }
    before = after;
    stored = new Map(sources.flatMap(({ key }) => (records!.has(key) ? [[key, stored.get(key)!] as const] : [])));
    const paths = listed.map(({ path }) => path);
    const texts = await layoutTexts(listed);
    const placeOf = new Map(files.map(({ path }, place) => [path, place]));
    const moduleOf = moduleNames({ paths, texts });
    return { files, skipped, paths, placeOf, moduleOf, graph: graphs({ files, paths, texts, placeOf }) };
  }

  async function layoutTexts(listed: readonly TreeFile[]): Promise<ReadonlyMap<string, string>> {
    const wanted = listed.filter(({ path }) => isLayoutFile(path));
    const unread = wanted.filter(({ hash }) => !layouts.has(hash));
    const contents = await tree.read(unread, MAX_SOURCE_BYTES);
    for (const [i, content] of contents.entries())
      layouts.set(unread[i]!.hash, content === null ? "" : new TextDecoder().decode(content.bytes));
    return new Map(wanted.map(({ path, hash }) => [path, layouts.get(hash)!]));
  }

  function ask(changed?: readonly string[]): Promise<CodeIndex> {
    // What is under way may have listed before these were written.
    if (changed !== undefined && now !== null) return now.then(() => ask(changed));
    now ??= refresh(changed).finally(() => {
      now = null;
    });
    return now;
  }
  return { refresh: ask };
}

/** Looks a record up, and reads it; one that cannot be read is forgotten. */
function isKnown(records: Map<string, Uint8Array>, stored: Map<string, Stored>, key: string): boolean {
  if (stored.has(key)) return true;
  const record = records.get(key);
  if (record === undefined) return false;
  const found = storedIn(record);
  if (found === null) records.delete(key);
  else stored.set(key, found);
  return found !== null;
}
