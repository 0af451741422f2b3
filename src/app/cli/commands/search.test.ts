import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "../../../../test/support/scratch.ts";

function pawl(cwd: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("dist/cli.mjs"), ...args], {
    cwd,
    encoding: "utf8",
  });
  return { code: status, out: stdout, err: stderr };
}

describe("pawl search", () => {
  const FILES = {
    "src/search.ts": "a\nif (item.colour) {\nb\nc\nd\ncolour\n",
    "src/item.py": "color\n",
  };

  test("writes matches as grep does, in the order of their paths, and what is not shown", () => {
    const { repo } = repository(FILES);
    expect(pawl(repo, "search", "colou?r", "--type", "ts", "-C", "1", "--limit", "1")).toEqual({
      code: 0,
      out: "src/search.ts-1-a\nsrc/search.ts:2:if (item.colour) {\nsrc/search.ts-3-b\n",
      err: "1 of 2 matches in 1 file shown; --limit 0 shows all\n",
    });
    expect(pawl(repo, "search", "colou?r", "src", "--glob", "*.ts", "-C", "1").out).toBe(
      "src/search.ts-1-a\nsrc/search.ts:2:if (item.colour) {\nsrc/search.ts-3-b\n--\nsrc/search.ts-5-d\nsrc/search.ts:6:colour\n",
    );
  });

  test("as JSON has each line with its place", () => {
    const { repo } = repository(FILES);
    const { files, ...rest } = JSON.parse(pawl(repo, "search", "colou?r", "--json", "--type", "py").out);
    expect(files).toEqual([{ path: "src/item.py", lines: [{ line: 1, text: "color", column: 1, match: true }] }]);
    expect(rest).toEqual({
      ok: true,
      shown: 1,
      total: 1,
      matched_files: 1,
      binary: [],
      binary_count: 0,
      unread: [],
      unread_count: 0,
    });
  });

  test("ends with 1 where nothing is found, and with 2 where it cannot search", () => {
    const { repo } = repository(FILES);
    expect(pawl(repo, "search", "nowhere")).toEqual({ code: 1, out: "", err: "nothing was found\n" });
    const bad = pawl(repo, "search", "a(");
    expect([bad.code, bad.out]).toEqual([2, ""]);
    expect(bad.err).toContain("error[PATTERN_BAD] the pattern cannot be used: regex parse error:");
    expect(pawl(repo, "search", "a", "--limit", "many").err).toContain("error[USAGE] --limit takes a number");
  });
});
