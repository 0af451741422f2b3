import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { repoMap, tokensOf } from "../../src/workspace/index/repo-map.ts";
import { repository } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";
import { watchedIndex } from "./code.ts";

const FILES = {
  "src/search.ts":
    'import type { Item } from "./item.ts";\nexport function search(q: Query): Item[] {\n  const inner = 1;\n  return [];\n}\nexport const matches = (item: Item) => true;\n',
  "src/item.ts":
    "export interface Item {\n  name: string;\n}\nexport async function parseItem(line: string): Item {}\n",
  "test/search.test.ts": 'import { search } from "../src/search.ts";\n',
};

function pawl(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("dist/cli.mjs"), ...args], {
    cwd,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

describe("WRK-5.2 a map of a repository", () => {
  test("WRK-5.2 shows what much leans on first, with signatures, imports and tests", () => {
    const { repo } = repository(FILES);
    expect(pawl(repo, "map")).toEqual({
      code: 0,
      out:
        "src/item.ts  interface Item · parseItem(line: string): Item\n" +
        "src/search.ts  search(q: Query): Item[] · matches(item: Item)  imports item  test test/search.test.ts\n" +
        "test/search.test.ts  imports search\n",
      err: "3 of 3 files, 50 of 2000 tokens; by weight in the import graph\n",
    });
    shows("WRK-5.2", 8);
  });

  test("WRK-5.2 keeps to the budget, and says what it left out; one file is always shown", async () => {
    const { repo } = repository(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.py`, `def function_${i}(a, b):\n    pass\n`])),
    );
    const index = await watchedIndex(repo).refresh();
    for (const tokens of [1, 50, 200, 10_000]) {
      const map = repoMap(index, { folder: "", tokens });
      const used = map.entries.reduce((sum, { text }) => sum + tokensOf(text), 0);
      expect(map.tokens).toBe(used);
      expect(map.of).toBe(40);
      expect(used <= tokens || map.entries.length === 1).toBe(true);
    }
    expect(repoMap(index, { folder: "", tokens: 10_000 }).entries).toHaveLength(40);
    shows("WRK-5.2", 8);
  });

  test("of a folder, from inside another one, as JSON", () => {
    const { repo } = repository(FILES);
    const { files, ...rest } = JSON.parse(
      pawl(`${repo}/test`, "map", "../src/item.ts", "--json", "--tokens", "1k").out,
    );
    expect(files).toEqual([
      {
        path: "src/item.ts",
        language: "typescript",
        module: "src/item",
        definitions: [
          { kind: "interface", name: "Item", line: 1, signature: "export interface Item" },
          {
            kind: "function",
            name: "parseItem",
            line: 4,
            signature: "export async function parseItem(line: string): Item",
          },
        ],
        imports: [],
        tests: [],
      },
    ]);
    expect(rest).toEqual({ ok: true, of: 1, tokens: 15, budget: 1_000, skipped: [] });
  });

  test.each([
    ["a budget that is none", ["map", "--tokens", "many"]],
    ["a folder that is not there", ["map", "nowhere"]],
    ["one outside", ["map", "../.."]],
  ])("%s is said to be wrong", (_, args) => {
    const { repo } = repository({ "a.ts": "" });
    expect(pawl(repo, ...args)).toMatchObject({ code: 2, out: "" });
  });
});
