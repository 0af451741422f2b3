import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { worktreeTree } from "../../src/adapters/code-tree/worktree-tree.ts";
import { parserPool } from "../../src/adapters/parser/pool.ts";
import { packCache } from "../../src/adapters/record-cache/pack-cache.ts";
import { systemGit } from "../../src/adapters/system/git.ts";
import { type Indexer, indexer } from "../../src/workspace/index/code-index.ts";
import { readHistory } from "../../src/workspace/relevance/history.ts";
import { ranker } from "../../src/workspace/relevance/rank.ts";
import { readTicket } from "../../src/workspace/relevance/ticket.ts";
import { compare, type Figure, median } from "./figure.ts";

const git = systemGit();
const built = { worker: resolve("dist/parse-worker.mjs"), queries: resolve("queries") };
const TICKET = "Settings are lost when the editor closes its last window, and the parser keeps its old state";

/** The index of a TypeScript tree of 15 MB or more: PAWL_BENCH_TREE, else one made of copies of our own sources. */
export async function benchIndex(): Promise<readonly Figure[]> {
  const root = mkdtempSync(join(tmpdir(), "pawl-bench-index-"));
  try {
    const tree = join(root, "tree");
    const given = process.env.PAWL_BENCH_TREE;
    if (given === undefined) makeTree(tree);
    else cpSync(given, tree, { recursive: true, filter: (path) => !path.endsWith("/.git") });
    commitAll(tree);
    return [...(await full(root, tree)), ...(await update(root, tree)), ...(await relevance(root, tree)), memory(root)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function makeTree(tree: string, files = Number.POSITIVE_INFINITY): void {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  let [bytes, made] = [0, 0];
  for (let copy = 0; bytes < 16_000_000 && made < files; copy++)
    for (const path of sources.slice(0, files - made)) {
      const text = readFileSync(join("src", path), "utf8").replaceAll(
        /\b(function|interface|class) (\w+)/g,
        `$1 $2${copy}`,
      );
      const at = join(tree, `part${copy}`, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, text);
      bytes += text.length;
      made++;
    }
}

function commitAll(tree: string): void {
  const run = (...args: readonly string[]) => execFileSync("git", args, { cwd: tree, stdio: "ignore" });
  run("init", "-q", "-b", "main");
  run("add", "--all", "--force");
  run("-c", "user.name=B", "-c", "user.email=b@example.org", "commit", "-q", "--no-verify", "-m", "Start");
}

async function withIndex<T>(tree: string, cache: string, work: (index: Indexer) => Promise<T>): Promise<T> {
  const parser = parserPool(built);
  try {
    return await work(indexer({ tree: worktreeTree(git, tree), parser, cache: packCache(join(cache, "v")) }));
  } finally {
    await parser.close();
  }
}

async function full(root: string, tree: string): Promise<readonly Figure[]> {
  if (spawnSync("ctags", ["--version"]).status !== 0) {
    console.log("  full index: not compared; install universal-ctags");
    return [];
  }
  let n = 0;
  const figure = await compare("full index", {
    rounds: 3,
    target: 2,
    ours: () => withIndex(tree, join(root, `cache${n++}`), async (index) => void (await index.refresh())),
    against: ["ctags -R", () => void spawnSync("ctags", ["-R", "-f", join(root, "tags"), "."], { cwd: tree })],
  });
  return [figure];
}

/** After one file changed, whether git is asked or not: beside 50 ms and the parsing of that file alone. */
function update(root: string, tree: string): Promise<readonly Figure[]> {
  return withIndex(tree, join(root, "cache-update"), async (index) => {
    const { files } = await index.refresh();
    const file = files.find(({ path, outline }) => path.endsWith(".ts") && outline.lines > 300) ?? files[0]!;
    const parser = parserPool({ ...built, threads: 1 });
    const times: [number[], number[], number[]] = [[], [], []];
    for (let round = -3; round < 15; round++) {
      const bytes = (): Uint8Array => new Uint8Array(readFileSync(join(tree, file.path)));
      const took: number[] = [];
      for (const act of [
        () => index.refresh([file.path]),
        () => index.refresh(),
        () => parser.parse({ path: file.path, language: file.language, bytes: bytes() }),
      ]) {
        appendFileSync(join(tree, file.path), `// ${round}\n`);
        const start = performance.now();
        await act();
        took.push(performance.now() - start);
      }
      if (round >= 0) for (const [i, ms] of took.entries()) times[i]!.push(ms);
    }
    await parser.close();
    const against = { against: "50 ms + its parse", againstMs: 50 + median(times[2]), target: 1 };
    return [
      { name: `one of ${files.length} changed`, ms: median(times[0]), ...against },
      { name: "git finds which", ms: median(times[1]), ...against },
    ];
  });
}

function relevance(root: string, tree: string): Promise<readonly Figure[]> {
  return withIndex(tree, join(root, "cache-update"), async (index) => {
    const found = await index.refresh();
    const history = await readHistory(git, { repo: tree, commit: "HEAD" });
    const [first, next]: [number[], number[]] = [[], []];
    for (let round = 0; round < 7; round++) {
      const start = performance.now();
      const rank = ranker({ ...found, files: found.files.map((file) => ({ ...file })) }, history);
      rank.rank(readTicket(TICKET), 10);
      const between = performance.now();
      rank.rank(readTicket(TICKET), 10);
      first.push(between - start);
      next.push(performance.now() - between);
    }
    const against = `300 ms (${found.files.length} files)`;
    return [
      { name: "a ticket, the first", ms: median(first), against, againstMs: 300, target: 1 },
      { name: "a ticket, the next", ms: median(next), against, againstMs: 300, target: 1 },
    ];
  });
}

/** Memory of a process that holds the index of 10,000 files and has ranked for a ticket; MB stand where ms do. */
function memory(root: string): Figure {
  const tree = join(root, "many");
  for (let part = 0; part < 16; part++) makeTree(join(tree, String(part)), 625);
  commitAll(tree);
  const cache = join(root, "cache-many");
  const run = () =>
    execFileSync("node_modules/.bin/tsx", ["scripts/bench/index-memory.ts", tree, cache], { encoding: "utf8" });
  run();
  const { files, megabytes } = JSON.parse(run()) as { files: number; megabytes: number };
  return { name: `memory of ${files} files (MB)`, ms: megabytes, against: "300 MB", againstMs: 300, target: 1 };
}
