import type { CodeTree, TreeFile } from "../../ports/code-tree.ts";
import type { Language, Parser } from "../../ports/parser.ts";
import type { RecordCache } from "../../ports/record-cache.ts";
import { MAX_SOURCE_BYTES } from "./code-index.ts";
import { recordOf, type Stored, storedIn } from "./stored.ts";

export interface UnreadSource extends TreeFile {
  readonly language: Language;
  readonly key: string;
}

/** Files read at once, and the most that wait for the parser. */
const BATCH = 32;
const AHEAD = 96;
/** Records kept at once: what is cut off in the middle has kept the rest. */
const KEPT_AT_ONCE = 4_000;

/**
 * Reads and parses files, and puts what came out under their keys into `records` and `stored`. Only what was made of
 * the very bytes that a key names goes into the cache: a file may change between the list and the look.
 */
export function reader({ tree, parser, cache }: { tree: CodeTree; parser: Parser; cache: RecordCache }) {
  return async (
    sources: readonly UnreadSource[],
    records: Map<string, Uint8Array>,
    stored: Map<string, Stored>,
  ): Promise<void> => {
    const fresh = new Map<string, Uint8Array>();
    const atWork = new Set<Promise<void>>();
    const unread = [...new Map(sources.map((source) => [source.key, source])).values()];
    for (let from = 0; from < unread.length; from += BATCH) {
      const batch = unread.slice(from, from + BATCH);
      for (const [i, content] of (await tree.read(batch, MAX_SOURCE_BYTES)).entries()) {
        const work = take(batch[i]!, content).finally(() => atWork.delete(work));
        atWork.add(work);
      }
      while (atWork.size > AHEAD) await Promise.race(atWork);
      if (fresh.size >= KEPT_AT_ONCE) keep();
    }
    await Promise.all(atWork);
    keep();

    async function take(source: UnreadSource, content: { bytes: Uint8Array; hash: string } | null): Promise<void> {
      if (content === null) return void stored.set(source.key, { kind: "failed", why: "too-big" });
      const { path, language } = source;
      const key = `${content.hash}.${language}`;
      const known = records.get(key);
      const record = known ?? recordOf(await parser.parse({ path, language, bytes: content.bytes }));
      if (record === null) return void stored.set(source.key, { kind: "failed", why: "stopped" });
      records.set(key, record);
      if (known === undefined) fresh.set(key, record);
      stored.set(source.key, storedIn(record)!);
    }

    function keep(): void {
      cache.save(fresh);
      fresh.clear();
    }
  };
}
