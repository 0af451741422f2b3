import { availableParallelism } from "node:os";
import { commitTree } from "../../../src/adapters/code-tree/commit-tree.ts";
import { parserPool } from "../../../src/adapters/parser/pool.ts";
import type { CodeTree } from "../../../src/ports/code-tree.ts";
import type { Git } from "../../../src/ports/system.ts";
import { type CodeIndex, indexer, MAX_SOURCE_BYTES } from "../../../src/workspace/index/code-index.ts";
import { type PastCommit, readHistory } from "../../../src/workspace/relevance/history.ts";
import type { Case } from "./cases.ts";
import { type PlainFile, plainFile } from "./plain.ts";

/** What was there before a commit: the index of its parent's tree, its files as plain BM25 sees them, and its past. */
export interface Before {
  readonly index: CodeIndex;
  readonly plain: readonly (readonly [path: string, file: PlainFile])[];
  readonly past: readonly PastCommit[];
}

const EMPTY: PlainFile = { words: new Uint32Array(), counts: new Uint16Array(), length: 0 };

/** Gives what was before each case, one after the other. Nothing of the case's own commit, or of later ones, is in it. */
export async function walk(
  parts: { git: Git; repo: string; worker: string; queries: string },
  cases: readonly Case[],
  visit: (one: Case, before: Before) => void,
): Promise<void> {
  const { git, repo } = parts;
  const parser = parserPool({ ...parts, threads: availableParallelism() });
  let tree: CodeTree | null = null;
  const current: CodeTree = {
    list: () => tree!.list(),
    read: (files, maxBytes) => tree!.read(files, maxBytes),
  };
  const cache = { load: () => new Map<string, Uint8Array>(), save: () => {} };
  const keeper = indexer({ tree: current, parser, cache });
  const plain = new Map<string, PlainFile>();
  try {
    for (const one of cases) {
      tree = commitTree(git, repo, one.parent);
      const index = await keeper.refresh();
      await readPlain(index, current, plain);
      visit(one, {
        index,
        plain: index.files.map(({ path, hash }) => [path, plain.get(`${hash} ${path}`)!]),
        past: await readHistory(git, { repo, commit: one.parent }),
      });
    }
  } finally {
    await parser.close();
  }
}

async function readPlain({ files }: CodeIndex, tree: CodeTree, plain: Map<string, PlainFile>): Promise<void> {
  const unread = files.filter(({ path, hash }) => !plain.has(`${hash} ${path}`));
  const contents = await tree.read(unread, MAX_SOURCE_BYTES);
  for (const [i, { path, hash }] of unread.entries()) {
    const content = contents[i];
    plain.set(`${hash} ${path}`, content ? plainFile(path, new TextDecoder().decode(content.bytes)) : EMPTY);
  }
}
