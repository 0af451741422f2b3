import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { packCache } from "../../src/adapters/record-cache/pack-cache.ts";
import { readHistory } from "../../src/workspace/relevance/history.ts";
import { historyOf } from "../../src/workspace/relevance/history-keeper.ts";
import { ranker } from "../../src/workspace/relevance/rank.ts";
import { readTicket } from "../../src/workspace/relevance/ticket.ts";
import { git, repository, scratch, write } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";
import { testGit } from "../support/test-git.ts";
import { watchedIndex } from "./code.ts";

/** Files that have nothing in common, so that what is looked at stands out. */
const FILLER = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [`filler/nothing${i}.ts`, `export const nothing${i} = ${i};\n`]),
);
const FILES = {
  ...FILLER,
  "src/level.ts": "export function levelCap(player: number): number {\n  return player;\n}\n",
  "src/prestige.ts": 'import { levelCap } from "./level.ts";\nexport const prestige = () => levelCap(1);\n',
  "src/store.ts": "export const save = () => 1;\n",
  "src/wire.ts": 'import { save } from "./store.ts";\nexport const wire = save;\n',
  "test/level.test.ts": 'import { levelCap } from "../src/level.ts";\nlevelCap(2);\n',
};

async function rank(repo: string, text: string, limit = 10) {
  const index = await watchedIndex(repo).refresh();
  const history = await readHistory(testGit(), { repo, commit: "HEAD" });
  return ranker(index, history).rank(readTicket(text), limit);
}
const paths = (files: readonly { path: string }[]): readonly string[] => files.map(({ path }) => path);

function commit(repo: string, subject: string, files: Record<string, string>): void {
  write(repo, files);
  git(repo, "add", "--all");
  git(repo, "commit", "-q", "-m", subject);
}

describe("WRK-5.3 the files that a ticket is about", () => {
  test("WRK-5.3 stand first by its words, each with its reasons, the test beside what it tests", async () => {
    const { repo } = repository(FILES);
    const found = await rank(repo, "Level cap is ignored after prestige");
    expect(paths(found).slice(0, 3).sort()).toEqual(["src/level.ts", "src/prestige.ts", "test/level.test.ts"]);
    expect(found[0]!.score).toBe(1);
    for (const { reasons } of found) expect(reasons.length).toBeGreaterThan(0);
    expect(found.find(({ path }) => path === "src/level.ts")!.reasons[0]).toMatch(/^words: .*level \(its name\)/);
    shows("WRK-5.3", 1);
    expect(found.find(({ path }) => path === "test/level.test.ts")!.reasons).toContain("tests src/level.ts");
    shows("WRK-5.3", 4);
  });

  test("WRK-5.3 a name of what is defined, or of a path, brings its file", async () => {
    const { repo } = repository({ ...FILES, "src/odd.ts": "export class XyzQuux {}\n" });
    const byName = await rank(repo, "Something is wrong with `XyzQuux`");
    expect(byName[0]!.path).toBe("src/odd.ts");
    expect(byName[0]!.reasons).toContain("defines what is named (XyzQuux)");
    const byPath = await rank(repo, "It breaks\n\nsee src/store.ts for the cause");
    expect(byPath[0]).toMatchObject({ path: "src/store.ts" });
    expect(byPath[0]!.reasons).toContain("its path is named");
    shows("WRK-5.3", 2);
  });

  test("WRK-5.3 what shares no word comes in along the imports", async () => {
    const { repo } = repository({
      ...FILLER,
      "a/kettle.ts": 'import "../b/hob.ts";\nexport const kettle = 1;\n',
      "b/hob.ts": "export const hob = 1;\n",
      "c/pan.ts": "export const pan = 1;\n",
    });
    const found = await rank(repo, "kettle");
    expect(paths(found)).toContain("b/hob.ts");
    expect(paths(found).indexOf("b/hob.ts")).toBe(1);
    expect(found[1]!.reasons).toContain("imported by a/kettle.ts");
    shows("WRK-5.3", 3);
  });

  test("WRK-5.3 commits like the ticket, and what was changed together, count", async () => {
    const { repo } = repository(FILES);
    commit(repo, "checkout: round the vouchers", { "src/wire.ts": "export const wire = 2;\n" });
    for (let i = 0; i < 3; i++)
      commit(repo, `turn ${i}`, {
        "src/store.ts": `export const save = ${i};\n`,
        "src/level.ts": `export function levelCap() { ${i}; }\n`,
      });
    const alike = await rank(repo, "Vouchers are rounded down");
    expect(alike[0]!.path).toBe("src/wire.ts");
    expect(alike[0]!.reasons[0]).toMatch(/^changed by [0-9a-f]{7} "checkout: round the vouchers"$/);
    const along = await rank(repo, "levelCap");
    expect(along.find(({ path }) => path === "src/store.ts")!.reasons.join()).toMatch(
      /changed 4 times with src\/level.ts/,
    );
    shows("WRK-5.3", 5);
  });

  test("WRK-5.3 the same input gives the same order, from a cold cache and a warm one", async () => {
    const { repo } = repository(FILES);
    const first = await rank(repo, "save the level");
    expect(await rank(repo, "save the level")).toEqual(first);
    expect(await rank(repo, "save the level")).toEqual(first);
    expect(first.map(({ score }) => score)).toEqual([...first.map(({ score }) => score)].sort((a, b) => b - a));
    shows("WRK-5.3", 6);
  });

  test("a ticket of no words that are known, and a repository without code, give nothing and no error", async () => {
    const { repo } = repository(FILES);
    expect(await rank(repo, "")).toEqual(await rank(repo, "the of and"));
    expect(await rank(repository({ "README.md": "level" }).repo, "level")).toEqual([]);
  });
});

