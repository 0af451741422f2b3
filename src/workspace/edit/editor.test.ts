import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, scratch } from "../../../test/support/scratch.ts";
import { shows } from "../../../test/support/shows.ts";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { systemFiles } from "../../adapters/system/files.ts";
import type { Edit } from "./edit.ts";
import { createEditor, type EditorParts, type EditResult, type Sent } from "./editor.ts";

type Contents = Record<string, string | Uint8Array>;

function put(root: string, files: Contents): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function workspace(files: Contents, more: Partial<EditorParts> = {}) {
  const folder = scratch();
  const root = join(folder, "root");
  mkdirSync(root);
  put(root, files);
  const journalDir = join(folder, "journals");
  const parts: EditorParts = {
    files: systemFiles(),
    lock: fileLocks(),
    clock: systemClock(),
    root,
    journalDir,
    scope: () => null,
    ...more,
  };
  const editor = createEditor(parts);
  const send = async (sent: Sent, known?: Map<string, string>) => editor.apply(await editor.plan(sent, known));
  return { root, journalDir, folder, parts, editor, send, edit: (...edits: Edit[]) => send(edits) };
}

/** path -> bytes of all files below a folder; a link by where it leads. */
const tree = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isSymbolicLink())
      .map((entry) => [join(entry.parentPath, entry.name), entry.isSymbolicLink()] as const)
      .sort()
      .map(([path, isLink]) => [
        path.slice(root.length + 1),
        isLink ? `-> ${readlinkSync(path)}` : readFileSync(path, "latin1"),
      ]),
  );

