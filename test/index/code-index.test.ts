import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { definitionsOf } from "../../src/workspace/index/outline-rows.ts";
import { git, repository, write } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";
import { edges, watchedIndex } from "./code.ts";

const FILES = {
  "src/cart.ts": 'import { price } from "./price.ts";\nexport const total = () => price();\n',
  "src/price.ts": "export function price() {}\n",
  "go.mod": "module example.com/x\n",
  "store/store.go": "package store\nfunc Open() {}\n",
  "com/x/App.java": "package com.x;\nclass App {}\n",
  "README.md": "# no code\n",
  "package.json": '{"name":"shop"}',
};

describe("WRK-5.2 the index of a checkout", () => {
  test("WRK-5.2 has every source file with its language, its module and where its imports lead", async () => {
    const { repo } = repository(FILES);
    const index = await watchedIndex(repo).refresh();
    expect(index.files.map(({ path, language }) => [path, language])).toEqual([
      ["com/x/App.java", "java"],
      ["src/cart.ts", "typescript"],
      ["src/price.ts", "typescript"],
      ["store/store.go", "go"],
    ]);
    shows("WRK-5.2", 1);
    expect(index.files.map(index.moduleOf)).toEqual(["com.x", "shop/src/cart", "shop/src/price", "store"]);
    shows("WRK-5.2", 2);
    expect(edges(index)).toEqual({ "src/cart.ts": ["src/price.ts"] });
    shows("WRK-5.2", 5);
  });

  test("WRK-5.2 a module is what its language calls it", async () => {
    const { repo } = repository({
      "src/shop/__init__.py": "",
      "src/shop/cart.py": "",
      "core/Cargo.toml": '[package]\nname = "shop-core"\n',
      "core/src/lib.rs": "",
      "core/src/db/open.rs": "",
      "lib/a.c": "",
      "web/package.json": '{"name":"@shop/web"}',
      "web/index.ts": "",
      "web/view/index.tsx": "",
      "App.cs": "namespace Shop.App;\n",
      "a.php": "<?php\nnamespace Shop\\A;\n",
    });
    const index = await watchedIndex(repo).refresh();
    expect(Object.fromEntries(index.files.map((file) => [file.path, index.moduleOf(file)]))).toEqual({
      "App.cs": "Shop.App",
      "a.php": "Shop\\A",
      "core/src/db/open.rs": "shop_core::db::open",
      "core/src/lib.rs": "shop_core",
      "lib/a.c": "lib",
      "src/shop/__init__.py": "shop",
      "src/shop/cart.py": "shop.cart",
      "web/index.ts": "@shop/web",
      "web/view/index.tsx": "@shop/web/view",
    });
    shows("WRK-5.2", 2);
  });

  test("WRK-5.2 only what changed is parsed again, and its imports are looked at again", async () => {
    const { repo } = repository(FILES);
    const index = watchedIndex(repo);
    const first = await index.refresh();
    index.parsed();
    expect(edges(await index.refresh())).toEqual(edges(first));
    expect(index.parsed()).toEqual([]);
    write(repo, { "src/price.ts": 'import "./cart.ts";\nexport function price() {}\n' });
    const second = await index.refresh();
    expect(index.parsed()).toEqual(["src/price.ts"]);
    expect(edges(second)).toEqual({ "src/cart.ts": ["src/price.ts"], "src/price.ts": ["src/cart.ts"] });
    expect(edges(first)).toEqual({ "src/cart.ts": ["src/price.ts"] });
    git(repo, "mv", "src/price.ts", "src/money.ts");
    const third = await index.refresh();
    expect(edges(third)).toEqual({ "src/money.ts": ["src/cart.ts"] });
    expect(index.parsed()).toEqual([]);
    git(repo, "rm", "-q", "-f", "src/money.ts");
    expect((await index.refresh()).placeOf.has("src/money.ts")).toBe(false);
    shows("WRK-5.2", 6);
  });

  test("WRK-5.2 who knows what changed is believed, and a new or a gone file is still found", async () => {
    const { repo } = repository({ ...FILES, ".gitignore": "*.gen.ts\n" });
    const index = watchedIndex(repo);
    await index.refresh();
    index.parsed();
    write(repo, { "src/price.ts": 'import "./cart.ts";\n', "src/cart.ts": "// not named\n" });
    expect(edges(await index.refresh(["src/price.ts"]))["src/price.ts"]).toEqual(["src/cart.ts"]);
    expect(index.parsed()).toEqual(["src/price.ts"]);
    write(repo, { "src/new.ts": "", "src/no.gen.ts": "" });
    const next = await index.refresh(["src/new.ts", "src/no.gen.ts"]);
    expect([next.placeOf.has("src/new.ts"), next.placeOf.has("src/no.gen.ts")]).toEqual([true, false]);
    rmSync(join(repo, "src/price.ts"));
    expect((await index.refresh(["src/price.ts"])).placeOf.has("src/price.ts")).toBe(false);
    shows("WRK-5.2", 6);
  });

  test("WRK-5.2 what a layout file says counts from when it says it", async () => {
    const { repo } = repository({ "a.ts": 'import "@lib/b";\n', "lib/b.ts": "" });
    const index = watchedIndex(repo);
    expect(edges(await index.refresh())).toEqual({});
    write(repo, { "tsconfig.json": '{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}' });
    expect(edges(await index.refresh())).toEqual({ "a.ts": ["lib/b.ts"] });
    shows("WRK-5.2", 5);
  });

  test("WRK-5.2 every worktree, and the next process, finds what was parsed", async () => {
    const { repo } = repository(FILES);
    const cache = join(repo, ".git", "cache");
    await watchedIndex(repo, cache).refresh();
    const other = join(repo, "..", "other");
    git(repo, "worktree", "add", "-q", other);
    write(other, { "src/cart.ts": "export const other = 1;\n" });
    const index = watchedIndex(other, cache);
    const { files } = await index.refresh();
    expect(index.parsed()).toEqual(["src/cart.ts"]);
    expect(definitionsOf(files[1]!.outline).map(({ name }) => name)).toEqual(["other"]);
    shows("WRK-5.2", 6);
  });

  test("WRK-5.2 a broken cache is made again, and gives what a whole one gives", async () => {
    const { repo } = repository(FILES);
    const cache = join(repo, ".git", "cache");
    const whole = await watchedIndex(repo, cache).refresh();
    for (const name of readdirSync(join(cache, "v1"))) writeFileSync(join(cache, "v1", name), "broken");
    const index = watchedIndex(repo, cache);
    const again = await index.refresh();
    expect(index.parsed()).toHaveLength(4);
    expect(again.files.map(({ outline }) => ({ ...outline, texts: outline.texts }))).toEqual(
      whole.files.map(({ outline }) => ({ ...outline, texts: outline.texts })),
    );
    shows("WRK-5.2", 6);
  });

  test("WRK-5.2 several at once on one cache all get it right, and one refresh is one", async () => {
    const { repo } = repository(FILES);
    const cache = join(repo, ".git", "cache");
    const all = Array.from({ length: 4 }, () => watchedIndex(repo, cache));
    const indexes = await Promise.all(all.map((one) => one.refresh()));
    for (const index of indexes) expect(edges(index)).toEqual({ "src/cart.ts": ["src/price.ts"] });
    const one = watchedIndex(repo, cache);
    const [a, b] = await Promise.all([one.refresh(), one.refresh()]);
    expect(a).toBe(b);
    expect(one.parsed()).toEqual([]);
    shows("WRK-5.2", 6);
  });

  test("what changes between the list and the look is never kept under a wrong name", async () => {
    const { repo } = repository({ "a.ts": "export const old = 1;\n" });
    const cache = join(repo, ".git", "cache");
    const slow = watchedIndex(repo, cache);
    const listed = git(repo, "rev-parse", "HEAD:a.ts");
    write(repo, { "a.ts": "export const newer = 1;\n" });
    await slow.refresh();
    git(repo, "checkout", "-q", "--", "a.ts");
    const index = watchedIndex(repo, cache);
    const { files } = await index.refresh();
    expect(files[0]!.hash).toBe(listed);
    expect(definitionsOf(files[0]!.outline).map(({ name }) => name)).toEqual(["old"]);
  });

  test("a file that cannot be parsed is named with the reason, and keeps nobody else out", async () => {
    const { repo } = repository({ "a.ts": "const a = 1;\n", "bin.ts": "const a = 1;\0\n" });
    const index = watchedIndex(repo);
    const { files, skipped } = await index.refresh();
    expect(files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(skipped).toEqual([{ path: "bin.ts", why: "binary" }]);
    index.parsed();
    await index.refresh();
    expect(index.parsed()).toEqual([]);
  });
});
