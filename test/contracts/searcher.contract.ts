import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Searcher, SearchQuery, SearchResult } from "../../src/ports/searcher.ts";
import { repository, scratch, write } from "../support/scratch.ts";

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
  limit: null,
};
const FILES = {
  "b/two.ts": "nothing\nneedle\nlast\n",
  "a.ts": "Needle needles\n",
  "B.py": "needle = 1\n",
  ".hidden.ts": "needle\n",
  "left-out.log": "needle\n",
  ".gitignore": "*.log\n",
};

/** What every port that searches does. */
export function searcherContract(label: string, searcher: Searcher): void {
  const find = (cwd: string, pattern: string, query: Partial<SearchQuery> = {}) =>
    searcher.search({ ...USUAL, cwd, pattern, ...query });
  const paths = async (...of: Parameters<typeof find>) => (await find(...of)).files.map(({ path }) => path);
  const code = (search: Promise<SearchResult>) =>
    search.then(
      () => "none",
      (error: { code?: string }) => error.code,
    );

  describe(`searcher: ${label}`, () => {
    it("gives matched lines in the order of the paths' bytes, with their place and what stands around them", async () => {
      const { repo } = repository(FILES);
      const result = await find(repo, "needle", { context: 1 });
      expect(result).toMatchObject({ shown: 3, total: 3, matchedFiles: 3, binaryCount: 0, unreadCount: 0 });
      expect(result.files.map(({ path }) => path)).toEqual(["B.py", "a.ts", "b/two.ts"]);
      expect(result.files[2]!.lines).toEqual([
        { line: 1, text: "nothing", isMatch: false },
        { line: 2, text: "needle", isMatch: true, column: 1 },
        { line: 3, text: "last", isMatch: false },
      ]);
      expect(await find(repo, "no such thing")).toMatchObject({ files: [], total: 0 });
    });

    it("chooses files by globs, types, ignore files and hidden names, and lines by case, words and text", async () => {
      const { repo } = repository(FILES);
      expect(await paths(repo, "needle", { globs: ["*.ts", "!b/**"] })).toEqual([".hidden.ts", "a.ts"]);
      expect(await paths(repo, "needle", { globs: ["!*.ts"] })).toEqual(["B.py"]);
      expect(await paths(repo, "needle", { types: ["py"] })).toEqual(["B.py"]);
      expect(await paths(repo, "needle", { types: ["!py"], paths: ["b"] })).toEqual(["b/two.ts"]);
      expect(await paths(repo, "needle", { types: ["ts"], paths: ["B.py"] })).toEqual(["B.py"]);
      expect(await paths(repo, "needle", { hidden: true })).toContain(".hidden.ts");
      expect(await paths(repo, "needle", { ignored: true })).toContain("left-out.log");
      expect(await paths(repo, "Needle")).toEqual(["a.ts"]);
      expect(await paths(repo, "needle", { letterCase: "sensitive", wholeWords: true })).toEqual(["B.py", "b/two.ts"]);
      expect(await paths(repo, "n.edle", { isLiteral: true })).toEqual([]);
      expect(await paths(repo, "nothing\\nneedle", { multiline: true })).toEqual(["b/two.ts"]);
    });

    it("says how much a limit leaves out, what is no text, and what cannot be read", async () => {
      const { repo } = repository({ "a.txt": "x\n".repeat(50), "b.txt": "x\n" });
      writeFileSync(join(repo, "c.bin"), "x\0x\nx\n");
      expect(await find(repo, "x", { limit: 3 })).toMatchObject({
        shown: 3,
        total: expect.any(Number),
        binary: ["c.bin"],
      });
      expect((await find(repo, "x", { limit: 3 })).total).toBeGreaterThanOrEqual(51);
      if (process.geteuid?.() === 0) return;
      chmodSync(join(repo, "b.txt"), 0);
      expect(await find(repo, "x")).toMatchObject({ unreadCount: 1, unread: [expect.stringContaining("b.txt")] });
    });

    it("refuses what it cannot search for, or may not", async () => {
      const { repo } = repository(FILES);
      symlinkSync("..", join(repo, "up"));
      expect(await code(find(repo, "("))).toBe("PATTERN_BAD");
      expect(await code(find(repo, "a\0"))).toBe("PATTERN_BAD");
      expect(await code(find(repo, "a", { globs: ["[a"] }))).toBe("GLOB_BAD");
      expect(await code(find(repo, "a", { types: ["no-such-type"] }))).toBe("TYPE_UNKNOWN");
      expect(await code(find(repo, "a", { paths: ["nowhere"] }))).toBe("PATH_MISSING");
      for (const path of ["..", "up", "/"])
        expect(await code(find(repo, "a", { paths: [path], root: repo }))).toBe("OUT_OF_SCOPE");
      expect(await code(find(repo, "a", { signal: AbortSignal.abort() }))).toBe("CANCELLED");
    });

    it("is asked for the same by everybody: no setting of a user's changes what is found", async () => {
      const { repo } = repository(FILES);
      const settings = join(scratch(), "settings");
      write(join(settings, ".."), { settings: "--invert-match\n--hidden\n" });
      const before = process.env.RIPGREP_CONFIG_PATH;
      process.env.RIPGREP_CONFIG_PATH = settings;
      try {
        expect(await paths(repo, "needle")).toEqual(["B.py", "a.ts", "b/two.ts"]);
      } finally {
        if (before === undefined) delete process.env.RIPGREP_CONFIG_PATH;
        else process.env.RIPGREP_CONFIG_PATH = before;
      }
    });
  });
}