const codeOf = (result: EditResult): string => (result.ok ? "ok" : `${result.error.code} ${result.error.path}`.trim());
const replace = (path: string, old: string, now: string): Edit => ({ op: "replace", path, old, new: now });
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("an editor", () => {
  test("WRK-6.1 applies hunks in many files as one", async () => {
    const { send, root, journalDir } = workspace({ "a.ts": "one\ntwo\n", "src/b.ts": "x\ny\nz\n" });
    const result = await send(
      "--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n-one\n+1\n two\n--- a/src/b.ts\n+++ b/src/b.ts\n@@ -2,2 +2,3 @@\n y\n+w\n z\n",
    );
    expect(result).toEqual({
      ok: true,
      files: [
        { path: "a.ts", change: "modified", hunks: [{ rung: "exact", line: 1 }], added: 1, removed: 1 },
        { path: "src/b.ts", change: "modified", hunks: [{ rung: "exact", line: 2 }], added: 1, removed: 0 },
      ],
    });
    expect(tree(root)).toEqual({ "a.ts": "1\ntwo\n", "src/b.ts": "x\ny\nw\nz\n" });
    expect(readdirSync(journalDir)).toEqual(["lock"]);
    shows("WRK-6.1", 1);
  });

  test("WRK-6.1 shows what would change before, as a diff that git applies to the same end", async () => {
    const before: Contents = {
      "a.ts": "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
      "gone.ts": "x\n",
      "old name.ts": "a\r\nb",
      "moved.ts": "m\n",
      "latin.txt": Buffer.from("caf\xe9\nb\n", "latin1"),
      "ä.ts": "ü\n",
      "run.sh": "#!/bin/sh\n",
    };
    const { editor, root, folder } = workspace(before);
    chmodSync(join(root, "moved.ts"), 0o755);
    const copy = join(folder, "copy");
    mkdirSync(copy);
    git(copy, "init", "-q");
    put(copy, before);
    chmodSync(join(copy, "moved.ts"), 0o755);
    const plan = await editor.plan([
      replace("a.ts", "\n2\n", "\ntwo\n"),
      replace("a.ts", "11\n", ""),
      { op: "delete", path: "gone.ts" },
      { op: "move", from: "old name.ts", to: "new/name b/x.ts" },
      replace("new/name b/x.ts", "a", "A\nB"),
      { op: "move", from: "moved.ts", to: "m.ts" },
      replace("latin.txt", "b", "c"),
      replace("ä.ts", "ü", "ö"),
      { op: "create", path: 'q"uo\tte.ts', text: "no end" },
      { op: "create", path: "empty.ts", text: "", executable: true },
      { op: "insert", path: "run.sh", at: "start", text: "# header\n" },
    ]);
    expect(plan.error).toBe(null);
    const untouched = tree(root);
    const diff = editor.preview(plan);
    expect(tree(root)).toEqual(untouched);
    writeFileSync(join(folder, "p.diff"), diff);
    git(copy, "apply", "-p1", join(folder, "p.diff"));
    expect(await editor.apply(plan)).toMatchObject({ ok: true });
    const { ...byGit } = tree(copy);
    for (const path of Object.keys(byGit)) if (path.startsWith(".git/")) delete byGit[path];
    expect(tree(root)).toEqual(byGit);
    for (const path of ["m.ts", "empty.ts", "a.ts"])
      expect([path, statSync(join(root, path)).mode & 0o111]).toEqual([path, statSync(join(copy, path)).mode & 0o111]);
    shows("WRK-6.1", 2);
  });

  test("WRK-6.1 writes nothing where one of many does not fit, and names every fault", async () => {
    const { edit, root } = workspace({ "a.ts": "one\n", "b.ts": "}\n}\n" });
    const result = await edit(
      replace("a.ts", "one", "1"),
      replace("b.ts", "}", "};"),
      { op: "create", path: "c.ts", text: "" },
      replace("d.ts", "x", "y"),
    );
    expect(codeOf(result)).toBe("AMBIGUOUS b.ts");
    expect(result).toMatchObject({
      errors: [
        { code: "AMBIGUOUS", lines: [1, 2] },
        { code: "NOT_FOUND", path: "d.ts" },
      ],
    });
    expect(tree(root)).toEqual({ "a.ts": "one\n", "b.ts": "}\n}\n" });
    shows("WRK-6.1", 3);
  });

  test("WRK-6.2 creates, moves and deletes files, and inserts headers", async () => {
    const { edit, root } = workspace({ "b.ts": "two\n", "c.ts": "three\n", "h.ts": "code\n" });
    chmodSync(join(root, "b.ts"), 0o750);
    const result = await edit(
      { op: "create", path: "x/y/z.ts", text: "new\n" },
      { op: "create", path: "x/run", text: "#!/bin/sh\n", executable: true },
      { op: "move", from: "b.ts", to: "x/b.ts" },
      { op: "delete", path: "c.ts" },
      { op: "insert", path: "h.ts", at: "start", text: "// © all of us\n" },
    );
    expect(result.ok && result.files.map(({ path, change, from }) => [path, change, from])).toEqual([
      ["x/y/z.ts", "created", undefined],
      ["x/run", "created", undefined],
      ["x/b.ts", "moved", "b.ts"],
      ["c.ts", "deleted", undefined],
      ["h.ts", "modified", undefined],
    ]);
    expect(tree(root)).toMatchObject({
      "x/y/z.ts": "new\n",
      "x/b.ts": "two\n",
      "h.ts": "// \xc2\xa9 all of us\ncode\n",
    });
    expect(Object.keys(tree(root))).toHaveLength(4);
    const modes = ["x/y/z.ts", "x/run", "x/b.ts"].map((path) => statSync(join(root, path)).mode & 0o777);
    const umask = process.umask();
    expect(modes).toEqual([0o644 & ~umask, 0o755 & ~umask, 0o750]);
    for (const line of [1, 2, 3, 4]) shows("WRK-6.2", line);
  });

  test("reads every file once, and finds in it what the edits before left", async () => {
    const { edit, root } = workspace({ a: "one\n" });
    const result = await edit(
      replace("a", "one", "two"),
      { op: "move", from: "a", to: "b" },
      replace("b", "two", "three"),
      { op: "create", path: "a", text: "again\n" },
      { op: "move", from: "b", to: "d/c" },
      replace("./d//c", "three", "four"),
    );
    expect(result).toMatchObject({
      ok: true,
      files: [
        { path: "a", change: "modified" },
        { path: "d/c", change: "moved", from: "a", hunks: [{ line: 1 }, { line: 1 }, { line: 1 }] },
      ],
    });
    expect(tree(root)).toEqual({ a: "again\n", "d/c": "four\n" });
  });

  test("sees a file under every one of its names as one", async () => {
    const { edit, root } = workspace({ "real/a": "1\n2\n" });
    symlinkSync("real", join(root, "link"));
    symlinkSync("real/a", join(root, "a"));
    expect(
      await edit(replace("link/a", "1", "one"), replace("a", "2", "two"), replace("real/a", "one", "1.")),
    ).toMatchObject({
      ok: true,
      files: [{ change: "modified" }],
    });
    expect(tree(root)).toMatchObject({ "real/a": "1.\ntwo\n", a: "-> real/a" });
  });
});

