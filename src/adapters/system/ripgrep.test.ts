import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { shows } from "../../../test/support/shows.ts";
import type { SearchQuery, SearchResult } from "../../ports/searcher.ts";
import { ripgrep } from "./ripgrep.ts";

const USUAL: Omit<SearchQuery, "pattern" | "cwd"> = {
  isLiteral: false,
  letterCase: "smart",
  wholeWords: false,
  multiline: false,
  paths: [],
  root: null,
  globs: [],
  types: [],
  hidden: false,
  ignored: false,
  context: 0,
  limit: 200,
};
const search = (cwd: string, pattern: string, query: Partial<SearchQuery> = {}) =>
  ripgrep().search({ ...USUAL, cwd, pattern, ...query });
const told = ({ files }: SearchResult) =>
  files.flatMap(({ path, lines }) =>
    lines.map(({ line, text, isMatch }) => `${path}${isMatch ? ":" : "-"}${line} ${text}`),
  );

const FILES = {
  "src/search.ts": "import x;\nif (item.colour === wanted) {\n}\n",
  "src/item.ts": "type Item = {\n  colour: string;\n  size: 1;\n};\n",
  "src/item.py": "color = 1\n",
  "docs/colours.md": "# Colours\nThe color of a thing.\n",
};

describe("a search", () => {
  it("WRK-5.1 globs and types choose the files, a regular expression the lines, and context is told with them", async () => {
    const { repo } = repository(FILES);
    expect(told(await search(repo, "colou?r", { globs: ["src/**", "!*.py"] }))).toEqual([
      "src/item.ts:2   colour: string;",
      "src/search.ts:2 if (item.colour === wanted) {",
    ]);
    shows("WRK-5.1", 1);
    expect(told(await search(repo, "colou?r\\b"))).toEqual([
      "docs/colours.md:2 The color of a thing.",
      "src/item.py:1 color = 1",
      "src/item.ts:2   colour: string;",
      "src/search.ts:2 if (item.colour === wanted) {",
    ]);
    shows("WRK-5.1", 2);
    expect(told(await search(repo, "colour:", { context: 1 }))).toEqual([
      "src/item.ts-1 type Item = {",
      "src/item.ts:2   colour: string;",
      "src/item.ts-3   size: 1;",
    ]);
    shows("WRK-5.1", 3);
    expect(told(await search(repo, "colou?r", { types: ["py", "md"] }))).toHaveLength(3);
    expect(told(await search(repo, "colou?r", { types: ["!py", "!md"] }))).toHaveLength(2);
    shows("WRK-5.1", 4);
  });

  it("says how much there is beyond its limit, and gives the same first matches every time", async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}/x.txt`, "hit\nmiss\nhit\n"]));
    const { repo } = repository(many);
    const all = await search(repo, "hit", { limit: null });
    expect([all.shown, all.total, all.matchedFiles]).toEqual([600, 600, 300]);
    const paths = all.files.map(({ path }) => path);
    expect(paths).toEqual([...paths].sort());
    for (let i = 0; i < 4; i++) {
      const some = await search(repo, "hit", { limit: 5, context: 1 });
      expect(told(some)).toEqual([
        "f0/x.txt:1 hit",
        "f0/x.txt-2 miss",
        "f0/x.txt:3 hit",
        "f1/x.txt:1 hit",
        "f1/x.txt-2 miss",
        "f1/x.txt:3 hit",
        "f10/x.txt:1 hit",
        "f10/x.txt-2 miss",
      ]);
      expect([some.shown, some.total, some.matchedFiles]).toEqual([5, 600, 300]);
    }
  });

  it("keeps to ignore files, and finds files in a worktree that lies in an ignored folder", async () => {
    const { repo } = repository({ ".gitignore": "built/\n.pawl/\n", "a.txt": "hit\n", ".hidden": "hit\n" });
    write(repo, { "built/x.txt": "hit\n", ".pawl/.gitignore": "*\n" });
    git(repo, "worktree", "add", "-q", ".pawl/worktrees/task-1", "-b", "task-1");
    expect(told(await search(repo, "hit"))).toEqual(["a.txt:1 hit"]);
    expect(told(await search(join(repo, ".pawl/worktrees/task-1"), "hit"))).toEqual(["a.txt:1 hit"]);
    expect(told(await search(repo, "hit", { hidden: true }))).toEqual([".hidden:1 hit", "a.txt:1 hit"]);
    expect(told(await search(repo, "hit", { ignored: true }))).toEqual(["a.txt:1 hit", "built/x.txt:1 hit"]);
    expect(told(await search(repo, "main|task", { hidden: true, ignored: true, globs: [".git/**"] }))).toEqual([]);
  });

  it("tells names and lines in any encoding", async () => {
    const cwd = scratch();
    writeFileSync(Buffer.concat([Buffer.from(`${cwd}/n`), Buffer.from([0xff, 0xc3, 0xa4])]), "hit\n");
    writeFileSync(join(cwd, 'Auftr ä\n"g.txt'), "hit\n");
    writeFileSync(join(cwd, "latin.txt"), Buffer.from("Stra\xdfe hit\n", "latin1"));
    writeFileSync(join(cwd, "wide.txt"), Buffer.from("\ufeffein hit\r\n", "utf16le"));
    const { files } = await search(cwd, "hit");
    expect(files.map(({ path, base64 }) => [path, base64])).toEqual([
      ['Auftr ä\n"g.txt', undefined],
      ["latin.txt", undefined],
      ["n\\xffä", Buffer.from([0x6e, 0xff, 0xc3, 0xa4]).toString("base64")],
      ["wide.txt", undefined],
    ]);
    const [, latin, , wide] = files.map(({ lines }) => lines[0]!);
    expect(latin).toEqual({
      line: 1,
      text: "Stra\ufffde hit",
      isMatch: true,
      column: 8,
      base64: Buffer.from("Stra\xdfe hit\n", "latin1").toString("base64"),
    });
    expect(wide).toEqual({ line: 1, text: "ein hit", isMatch: true, column: 5 });
  });

  it("says which files are no text, and a stray NUL hides nothing", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "notes.txt"), "a\nhit one\nx\0y\nhit two\n");
    writeFileSync(
      join(cwd, "picture"),
      Buffer.concat([Buffer.from([0x89, 0, 1, 2, 0xff]), Buffer.from("hit"), Buffer.from([0xfe, 1])]),
    );
    const result = await search(cwd, "hit");
    expect(told(result)).toEqual(["notes.txt:2 hit one", "notes.txt:null hit two"]);
    expect([result.binary, result.binaryCount, result.total]).toEqual([["notes.txt", "picture"], 2, 2]);
  });

  it("cuts a long line around its match, and writes control characters out", async () => {
    const cwd = scratch();
    writeFileSync(join(cwd, "min.js"), `${"x".repeat(100_000)}hit${"y".repeat(100_000)}\n`);
    writeFileSync(join(cwd, "red.txt"), "\u001b[31mhit\u0007\n");
    const [long, red] = (await search(cwd, "hit")).files.map(({ lines }) => lines[0]!);
    expect(long).toMatchObject({ column: 100_001, isCut: true });
    expect(long!.text.length).toBeLessThan(510);
    expect(long!.text).toContain("xxxhityyy");
    expect(red!.text).toBe("\\x1b[31mhit\\x07");
  });

  it("goes over several lines where it may", async () => {
    const { repo } = repository({ "a.txt": "one\ntwo\nthree\n" });
    expect(told(await search(repo, "one\\ntwo", { multiline: true }))).toEqual(["a.txt:1 one", "a.txt:2 two"]);
  });

  it("takes the pattern as it is, a case that matters, and whole words", async () => {
    const { repo } = repository({ "a.txt": "a.b\naxb\nHit hits\n-e\n" });
    expect(told(await search(repo, "a.b", { isLiteral: true }))).toEqual(["a.txt:1 a.b"]);
    expect(told(await search(repo, "hit"))).toEqual(["a.txt:3 Hit hits"]);
    expect(told(await search(repo, "hit", { letterCase: "sensitive", wholeWords: true }))).toEqual([]);
    expect(told(await search(repo, "-e"))).toEqual(["a.txt:4 -e"]);
  });

  it("tells what it could not read, and finds the rest", async () => {
    const cwd = scratch();
    write(cwd, { "a.txt": "hit\n", "b/c.txt": "hit\n" });
    symlinkSync("nowhere", join(cwd, "link"));
    if (process.getuid?.() === 0)
      return void expect(told(await search(cwd, "hit", { paths: ["a.txt", "b"] }))).toHaveLength(2);
    chmodSync(join(cwd, "b"), 0);
    const result = await search(cwd, "hit");
    chmodSync(join(cwd, "b"), 0o755);
    expect([told(result), result.unreadCount]).toEqual([["a.txt:1 hit"], 1]);
    expect(result.unread[0]).toContain("Permission denied");
  });

  it("does not leave its root, not even through a link", async () => {
    const root = scratch();
    mkdirSync(join(root, "in"));
    write(root, { "in/a.txt": "hit\n", "b.txt": "hit\n" });
    symlinkSync("..", join(root, "in/up"));
    const within = { root: join(root, "in") };
    expect(told(await search(join(root, "in"), "hit", within))).toEqual(["a.txt:1 hit"]);
    for (const path of ["..", "../b.txt", "up/b.txt", "up", "/etc/passwd"])
      await expect(search(join(root, "in"), "hit", { ...within, paths: [path] }), path).rejects.toMatchObject({
        code: "OUT_OF_SCOPE",
      });
  });

  it.each<[string, Partial<SearchQuery>, string, RegExp]>([
    ["a(", {}, "PATTERN_BAD", /unclosed group/],
    ["a\\nb", {}, "PATTERN_BAD", /multiline/],
    ["a\0", {}, "PATTERN_BAD", /NUL/],
    ["(?=a)", {}, "PATTERN_BAD", /look-around/],
    ["a", { types: ["nosuch"] }, "TYPE_UNKNOWN", /nosuch/],
    ["a", { globs: ["a["] }, "GLOB_BAD", /a\[/],
    ["a", { paths: ["nosuch"] }, "PATH_MISSING", /nosuch/],
    ["a", { signal: AbortSignal.abort() }, "CANCELLED", /cancelled/],
  ])("is refused with what is wrong in it: %j %j", async (pattern, query, code, message) => {
    await expect(search(scratch(), pattern, query)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});