describe("history", () => {
  test("a file that was moved has its past under its new name", async () => {
    const { repo } = repository({ "a.ts": "one\ntwo\nthree\n", "b.ts": "" });
    commit(repo, "change a", { "a.ts": "one\ntwo\nthree\nfour\n" });
    git(repo, "mv", "a.ts", "ä moved.ts");
    git(repo, "commit", "-q", "-m", "move");
    const history = await readHistory(testGit(), { repo, commit: "HEAD" });
    expect(history.map(({ subject, paths }) => [subject, paths])).toEqual([
      ["move", ["ä moved.ts"]],
      ["change a", ["ä moved.ts"]],
      ["Start", ["ä moved.ts", "b.ts"]],
    ]);
  });

  test("what was kept is added to, and is thrown away where HEAD went elsewhere", async () => {
    const { repo } = repository({ "a.ts": "" });
    const cache = packCache(`${scratch()}/v1`);
    const subjects = async () => (await historyOf({ git: testGit(), repo, cache })).map(({ subject }) => subject);
    expect(await subjects()).toEqual(["Start"]);
    for (const n of [1, 2]) commit(repo, `change ${n}`, { "a.ts": String(n) });
    expect(await subjects()).toEqual(["change 2", "change 1", "Start"]);
    git(repo, "commit", "-q", "--amend", "-m", "other");
    expect(await subjects()).toEqual(["other", "change 1", "Start"]);
    git(repo, "checkout", "-q", "--orphan", "none");
    expect(await subjects()).toEqual([]);
  });
});

describe("pawl rank", () => {
  const pawl = (cwd: string, args: readonly string[], input = "") => {
    const cli = [resolve("dist/cli.mjs"), "rank", ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, cli, { cwd, encoding: "utf8", input });
    return { code: status, out: stdout, err: stderr };
  };

  test("takes a file, stdin, or the text itself, and gives the same", () => {
    const { repo } = repository({ ...FILES, "tasks/t.md": "---\ntitle: Level cap is ignored\n---\nafter prestige\n" });
    const fromFile = pawl(repo, ["tasks/t.md", "--json", "--limit", "3"]);
    const { ok, files, of } = JSON.parse(fromFile.out);
    expect({ ok, of, count: files.length, first: files[0].path }).toEqual({
      ok: true,
      of: 25,
      count: 3,
      first: "src/level.ts",
    });
    expect(pawl(repo, ["-", "--json", "--limit", "3"], "Level cap is ignored\nafter prestige\n").out).toBe(
      fromFile.out,
    );
    expect(pawl(repo, ["level", "cap", "--limit", "1"])).toMatchObject({ code: 0, err: "1 of 25 files\n" });
    expect(pawl(repo, ["level", "cap", "--limit", "1"]).out).toMatch(
      /^ 1 {2}src\/level\.ts {2}words: level \(its name\), cap/,
    );
  });

  test.each([
    ["a file that is not there", ["nothing.md"]],
    ["a folder", ["src"]],
    ["a limit that is none", ["level", "--limit", "0"]],
  ])("%s is said to be wrong", (_, args) => {
    const { repo } = repository(FILES);
    expect(pawl(repo, args)).toMatchObject({ code: 2, out: "" });
  });
});