describe("what is refused", () => {
  const outside = { "../secret": "s\n" };
  test.each<[string, readonly Edit[], string]>([
    ["a file that is not there", [replace("no", "a", "b")], "NOT_FOUND no"],
    ["a path above the root", [replace("../secret", "s", "t")], "OUT_OF_SCOPE ../secret"],
    ["a path that goes up on the way", [replace("d/../../secret", "s", "t")], "OUT_OF_SCOPE d/../../secret"],
    ["an absolute path elsewhere", [{ op: "create", path: "/etc/pawl", text: "" }], "OUT_OF_SCOPE /etc/pawl"],
    ["what the scope leaves out", [replace("d/closed", "c", "d")], "OUT_OF_SCOPE d/closed"],
    ["a way around the scope through a link", [replace("to-d/closed", "c", "d")], "OUT_OF_SCOPE to-d/closed"],
    ["a link into what the scope leaves out", [replace("to-closed", "c", "d")], "OUT_OF_SCOPE to-closed"],
    ["git's own folder", [{ op: "create", path: "sub/.GIT/hooks/x", text: "" }], "OUT_OF_SCOPE sub/.GIT/hooks/x"],
    ["a link out of the root", [replace("out", "s", "t")], "SYMLINK_ESCAPE out"],
    ["a folder that leads out", [{ op: "create", path: "up/x", text: "" }], "SYMLINK_ESCAPE up/x"],
    [
      "a new file in a folder below one that leads out",
      [{ op: "create", path: "up/n/x", text: "" }],
      "SYMLINK_ESCAPE up/n/x",
    ],
    ["a link to nowhere", [{ op: "create", path: "dangling", text: "" }], "SYMLINK_ESCAPE dangling"],
    ["a folder that leads nowhere", [{ op: "create", path: "dangling/x", text: "" }], "SYMLINK_ESCAPE dangling/x"],
    ["deleting a link", [{ op: "delete", path: "to-a" }], "SYMLINK_ESCAPE to-a"],
    ["moving a link", [{ op: "move", from: "to-a", to: "b" }], "SYMLINK_ESCAPE to-a"],
    ["writing over a link", [{ op: "create", path: "to-a", text: "", overwrite: true }], "SYMLINK_ESCAPE to-a"],
    ["a folder", [replace("d", "a", "b")], "IS_DIR d"],
    ["deleting a folder", [{ op: "delete", path: "d/" }], "IS_DIR d/"],
    ["the root", [{ op: "delete", path: "." }], "IS_DIR ."],
    ["a file in a file", [{ op: "create", path: "a/b", text: "" }], "EXISTS a/b"],
    [
      "a file where another edit has a folder",
      [
        { op: "create", path: "n/b", text: "" },
        { op: "create", path: "n", text: "" },
      ],
      "EXISTS n/b",
    ],
    [
      "a folder where another edit has a file",
      [
        { op: "create", path: "n", text: "" },
        { op: "create", path: "n/b", text: "" },
      ],
      "EXISTS n/b",
    ],
    ["a new file over one", [{ op: "create", path: "a", text: "x" }], "EXISTS a"],
    ["a move onto a file", [{ op: "move", from: "a", to: "d/b" }], "EXISTS d/b"],
    ["a move onto itself", [{ op: "move", from: "a", to: "./a" }], "NO_CHANGE a"],
    ["a new file that is there already", [{ op: "create", path: "a", text: "a\n" }], "ALREADY_APPLIED a"],
    ["binary files", [replace("binary", "a", "b")], "BINARY binary"],
    ["a new file with NUL", [{ op: "create", path: "n", text: "\0" }], "BINARY n"],
    ["UTF-8 into what is not", [replace("latin", "b", "ß")], "NOT_UTF8 latin"],
    ["read-only files", [replace("read-only", "r", "s")], "IO read-only"],
    ["a pipe", [replace("pipe", "r", "s")], "IO pipe"],
    ["a file that is too big", [replace("big", "r", "s")], "IO big"],
    [
      "edits that undo each other",
      [
        { op: "move", from: "a", to: "b" },
        { op: "move", from: "b", to: "a" },
      ],
      "NO_CHANGE a",
    ],
    ["a file that an edit before took away", [{ op: "delete", path: "a" }, replace("a", "a", "b")], "NOT_FOUND a"],
    ["a NUL in a path", [{ op: "delete", path: "a\0b" }], "PARSE ab"],
  ])("%s", async (_, edits, code) => {
    const { root, edit } = workspace(
      {
        a: "a\n",
        "d/b": "b\n",
        "d/closed": "c\n",
        binary: "a\0b",
        latin: Buffer.from("b\xe9", "latin1"),
        "read-only": "r\n",
        big: "r".repeat(2_000),
        ...outside,
      },
      { scope: (path) => (path === "d/closed" ? "it is closed" : null), limits: { maxBytes: 1_000 } },
    );
    chmodSync(join(root, "read-only"), 0o444);
    for (const [name, to] of Object.entries({
      out: "../secret",
      up: "..",
      dangling: "nowhere",
      "to-a": "a",
      "to-d": "d",
      "to-closed": "d/closed",
    }))
      symlinkSync(to, join(root, name));
    if (code.endsWith(" pipe")) mkfifo(join(root, "pipe"));
    const before = tree(dirname(root));
    expect(codeOf(await edit(...edits))).toBe(code);
    const after = tree(dirname(root));
    delete after["journals/lock"];
    expect(after).toEqual(before);
  });

  test("what lies in its own folder, also below the root", async () => {
    const { root, parts } = workspace({ a: "a\n" });
    const editor = createEditor({ ...parts, journalDir: join(root, ".pawl/edits") });
    const edits: Edit[] = [{ op: "create", path: ".pawl/edits/x.journal", text: "" }];
    expect(codeOf(await editor.apply(await editor.plan(edits)))).toBe("OUT_OF_SCOPE .pawl/edits/x.journal");
  });

  test("a root that is not there", () => {
    const { parts } = workspace({});
    expect(() => createEditor({ ...parts, root: join(parts.root, "no") })).toThrow(/is no folder/);
  });
});

