import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { git, repository, scratch, write } from "../../../../test/support/scratch.ts";

function pawl(cwd: string, args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve("dist/cli.mjs"), ...args], {
    cwd,
    input,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: cwd },
  });
  return { code: status, out: stdout, err: stderr };
}

const DIFF = "--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n";
const TWICE = "--- a/src/y.ts\n+++ b/src/y.ts\n@@ -1 +1 @@\n-}\n+};\n";
const files = { "src/x.ts": "a\nb\n", "src/y.ts": "}\n1\n}\n" };

describe("pawl edit", () => {
  test("applies what comes on stdin, from the top of the checkout, and leaves nothing that git sees", () => {
    const { repo } = repository(files);
    expect(pawl(join(repo, "src"), ["edit"], DIFF)).toEqual({
      code: 0,
      out: "src/x.ts   hunk 1 exact, line 1   +1 -1\n1 file changed.\n",
      err: "",
    });
    expect(readFileSync(join(repo, "src/x.ts"), "utf8")).toBe("a\nB\n");
    expect(git(repo, "status", "--short")).toBe(" M src/x.ts");
  });

  test("with --dry says what would change, and what does not fit beside it", () => {
    const { repo } = repository(files);
    const dry = pawl(repo, ["edit", "--dry"], DIFF);
    expect(dry.code).toBe(0);
    expect(dry.out).toContain("1 file would change; nothing was written.\n\ndiff --git a/src/x.ts b/src/x.ts\n");
    expect(pawl(repo, ["edit", "--dry"], DIFF + TWICE)).toMatchObject({
      code: 1,
      out:
        "src/x.ts   hunk 1 exact, line 1   +1 -1\n" +
        "src/y.ts   error[AMBIGUOUS] hunk 1 fits lines 1 and 3; add a line of context above it that only one of them has\n" +
        "1 of 2 files cannot be applied, so nothing would be written. (exit 1)\n",
    });
    expect(git(repo, "status", "--short")).toBe("");
  });

  test("with --json answers with one document, exit 0 or 1", () => {
    const { repo } = repository(files);
    const refused = pawl(repo, ["edit", "--json"], DIFF + TWICE);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({
      ok: false,
      error: { code: "AMBIGUOUS", path: "src/y.ts", lines: [1, 3], hint: expect.stringContaining("context") },
    });
    const done = pawl(repo, ["edit", "--json"], DIFF);
    expect(done.code).toBe(0);
    expect(JSON.parse(done.out)).toMatchObject({
      ok: true,
      files: [{ path: "src/x.ts", change: "modified", hunks: [{ rung: "exact", line: 1 }] }],
    });
    const again = pawl(repo, ["edit"], DIFF);
    expect(again.out).toContain("error[ALREADY_APPLIED]");
    expect(again.out).toContain("All of it is there already");
    expect(
      JSON.parse(
        pawl(repo, ["edit", "--json", "--dry"], TWICE.replace("-}\n", " 1\n-}\n").replace("@@ -1 +1", "@@ -2,2 +2,2"))
          .out,
      ),
    ).toMatchObject({ ok: true, dry: true, diff: expect.stringContaining("+};") });
  });

  test("takes several files as one, in any formats, and keeps to the scope", () => {
    const { repo } = repository(files);
    write(repo, { "1.diff": DIFF, "2.json": '{"edits":[{"op":"create","path":"docs/z.md","text":"z\\n"}]}' });
    const outside = pawl(repo, ["edit", "1.diff", "2.json", "--scope", "src/**"]);
    expect(outside).toMatchObject({ code: 1, out: expect.stringContaining("error[OUT_OF_SCOPE] the scope is src/**") });
    expect(existsSync(join(repo, "docs"))).toBe(false);
    expect(pawl(repo, ["edit", "1.diff", "2.json", "--scope", "src/**", "--scope", "docs/*"]).code).toBe(0);
    expect(readFileSync(join(repo, "docs/z.md"), "utf8")).toBe("z\n");
  });

  test("of several processes at once loses nothing", async () => {
    const lines = Array.from({ length: 5 }, (_, i) => `line ${i};\n`);
    const { repo } = repository({ f: lines.join("") });
    const ends = lines.map(async (line, i) => {
      const edits = [{ op: "replace", path: "f", old: line, new: `changed ${i}\n` }];
      const child = spawn(process.execPath, [resolve("dist/cli.mjs"), "edit"], {
        cwd: repo,
        stdio: ["pipe", "ignore", "inherit"],
      });
      child.stdin.end(JSON.stringify({ edits }));
      return (await once(child, "exit"))[0];
    });
    expect(await Promise.all(ends)).toEqual(lines.map(() => 0));
    expect(readFileSync(join(repo, "f"), "utf8")).toBe(lines.map((_, i) => `changed ${i}\n`).join(""));
  });

  test("works where there is no repository, and says what it cannot read", () => {
    const folder = scratch();
    mkdirSync(join(folder, "src"));
    write(folder, files);
    expect(pawl(folder, ["edit"], DIFF).code).toBe(0);
    expect(pawl(folder, ["edit"], "please")).toMatchObject({ code: 1, out: expect.stringMatching(/^error\[PARSE\] /) });
    expect(pawl(folder, ["edit", "no.diff"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("FILE_UNREADABLE"),
    });
    expect(pawl(folder, ["edit", "--scope", "!x"], DIFF)).toMatchObject({
      code: 2,
      err: expect.stringContaining("GLOB_BAD"),
    });
  });
});
