import { describe, expect, test } from "vitest";
import { fromText, toText } from "./byte-text.ts";
import type { LineHunk, Operation, Update } from "./operation.ts";
import { readEdits } from "./read-edits.ts";
import { Refused } from "./refusal.ts";

const read = (...lines: readonly string[]): readonly Operation[] => readEdits(fromText(`${lines.join("\n")}\n`));
const SIGNS = { keep: " ", drop: "-", add: "+" } as const;
const linesOf = (operation: Operation | undefined) =>
  (operation as Update).hunks.map((hunk) =>
    (hunk as LineHunk).lines.map(({ kind, text }) => SIGNS[kind] + toText(text).replace("\n", "$")),
  );
/** The error that reading it gives: its code, and the line it names. */
function refused(...lines: readonly string[]): string {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof Refused) return `${error.error.code} ${error.error.lines ?? "-"}`;
    throw error;
  }
  return "read";
}
const GIT = ["diff --git a/src/x.ts b/src/x.ts", "index 1234567..89abcde 100644", "--- a/src/x.ts", "+++ b/src/x.ts"];
const HUNK = ["@@ -1,2 +1,2 @@", " a", "-b", "+c"];

describe("the format is told by the content", () => {
  test.each<[string, readonly string[], string]>([
    ["a diff of git", [...GIT, ...HUNK], "update src/x.ts"],
    ["a diff of diff -u", ["--- src/x.ts\t2026-01-01", "+++ src/x.ts\t2026-01-02", ...HUNK], "update src/x.ts"],
    [
      "a diff in a mail",
      ["From: me", "Subject: x", "---", " x | 2 +-", "", ...GIT, ...HUNK, "-- ", "2.39.5"],
      "update src/x.ts",
    ],
    ["a diff in a fence", ["Here it is:", "```diff", ...GIT.slice(2), ...HUNK, "```", "Done."], "update src/x.ts"],
    [
      "Begin Patch",
      ["*** Begin Patch", "*** Update File: src/x.ts", "@@", " a", "-b", "+c", "*** End Patch"],
      "update src/x.ts",
    ],
    [
      "blocks",
      ["src/x.ts", "```ts", "<<<<<<< SEARCH", "a", "b", "=======", "a", "c", ">>>>>>> REPLACE", "```"],
      "update src/x.ts",
    ],
    ["JSON", ['{"edits":[{"op":"replace","path":"src/x.ts","old":"a","new":"<<<<<<< SEARCH"}]}'], "update src/x.ts"],
    [
      "a patch that makes a diff",
      ["*** Begin Patch", "*** Add File: x.diff", ...GIT.map((line) => `+${line}`), "*** End Patch"],
      "create x.diff",
    ],
  ])("%s", (_, lines, what) => {
    expect(read(...lines).map(({ op, path }) => `${op} ${path}`)).toEqual([what]);
  });

  test.each<[string, readonly string[], string]>([
    ["nothing", [""], "PARSE -"],
    ["words", ["Please change x to y."], "PARSE -"],
    ["a hunk of no file", ["@@ -1 +1 @@", "-a", "+b"], "PARSE 1"],
    ["JSON that is none", ['{"edits": ['], "PARSE -"],
    ["a key that is not known", ['{"edits":[{"op":"delete","path":"x","force":true}]}'], "PARSE -"],
    ["JSON of something else", ['{"changes": []}'], "PARSE -"],
    ["no edits", ['{"edits": []}'], "PARSE -"],
    ["an edit that is no object", ['{"edits": ["x"]}'], "PARSE -"],
    ["an op that is not known", ['{"edits":[{"op":"toString","path":"x"}]}'], "PARSE -"],
    ["a key that is missing", ['{"edits":[{"op":"replace","path":"x","old":"y"}]}'], "PARSE -"],
    ["a value of another kind", ['{"edits":[{"op":"insert","path":"x","at":"top","text":"y"}]}'], "PARSE -"],
    ["an empty old text", ['{"edits":[{"op":"replace","path":"x","old":"","new":"y"}]}'], "PARSE -"],
    ["half a character", ['{"edits":[{"op":"replace","path":"x","old":"a","new":"\\ud83d"}]}'], "NOT_UTF8 -"],
    ["a patch that is cut off", ["*** Begin Patch", "*** Update File: x", "@@", " a", "-b"], "PARSE 6"],
    [
      "a line of a patch without its sign",
      ["*** Begin Patch", "*** Update File: x", "@@", " a", "b", "*** End Patch"],
      "PARSE 5",
    ],
    ["a line of a new file without +", ["*** Begin Patch", "*** Add File: x", "a", "*** End Patch"], "PARSE 3"],
    ["a word of a patch that is not known", ["*** Begin Patch", "*** Rename File: x", "*** End Patch"], "PARSE 2"],
    ["a block that is cut off", ["x", "<<<<<<< SEARCH", "a", "=======", "b"], "PARSE 2"],
    [
      "a block whose text holds a marker",
      ["x", "<<<<<<< SEARCH", "a", "=======", "b", "=======", "c", ">>>>>>> REPLACE"],
      "PARSE 6",
    ],
    ["a diff whose last hunk is cut off", [...GIT, "@@ -1,3 +1,3 @@", " a", "-b"], "PARSE 5"],
    ["a line of a diff without its sign", [...GIT, "@@ -1,4 +1,4 @@", " a", "-b", "+c", "d", "-e", "+f"], "PARSE 9"],
    ["the same without numbers", [...GIT, "@@", " a", "-b", "+c", "d", "-e", "+f"], "PARSE 9"],
    ["two formats", [...GIT, ...HUNK, "y", "<<<<<<< SEARCH", "a", "=======", "b", ">>>>>>> REPLACE"], "PARSE -"],
    ["a diff of two names", ["--- a/x", "+++ b/y", ...HUNK], "PARSE 1"],
    ["a copy", ["diff --git a/x b/y", "similarity index 100%", "copy from x", "copy to y"], "PARSE 1"],
    [
      "a link",
      ["diff --git a/x b/x", "new file mode 120000", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+y"],
      "PARSE 1",
    ],
    ["a binary patch", ["diff --git a/x b/x", "index 1234567..89abcde", "GIT binary patch", "literal 1"], "BINARY -"],
    ["a new file with other lines", ["--- /dev/null", "+++ b/x", "@@ -1 +1 @@", "-a", "+b"], "PARSE 1"],
  ])("refuses %s", (_, lines, error) => {
    expect(refused(...lines)).toBe(error);
  });
});

describe("a unified diff", () => {
  test("keeps what begins like a header, where the counts say so", () => {
    const [one] = read("--- a/x", "+++ b/x", "@@ -1,3 +1,2 @@", "--- a/y", "+++ b/z", " @@", "-q");
    expect(linesOf(one)).toEqual([["--- a/y$", "+++ b/z$", " @@$", "-q$"]]);
  });
  test.each<[string, readonly string[], readonly string[]]>([
    ["too many lines", ["@@ -1,2 +1,2 @@", " a", "-b", "+c", " d"], [" a$", "-b$", "+c$", " d$"]],
    ["no numbers", ["@@ @@", " a", "-b", "+c"], [" a$", "-b$", "+c$"]],
    ["an empty line that lost its space", ["@@ -1,3 +1,3 @@", " a", "", "-b", "+c"], [" a$", " $", "-b$", "+c$"]],
    ["no line end at its end", ["@@ -1 +1 @@", "-b", "\\ No newline at end of file", "+c"], ["-b", "+c$"]],
  ])("is read with %s", (_, hunk, lines) => {
    expect(linesOf(read("--- a/x", "+++ b/x", ...hunk)[0])).toEqual([lines]);
  });
  test("that went through CRLF is read, its content as it came", () => {
    const sent = ["--- a/x", "+++ b/x", "@@ -1,2 +1,2 @@", " a", "-b", "+c", ""].join("\r\n");
    expect(linesOf(readEdits(sent)[0])).toEqual([[" a\r$", "-b\r$", "+c\r$"]]);
  });
  test("with several sections, and several hunks in each", () => {
    const all = read(...GIT, ...HUNK, "@@ -9 +9 @@", "-x", "+y", "--- a/b", "+++ b/b", ...HUNK);
    expect(all.map((one) => (one as Update).hunks.length)).toEqual([2, 1]);
  });
  test.each<[string, readonly string[], Partial<Operation>]>([
    [
      "makes a file",
      ["diff --git a/x b/x", "new file mode 100755", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+a"],
      { op: "create", path: "x", text: "a\n", isExecutable: true },
    ],
    [
      "makes an empty file",
      ["diff --git a/e b/e", "new file mode 100644", "index 0000000..e69de29"],
      { op: "create", path: "e", text: "" },
    ],
    [
      "deletes a file",
      ["--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"],
      { op: "delete", path: "x", expected: "a\n" },
    ],
    [
      "moves a file",
      ["diff --git a/x b/y", "similarity index 100%", "rename from x", "rename to y"],
      { op: "update", path: "x", to: "y", hunks: [] },
    ],
    [
      "sets a mode",
      ["diff --git a/x b/x", "old mode 100644", "new mode 100755"],
      { op: "update", path: "x", isExecutable: true, hunks: [] },
    ],
    ["names a blob", [...GIT, ...HUNK], { op: "update", blob: "1234567" }],
  ])("%s", (_, lines, what) => {
    expect(read(...lines)[0]).toMatchObject(what);
  });
  test.each<[string, readonly string[], string]>([
    ["no prefix", ["--- src/x", "+++ src/x"], "src/x"],
    ["no prefix, in a folder called a", ["--- a/x", "+++ a/x"], "a/x"],
    ["other prefixes of git", ["--- i/x", "+++ w/x"], "x"],
    ["folders of two trees", ["--- old/src/x", "+++ new/src/x"], "src/x"],
    ["quotes", ['--- "a/\\303\\244\\tb"', '+++ "b/\\303\\244\\tb"'], "ä\tb"],
    ["a space", ["--- a/a b\t", "+++ b/a b\t"], "a b"],
    ["a date", ["--- a/x\t2026-11-28 10:00:00.000 +0000", "+++ b/x\t2026-11-28"], "x"],
  ])("takes a name with %s", (_, names, path) => {
    expect(read(...names, ...HUNK)[0]).toMatchObject({ path });
  });
  test.each<[string, string]>([
    ["a/x b/y b/x b/y", "x b/y"],
    ['"a/\\303\\244" "b/\\303\\244"', "ä"],
    ["a b/x a b/x", "a b/x"],
  ])("takes the name from diff --git %s alone", (names, path) => {
    expect(read(`diff --git ${names}`, "old mode 100644", "new mode 100755")[0]).toMatchObject({ path });
  });
  test("with a name that is no UTF-8 is refused", () => {
    expect(() => readEdits('--- "a/\\351"\n+++ "b/\\351"\n@@ -1 +1 @@\n-a\n+b\n')).toThrow(/NOT_UTF8/);
  });
});

describe("the other formats", () => {
  test("a patch has anchors, a move and the end of a file", () => {
    const [one, two, three] = read(
      "*** Begin Patch",
      "*** Update File: a.py",
      "*** Move to: b.py",
      "@@ class A:",
      "@@   def f():",
      "-x",
      "+y",
      "",
      "*** End of File",
      "*** Delete File: c.py",
      "*** Add File: d.py",
      "+z",
      "*** End Patch",
    );
    expect(one).toMatchObject({
      path: "a.py",
      to: "b.py",
      hunks: [{ anchors: ["class A:", "  def f():"], atEnd: true }],
    });
    expect(linesOf(one)).toEqual([["-x$", "+y$", " $"]]);
    expect([two, three]).toMatchObject([
      { op: "delete", path: "c.py" },
      { op: "create", path: "d.py", text: "z\n" },
    ]);
  });
  test("blocks below one path are hunks of one update; an empty SEARCH makes a file", () => {
    const block = (old: string[], now: string[]) => ["<<<<<<< SEARCH", ...old, "=======", ...now, ">>>>>>> REPLACE"];
    const all = read("x.ts", ...block(["a"], ["b"]), "", ...block(["c"], []), "y.ts", ...block([], ["new"]));
    expect(all).toMatchObject([
      { op: "update", path: "x.ts" },
      { op: "create", path: "y.ts", text: "new\n" },
    ]);
    expect(linesOf(all[0])).toEqual([["-a$", "+b$"], ["-c$"]]);
  });
  test("JSON edits of one file are hunks of one update, unless something else is done to it between them", () => {
    const replace = (path: string) => ({ op: "replace", path, old: "a", new: "b" });
    const sent = [
      replace("x"),
      replace("y"),
      { op: "insert", path: "x", at: "end", text: "z" },
      { op: "move", from: "x", to: "w" },
      replace("w"),
    ];
    const all = readEdits(JSON.stringify({ edits: sent }));
    expect(all.map((one) => [one.path, (one as Update).hunks.length])).toEqual([
      ["x", 2],
      ["y", 1],
      ["x", 0],
      ["w", 1],
    ]);
  });
  test("nothing in them is unescaped", () => {
    const [one] = read("x", "<<<<<<< SEARCH", "a\\n", "=======", "\\t$1", ">>>>>>> REPLACE");
    expect(linesOf(one)).toEqual([["-a\\n$", "+\\t$1$"]]);
  });
});