test.each<[string, readonly string[], string | Record<string, string>]>([
  ["Add File over a file is refused", ["*** Add File: a", "+x"], "EXISTS a"],
  ["Move to a file is refused", ["*** Update File: a", "*** Move to: b", "@@", "-one", "-one", "+1"], "EXISTS b"],
  ["an open end stays open", ["*** Update File: b", "@@", "-two", "+2"], { a: "one\none\n", b: "2" }],
  ["lines alone need a place", ["*** Update File: b", "@@", "+x"], "AMBIGUOUS b"],
  ["the first of two places is none", ["*** Update File: a", "@@", "-one", "+1"], "AMBIGUOUS a"],
  ["a folder is not deleted", ["*** Delete File: d"], "IS_DIR d"],
])("*** Begin Patch, otherwise than codex: %s", async (_, lines, what) => {
  const { root, send } = workspace({ a: "one\none\n", b: "two" });
  mkdirSync(join(root, "d"));
  const result = await send(["*** Begin Patch", ...lines, "*** End Patch"].join("\n"));
  if (typeof what === "string") expect(codeOf(result)).toBe(what);
  else expect(tree(root)).toEqual(what);
});

describe("what stays", () => {
  test("every byte that no hunk names: line ends, byte order mark, open end, encoding, mode", async () => {
    const bytes = Buffer.from("\xef\xbb\xbfone\r\ntwo\nthr\xe9e\rfour\r\n\t \n\x0cend", "latin1");
    const { edit, root } = workspace({ f: bytes });
    chmodSync(join(root, "f"), 0o640);
    expect(await edit(replace("f", "two", "2"))).toMatchObject({ ok: true });
    expect(readFileSync(join(root, "f"), "latin1")).toBe(bytes.toString("latin1").replace("two", "2"));
    expect(statSync(join(root, "f")).mode & 0o777).toBe(0o640);
  });

  test("what the other names of a file hold: it is replaced, and that is said", async () => {
    const { edit, root } = workspace({ a: "one\n" });
    linkSync(join(root, "a"), join(root, "b"));
    const result = await edit(replace("a", "one", "two"));
    expect(result).toMatchObject({ ok: true, files: [{ note: expect.stringContaining("2 names") }] });
    expect(tree(root)).toEqual({ a: "two\n", b: "one\n" });
  });

  test("a mode, where a file is written over, and one that a diff sets", async () => {
    const { edit, send, root } = workspace({ a: "one\n", b: "x\n" });
    chmodSync(join(root, "a"), 0o700);
    await edit(
      { op: "create", path: "a", text: "two\n", overwrite: true },
      { op: "move", from: "b", to: "a", overwrite: true },
    );
    expect(tree(root)).toEqual({ a: "x\n" });
    const diff = (old: string, now: string) => `diff --git a/a b/a\nold mode ${old}\nnew mode ${now}\n`;
    expect(await send(diff("100644", "100755"))).toMatchObject({ ok: true });
    expect(statSync(join(root, "a")).mode & 0o777).toBe(0o755);
    expect(codeOf(await send(diff("100644", "100755")))).toBe("ALREADY_APPLIED a");
  });

  test("line ends of new files are those that their folder asks for", async () => {
    const { edit, root } = workspace({
      ".gitattributes": "*.bat text eol=crlf\n",
      ".editorconfig": "root = true\n[*]\nend_of_line = lf\n[*.{cmd,txt}]\nend_of_line = crlf\n",
      "unix/.gitattributes": "*.bat eol=lf\n",
    });
    const paths = ["x/a.bat", "b.cmd", "c.ts", "unix/d.bat"];
    await edit(...paths.map((path): Edit => ({ op: "create", path, text: "1\n2\n" })));
    expect(paths.map((path) => readFileSync(join(root, path), "utf8"))).toEqual([
      "1\r\n2\r\n",
      "1\r\n2\r\n",
      "1\n2\n",
      "1\n2\n",
    ]);
  });
});

