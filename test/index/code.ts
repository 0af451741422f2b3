import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { worktreeTree } from "../../src/adapters/code-tree/worktree-tree.ts";
import { parserPool } from "../../src/adapters/parser/pool.ts";
import { packCache } from "../../src/adapters/record-cache/pack-cache.ts";
import type { Parser } from "../../src/ports/parser.ts";
import { type CodeIndex, type Indexer, indexer } from "../../src/workspace/index/code-index.ts";
import { testGit } from "../support/test-git.ts";

/** An index of a worktree on real parts, with the paths that were parsed since it was last asked. */
export interface Watched extends Indexer {
  parsed(): readonly string[];
}

export function watchedIndex(repo: string, cache = join(repo, ".git", "cache")): Watched {
  const pool = parserPool({ worker: resolve("dist/parse-worker.mjs"), queries: resolve("queries"), threads: 1 });
  onTestFinished(() => pool.close());
  let paths: string[] = [];
  const parser: Parser = {
    close: () => pool.close(),
    parse(source) {
      paths.push(source.path);
      return pool.parse(source);
    },
  };
  const parts = { tree: worktreeTree(testGit(), repo), parser, cache: packCache(join(cache, "v1")) };
  return {
    ...indexer(parts),
    parsed() {
      const found = paths.sort();
      paths = [];
      return found;
    },
  };
}

/** Who imports whom, by path. */
export const edges = ({ files, graph }: CodeIndex): Record<string, readonly string[]> =>
  Object.fromEntries(
    files.flatMap(({ path }, place) => {
      const targets = [...graph.imports[place]!].map((to) => files[to]!.path);
      return targets.length === 0 ? [] : [[path, targets]];
    }),
  );
