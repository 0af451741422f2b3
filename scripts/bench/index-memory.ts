// A process of its own for scripts/bench/index.ts: opens the index of a tree, ranks once, and says what it holds.
import { join, resolve } from "node:path";
import { worktreeTree } from "../../src/adapters/code-tree/worktree-tree.ts";
import { parserPool } from "../../src/adapters/parser/pool.ts";
import { packCache } from "../../src/adapters/record-cache/pack-cache.ts";
import { systemGit } from "../../src/adapters/system/git.ts";
import { indexer } from "../../src/workspace/index/code-index.ts";
import { ranker } from "../../src/workspace/relevance/rank.ts";
import { readTicket } from "../../src/workspace/relevance/ticket.ts";

const [, , tree = ".", cache = ""] = process.argv;
const before = process.memoryUsage.rss();
const parser = parserPool({ worker: resolve("dist/parse-worker.mjs"), queries: resolve("queries") });
const index = await indexer({
  tree: worktreeTree(systemGit(), tree),
  parser,
  cache: packCache(join(cache, "v")),
}).refresh();
await parser.close();
const ranking = ranker(index, []).rank(readTicket("the store is locked"), 10);
const held = process.memoryUsage.rss() - before;
console.log(JSON.stringify({ files: index.files.length, megabytes: held / 1_048_576, first: ranking[0]?.path }));