describe("a file that changes", () => {
  const diff = (...lines: string[]) => `--- a/f\n+++ b/f\n@@ -1,7 +1,7 @@\n${lines.join("\n")}\n`;
  const hunk = diff(" a", " b", " c", "-d", "+D", " e", " f", " g");

  test("WRK-6.3 is noticed by the hash that it was read with, and its hunks are tried with less context", async () => {
    const known = new Map([["f", sha256("a\nb\nc\nd\ne\nf\ng\n")]]);
    const { send, root } = workspace({ f: "a!\nb\nc\nd\ne\nf\ng\n" });
    expect(codeOf(await send(hunk))).toBe("NOT_FOUND f");
    expect(await send(hunk, known)).toMatchObject({
      ok: true,
      files: [{ hunks: [{ rung: "exact", line: 2, context: 2 }] }],
    });
    expect(tree(root)).toEqual({ f: "a!\nb\nc\nD\ne\nf\ng\n" });
    shows("WRK-6.3", 1);
    shows("WRK-6.3", 2);
  });

  test("WRK-6.3 says why, what is there now and what to do, where less context does not fit either", async () => {
    const known = new Map([["f", sha256("something else")]]);
    const { send, root } = workspace({ f: "a\nb\nX\nd\nX\nf\ng\n" });
    const result = await send(hunk, known);
    expect(result).toMatchObject({
      error: {
        code: "STALE",
        path: "f",
        message: expect.stringMatching(
          /^it has changed since it was read, and now hunk 1 is not in the file; most like it are lines 1-7; first difference in line 3: it has "X", the hunk "c"$/,
        ),
        hint: expect.stringMatching(/^read it again/),
        excerpt: "1: a\n2: b\n3: X\n4: d\n5: X\n6: f\n7: g",
      },
    });
    expect(tree(root)).toEqual({ f: "a\nb\nX\nd\nX\nf\ng\n" });
    shows("WRK-6.3", 3);
  });

  test("is noticed by the blob that a diff of git names", async () => {
    const index = "diff --git a/f b/f\nindex 0123456789..abcdef0123 100644\n";
    const { send } = workspace({ f: "a!\nb\nc\nd\ne\nf\ng\n" });
    expect(await send(index + hunk)).toMatchObject({ ok: true, files: [{ hunks: [{ context: 2 }] }] });
    expect(codeOf(await send(index + "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-nowhere\n+x\n"))).toBe("STALE f");
  });

  test("between plan and apply is planned again, once, as it is now", async () => {
    const { editor, root } = workspace({ f: "a\nb\nc\n", g: "x\n" });
    const plan = await editor.plan([replace("f", "b\n", "B\n"), replace("g", "x", "y")]);
    writeFileSync(join(root, "f"), "0\na\nb\nc\n");
    expect(await editor.apply(plan)).toMatchObject({ ok: true, files: [{ hunks: [{ line: 3 }] }, {}] });
    expect(tree(root)).toEqual({ f: "0\na\nB\nc\n", g: "y\n" });
  });

  test.each<[string, (root: string) => void, readonly Edit[], string]>([
    ["its text is gone", (root) => writeFileSync(join(root, "f"), "x\n"), [replace("f", "b\n", "B\n")], "STALE f"],
    ["it fits twice now", (root) => writeFileSync(join(root, "f"), "b\nb\n"), [replace("f", "b\n", "B\n")], "STALE f"],
    ["it is to be deleted", (root) => writeFileSync(join(root, "f"), "x\n"), [{ op: "delete", path: "f" }], "STALE f"],
    [
      "somebody made the file",
      (root) => writeFileSync(join(root, "n"), "x\n"),
      [{ op: "create", path: "n", text: "" }],
      "EXISTS n",
    ],
  ])("between plan and apply is refused where %s", async (_, meanwhile, edits, code) => {
    const { editor, root } = workspace({ f: "a\nb\nc\n" });
    const plan = await editor.plan(edits);
    meanwhile(root);
    const before = tree(root);
    expect(codeOf(await editor.apply(plan))).toBe(code);
    expect(tree(root)).toEqual(before);
  });

  test("by every edit of many at once loses none of them", async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `line ${i};\n`);
    const { editor, root } = workspace({ f: lines.join("") });
    const plans = await Promise.all(lines.map((line, i) => editor.plan([replace("f", line, `changed ${i}\n`)])));
    const results = await Promise.all(plans.map((plan) => editor.apply(plan)));
    expect(results.map(codeOf)).toEqual(lines.map(() => "ok"));
    expect(tree(root)).toEqual({ f: lines.map((_, i) => `changed ${i}\n`).join("") });
  });

  test("that was edited already says so", async () => {
    const { edit } = workspace({ f: "a\nold line\nc\n" });
    expect(codeOf(await edit(replace("f", "old line", "new line")))).toBe("ok");
    expect(await edit(replace("f", "old line", "new line"))).toMatchObject({
      error: { code: "ALREADY_APPLIED", lines: [2] },
    });
  });
});

