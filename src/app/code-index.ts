import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { worktreeTree } from "../adapters/code-tree/worktree-tree.ts";
import { queryText } from "../adapters/parser/grammar.ts";
import { parserPool } from "../adapters/parser/pool.ts";
import { packCache } from "../adapters/record-cache/pack-cache.ts";
import { busyGit } from "../adapters/system/git.ts";
import { LANGUAGES } from "../ports/parser.ts";
import type { RecordCache } from "../ports/record-cache.ts";
import type { Git } from "../ports/system.ts";
import { type Indexer, indexer } from "../workspace/index/code-index.ts";
import { RECORD_VERSION } from "../workspace/index/record.ts";
import { HISTORY_VERSION } from "../workspace/relevance/history-keeper.ts";
import { packageRoot } from "./config/package-root.ts";
import { prepareState } from "./config/state-folder.ts";

/** The code of one checkout, indexed; close it, and its threads end. */
export interface OpenCode {
  readonly indexer: Indexer;
  readonly git: Git;
  /** where history is kept */
  readonly histories: RecordCache;
  close(): Promise<void>;
}

/**
 * Opens the index of a checkout. `root`: its top; `main`: the main checkout, whose `.pawl/cache` all worktrees share.
 * Nothing is read before the first `refresh`.
 */
export function openCode({ root, main }: { root: string; main: string }): OpenCode {
  const queries = join(packageRoot(), "queries");
  const git = busyGit();
  const parser = parserPool({ worker: join(packageRoot(), "dist", "parse-worker.mjs"), queries });
  const cacheAt = (...names: readonly string[]): RecordCache => lazyCache(main, names);
  const tree = worktreeTree(git, realpathSync(root));
  return {
    indexer: indexer({ tree, parser, cache: cacheAt("index", stamp(queries)) }),
    git,
    histories: cacheAt("history", `v${HISTORY_VERSION}`),
    close: () => parser.close(),
  };
}

/** `.pawl` is made only where something is to be kept. */
function lazyCache(main: string, names: readonly string[]): RecordCache {
  const cache = packCache(join(main, ".pawl", "cache", ...names));
  return {
    load: () => cache.load(),
    save(records) {
      if (records.size === 0) return;
      try {
        prepareState(join(main, ".pawl"));
      } catch {
        return; // a checkout that is read only keeps nothing
      }
      cache.save(records);
    },
  };
}

/** Records are good as long as what is looked for, and how it is written down, are the same. */
function stamp(queries: string): string {
  const hash = createHash("sha256").update(String(RECORD_VERSION));
  for (const language of LANGUAGES) hash.update(queryText(language, queries));
  return hash.digest("hex").slice(0, 16);
}