describe("a step that fails", () => {
  test.each(["make", "rename", "unlink", "mkdir", "flush"] as const)("%s: all is as it was", async (call) => {
    for (let at = 1; ; at++) {
      let calls = 0;
      const files = systemFiles();
      const failing = (...args: never[]) => {
        if (++calls === at) throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
        return (files[call] as (...given: never[]) => unknown)(...args);
      };
      const { root, edit, journalDir } = workspace(
        { a: "1\n", b: "2\n", c: "3\n" },
        { files: { ...files, [call]: failing } },
      );
      const before = tree(root);
      const result = await edit(
        replace("a", "1", "one"),
        { op: "delete", path: "b" },
        { op: "create", path: "n/m/x", text: "x" },
        { op: "move", from: "c", to: "n/c" },
      );
      if (calls < at) {
        expect(at).toBeGreaterThan(1);
        return expect(codeOf(result)).toBe("ok");
      }
      expect([at, codeOf(result).slice(0, 2)]).toEqual([at, "IO"]);
      // Where taking away what is over fails, all of it is done, and the next start only clears up.
      const isOver = Object.keys(tree(root)).includes("n/c");
      if (!isOver) expect(tree(root)).toEqual(before);
      await createEditor({
        files: systemFiles(),
        lock: fileLocks(),
        clock: systemClock(),
        root,
        journalDir,
        scope: () => null,
      }).recover();
      if (!isOver) expect(tree(root)).toEqual(before);
      // The first folder that can fail is the one for journals itself.
      expect(existsSync(journalDir) ? readdirSync(journalDir) : ["lock"]).toEqual(["lock"]);
    }
  });
});

test("a folder that nobody may write in is named, and nothing is written elsewhere", async () => {
  const { root, folder, edit } = workspace({ a: "1\n", "closed/b": "2\n" });
  const nobody = process.getuid?.() === 0 ? 65_534 : null;
  if (nobody !== null)
    for (const path of [folder, root, join(root, "a"), join(root, "closed"), join(root, "closed/b")])
      chownSync(path, nobody, nobody);
  chmodSync(join(root, "closed"), 0o555);
  const before = tree(root);
  const result = await as(nobody, () => edit(replace("a", "1", "one"), replace("closed/b", "2", "two")));
  expect(result).toMatchObject({ error: { code: "IO", path: "closed/b", message: expect.stringContaining("EACCES") } });
  expect(tree(root)).toEqual(before);
});

/** As another user, who is not allowed everything. */
async function as<T>(user: number | null, work: () => Promise<T>): Promise<T> {
  if (user === null) return work();
  process.seteuid!(user);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}

describe("two editors of one folder", () => {
  test("wait for each other, and say so where that takes too long", async () => {
    const { edit, parts, journalDir } = workspace({ a: "1\n" }, { limits: { waitMs: 60 } });
    mkdirSync(journalDir);
    const held = await parts.lock(join(journalDir, "lock"));
    const result = await edit(replace("a", "1", "2"));
    expect(result).toMatchObject({ error: { code: "IO", message: expect.stringContaining("another editor") } });
    held!.release();
    expect(codeOf(await edit(replace("a", "1", "2")))).toBe("ok");
  });
});

function mkfifo(path: string): void {
  const { status } = spawnSync("mkfifo", [path]);
  expect(status).toBe(0);
}
