import { describe, expect, test } from "vitest";
import { applyHunks } from "./apply-hunks.ts";
import { fromText, toText } from "./byte-text.ts";
import type { Hunk, Update } from "./operation.ts";
import { readEdits } from "./read-edits.ts";

const TRUST = { headers: false, lessContext: false };
const hunksOf = (sent: string): readonly Hunk[] => (readEdits(fromText(sent))[0] as Update).hunks;
const json = (...pairs: readonly (readonly [string, string])[]) =>
  JSON.stringify({ edits: pairs.map(([old, now]) => ({ op: "replace", path: "f", old, new: now })) });
const diff = (...lines: readonly string[]) => ["--- a/f", "+++ b/f", ...lines, ""].join("\n");

/** The new text and the rungs, or the codes of what is wrong. */
function applied(file: string, sent: string, trust = TRUST) {
  const { text, hunks, errors } = applyHunks(fromText(file), hunksOf(sent), trust);
  if (errors.length > 0) {
    expect(text).toBe(fromText(file));
    return errors.map(({ code, lines }) => `${code} ${lines?.join(" ") ?? ""}`.trim());
  }
  return { text: toText(text), at: hunks.map(({ rung, line }) => `${rung} ${line}`) };
}

describe("the ladder", () => {
  test.each<[string, string, string, string, string[]]>([
    ["exact bytes", "a\nb\nc\n", json(["b", "B"]), "a\nB\nc\n", ["exact 2"]],
    ["a piece of a line", "f(x, y)\n", json(["x", "z"]), "f(z, y)\n", ["exact 1"]],
    ["$ is a character", "a b c\n", json(["b", "$& $1 $$"]), "a $& $1 $$ c\n", ["exact 1"]],
    ["a backslash is a character", "\\title{a}\n", json(["a}", "\\n}"]), "\\title{\\n}\n", ["exact 1"]],
    [
      "CRLF stays, and comes to what is new",
      "a\r\nb\r\nc\r\n",
      json(["b", "x\ny"]),
      "a\r\nx\r\ny\r\nc\r\n",
      ["exact 2"],
    ],
    ["LF meant for CRLF", "a\r\nb\r\nc\r\n", json(["a\nb\n", "a\nB\n"]), "a\r\nB\r\nc\r\n", ["line-endings 1"]],
    ["CRLF meant for LF", "a\nb\nc\n", json(["a\r\nb\r\n", "a\r\nB\r\nC\r\n"]), "a\nB\nC\nc\n", ["line-endings 1"]],
    [
      "from within a line to within another",
      "xa\r\nby\r\n",
      json(["a\nb", "c\nd\ne"]),
      "xc\r\nd\r\ney\r\n",
      ["line-endings 1"],
    ],
    [
      "mixed line ends stay where they are",
      "a\r\nb\nc\r\nd\n",
      json(["a\nb\nc\n", "a\nB\nX\nc\n"]),
      "a\r\nB\nX\nc\r\nd\n",
      ["line-endings 1"],
    ],
    ["trailing blanks", "a  \nb\t\nc\n", json(["a\nb\nc", "a\nB\nc"]), "a  \nB\nc\n", ["trailing-space 1"]],
    [
      "all indented by the same",
      "    if x:\n        y\n",
      json(["if x:\n    y\n", "if x:\n    z\n\n    w\n"]),
      "    if x:\n        z\n\n        w\n",
      ["uniform-indent 1"],
    ],
    [
      "all indented by less",
      "if x:\n  y\n",
      json(["  if x:\n    y\n", "  if x:\n    z\n"]),
      "if x:\n  z\n",
      ["uniform-indent 1"],
    ],
    [
      "tabs in the file",
      "\ta {\n\t\tb\n\t}\n",
      json(["a {\n\tb\n}", "a {\n\tc\n}"]),
      "\ta {\n\t\tc\n\t}\n",
      ["uniform-indent 1"],
    ],
    [
      "quotes and dashes of a word processor",
      "say “hi” – now\nend\n",
      json(['say "hi" - now\nend', 'say "hi" - now\nEND']),
      "say “hi” – now\nEND\n",
      ["unicode-punctuation 1"],
    ],
    [
      "a no-break space is no blank at the end of a letter",
      "voilà\nx\n",
      json(["voilà\nx", "voilà\ny"]),
      "voilà\ny\n",
      ["exact 1"],
    ],
  ])("%s", (_, file, sent, text, at) => {
    expect(applied(file, sent)).toEqual({ text, at });
  });

  test.each<[string, string, string, string[]]>([
    ["two places", "}\na\n}\n", json(["}", "};"]), ["AMBIGUOUS 1 3"]],
    ["two that overlap each other", "a\na\na\n", json(["a\na\n", "b\n"]), ["AMBIGUOUS 1 2"]],
    ["two on a loose rung", "\ta\nb\n  a\nb\n", json(["a\nb\n", "c\n"]), ["AMBIGUOUS 1 3"]],
    ["indents that differ by different amounts", "  a\n     b\n", json(["a\n  b\n", "c\n"]), ["NOT_FOUND 1"]],
    ["an added line that is not indented enough", "a\n  b\n", json(["  a\n    b\n", "  a\n x\n"]), ["NOT_FOUND 1"]],
    ["nearly the same", "const total = 1;\n", json(["const totals = 1;", "x"]), ["NOT_FOUND 1"]],
    ["only after unescaping", 'a\n"b"\n', json(['a\\n\\"b\\"', "x"]), ["NOT_FOUND"]],
    ["a change that is none", "a\n", json(["a", "a"]), ["NO_CHANGE"]],
    ["what differs only in what the rung forgives", "a\n  b\n", json(["a \n  b", "a\n  b"]), ["ALREADY_APPLIED 1"]],
    ["applied before", "a\nnew text\n", json(["old text", "new text"]), ["ALREADY_APPLIED 2"]],
    ["a line more or less", "abc\n", json(["abc\nabc", "x\nx"]), ["NOT_FOUND 1"]],
    ["a sign for what could not be read", "a\n", json(["a", "\ufffd"]), ["NOT_UTF8"]],
  ])("refuses %s", (_, file, sent, codes) => {
    expect(applied(file, sent)).toEqual(codes);
  });
});

test("lines that are only taken away were so where both sides of them have come together", () => {
  expect(applied("a1a\nb1b\n", diff("@@", " a1a", "-x", " b1b"))).toEqual(["ALREADY_APPLIED 1"]);
  expect(applied("a1a\nb1b\n", diff("@@", " a1a", " b1b", "-x"))).toEqual(["NOT_FOUND 1"]);
});

describe("hunks of one file", () => {
  test("are found in the file as it was, in any order", () => {
    expect(applied("a\nb\nc\n", json(["c", "a"], ["a", "c"]))).toEqual({
      text: "c\nb\na\n",
      at: ["exact 3", "exact 1"],
    });
    const sent = diff("@@ -5,2 +5,2 @@", " d", "-e", "+E", "@@ -1,2 +1,2 @@", "-a", "+A", " b");
    expect(applied("a\nb\nc\nd\ne\n", sent)).toEqual({ text: "A\nb\nc\nd\nE\n", at: ["exact 4", "exact 1"] });
  });

  test.each<[string, string]>([
    ["change the same line", json(["ab", "x"], ["bc", "y"])],
    ["one changes what the other keeps", diff("@@", "-abcd", "+x", " e", "@@", " abcd", "-e", "+y", " f")],
    ["insert at one point", diff("@@", " abcd", "+x", " e", "@@", " abcd", "+y", " e")],
  ])("that %s are refused", (_, sent) => {
    expect(applied("abcd\ne\nf\n", sent)).toEqual([expect.stringMatching(/^OVERLAP/)]);
  });

  test("may share lines that both keep, and touch each other", () => {
    const sent = diff("@@", "-a", "+A", " b", "@@", " b", "-c", "+C", "@@", "-d", "+D");
    expect(applied("a\nb\nc\nd\n", sent)).toMatchObject({ text: "A\nb\nC\nD\n" });
  });
});

test("a hundred hunks are found as one is", () => {
  const lines = Array.from({ length: 400 }, (_, i) => `  line ${i}${i % 3 ? "" : " "}`);
  const sent = Array.from({ length: 100 }, (_, i) => ["@@", ` line ${i * 4}`, `-line ${i * 4 + 1}`, `+new ${i}`]);
  const got = applied(`\ufeff${lines.join("\r\n")}\r\n`, diff(...sent.flat()));
  const wanted = lines.map((line, i) => (i % 4 === 1 ? `  new ${(i - 1) / 4}` : line));
  expect(got).toMatchObject({ text: `\ufeff${wanted.join("\r\n")}\r\n` });
  expect(applied("a\nb\na\n", diff(...Array.from({ length: 70 }, () => ["@@", "-a", "+b"]).flat()))).toEqual(
    Array.from({ length: 70 }, () => "AMBIGUOUS 1 3"),
  );
});

describe("the end of a file", () => {
  test.each<[string, string, string, string]>([
    ["without a line end stays so", "a\nb", diff("@@", " a", "-b", "+c", "+d"), "a\nc\nd"],
    ["without one, when a line comes behind it", "a\r\nb", diff("@@", " b", "+c"), "a\r\nb\r\nc"],
    [
      "gets one where the hunk says so",
      "a\nb",
      diff("@@ -1,2 +1,2 @@", " a", "-b", "\\ No newline at end of file", "+b"),
      "a\nb\n",
    ],
    [
      "loses it where the hunk says so",
      "a\nb\n",
      diff("@@ -1,2 +1,2 @@", " a", "-b", "+b", "\\ No newline at end of file"),
      "a\nb",
    ],
  ])("%s", (_, file, sent, text) => {
    expect(applied(file, sent)).toMatchObject({ text });
  });

  test("a hunk that ends the file fits nowhere else", () => {
    const sent = diff("@@ -1,2 +1,2 @@", " a", "-b", "+c", "\\ No newline at end of file");
    expect(applied("a\nb\nz\n", sent)).toEqual(["NOT_FOUND 1"]);
  });
});

describe("a byte order mark", () => {
  const BOM = "\ufeff";
  test.each<[string, string, string, string]>([
    ["is not needed to find the first line, and stays", `${BOM}a\nb\n`, diff("@@", "-a", "+A", " b"), `${BOM}A\nb\n`],
    ["stays on a loose rung", `${BOM}a \r\nb\r\n`, diff("@@", "+x", " a", "-b", "+B"), `${BOM}x\r\na \r\nB\r\n`],
    ["is not doubled by a hunk that has it", `${BOM}a \nb\n`, diff("@@", `-${BOM}a`, `+${BOM}A`, " b"), `${BOM}A\nb\n`],
    ["goes where the hunk takes it away", `${BOM}a\nb\n`, diff("@@", `-${BOM}a`, "+a", " b"), "a\nb\n"],
    [
      "stays in front of what is inserted",
      `${BOM}a\n`,
      JSON.stringify({ edits: [{ op: "insert", path: "f", at: "start", text: "// x" }] }),
      `${BOM}// x\na\n`,
    ],
  ])("%s", (_, file, sent, text) => {
    expect(applied(file, sent)).toMatchObject({ text });
  });
});

test("a hunk with a byte order mark is about the first line", () => {
  expect(applied("x\na\nb \n", diff("@@", "-\ufeffa", "+\ufeffA", " b"))).toEqual([
    expect.stringMatching(/^NOT_FOUND/),
  ]);
  expect(applied("a\nb\n", diff("@@", "-\ufeffa", "+\ufeffA", " b"))).toMatchObject({ text: "A\nb\n" });
});

describe("insertions", () => {
  const insert = (at: string, text: string) => JSON.stringify({ edits: [{ op: "insert", path: "f", at, text }] });
  test.each<[string, string, string, string]>([
    ["a header", "a\n", insert("start", "// header\n"), "// header\na\n"],
    ["a header below #!", "#!/bin/sh\na\n", insert("start", "# header"), "#!/bin/sh\n# header\na\n"],
    ["a header below a #! without a line end", "#!/bin/sh", insert("start", "# header"), "#!/bin/sh\n# header\n"],
    ["a header in CRLF", "a\r\n", insert("start", "// x\n// y\n"), "// x\r\n// y\r\na\r\n"],
    ["a header in an empty file", "", insert("start", "// x"), "// x\n"],
    ["a footer", "a\n", insert("end", "z"), "a\nz\n"],
    ["a footer behind an open end", "a", insert("end", "z"), "a\nz"],
    ["a footer that says how it ends", "a", insert("end", "z\n"), "a\nz\n"],
  ])("%s", (_, file, sent, text) => {
    expect(applied(file, sent)).toMatchObject({ text });
  });

  test.each<[string, string, string]>([
    ["a header", "#!/bin/sh\n# header\r\na\n", insert("start", "# header")],
    ["a footer", "a\nz", insert("end", "z\n")],
  ])("%s that is there is recognised", (_, file, sent) => {
    expect(applied(file, sent)).toEqual([expect.stringMatching(/^ALREADY_APPLIED/)]);
  });

  test("need a place: context, an anchor, or the end of the file", () => {
    expect(applied("a\nb\n", diff("@@ -1,0 +2 @@", "+x"))).toEqual(["AMBIGUOUS"]);
    expect(applied("", diff("@@ -0,0 +1 @@", "+x"))).toMatchObject({ text: "x\n" });
    const open = diff("@@ -0,0 +1 @@", "+x", "\\ No newline at end of file");
    expect(applied("", open)).toMatchObject({ text: "x" });
    expect(applied("a\n", open)).toEqual(["AMBIGUOUS"]);
    const patch = (...lines: string[]) =>
      ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n");
    expect(applied("a\nb\n", patch("@@", "+x"))).toEqual(["AMBIGUOUS"]);
    expect(applied("a\nb\n", patch("@@ a", "+x"))).toMatchObject({ text: "a\nx\nb\n" });
    expect(applied("a\nb\na\n", patch("@@ a", "+x"))).toEqual(["AMBIGUOUS 1 3"]);
    expect(applied("a\nb\n", patch("@@", "+x", "*** End of File"))).toMatchObject({ text: "a\nb\nx\n" });
  });
});

describe("anchors", () => {
  const patch = (...lines: string[]) => ["*** Begin Patch", "*** Update File: f", ...lines, "*** End Patch"].join("\n");
  const file = "class A:\n  def f():\n    return 1\n  def g():\n    return 1\nclass B:\n  def f():\n    return 1\n";
  test.each<[string, readonly string[], number | string]>([
    ["say which of several", ["@@ class B:", "-    return 1", "+    return 2"], 8],
    ["nest", ["@@ class A:", "@@ def g():", "-    return 1", "+    return 2"], 5],
    ["that are there twice do not say it", ["@@ def f():", "-    return 1", "+    return 2"], "AMBIGUOUS 3 8"],
    ["that head two that fit do not say it", ["@@ class A:", "-    return 1", "+    return 2"], "AMBIGUOUS 3 5"],
    ["that are not there refuse", ["@@ class C:", "-    return 1", "+    return 2"], "NOT_FOUND"],
    ["below which it does not stand refuse", ["@@ class B:", "-  def g():", "+  def h():"], "NOT_FOUND 4"],
  ])("%s", (_, lines, at) => {
    const result = applied(file, patch(...lines));
    expect(result).toEqual(typeof at === "string" ? [at] : expect.objectContaining({ at: [`exact ${at}`] }));
  });

  test("a hunk for the end of a file is looked for nowhere else", () => {
    const end = ["-    return 1", "+    return 2", "*** End of File"];
    expect(applied(file, patch("@@", ...end))).toMatchObject({ at: ["exact 8"] });
    expect(applied(`${file}x\n`, patch("@@", ...end))).toEqual([expect.stringMatching(/^NOT_FOUND/)]);
  });
});

describe("a header's line number", () => {
  const sent = diff("@@ -3 +3 @@", "-a", "+b");
  test("counts where the file is known to be the one that was compared, and nowhere else", () => {
    expect(applied("a\na\na\n", sent, { ...TRUST, headers: true })).toMatchObject({ text: "a\na\nb\n" });
    expect(applied("a\na\na\n", sent)).toEqual(["AMBIGUOUS 1 2 3"]);
  });
  test("never counts against the text that is there", () => {
    expect(applied("a\nx\nx\n", sent, { ...TRUST, headers: true })).toMatchObject({ text: "b\nx\nx\n" });
    expect(applied("x\nx\nx\n", sent, { ...TRUST, headers: true })).toEqual(["NOT_FOUND"]);
  });
});

describe("less context, in a file that has changed", () => {
  const changed = { headers: false, lessContext: true };
  const sent = diff("@@ -1,7 +1,7 @@", " a", " b", " c", "-d", "+D", " e", " f", " g");
  test.each<[string, string, string | readonly string[]]>([
    ["the outermost line changed", "X\nb\nc\nd\ne\nf\ng\n", "X\nb\nc\nD\ne\nf\ng\n"],
    ["two on each side changed", "X\nX\nc\nd\ne\nX\nX\n", "X\nX\nc\nD\ne\nX\nX\n"],
    ["never without any", "a\nb\nX\nd\nX\nf\ng\n", ["NOT_FOUND 1"]],
    ["never at one of two", "X\nb\nc\nd\ne\nf\nX\nb\nc\nd\ne\nf\nX\n", ["AMBIGUOUS 2 8"]],
  ])("%s", (_, file, result) => {
    expect(applied(file, sent)).toEqual([expect.stringMatching(/^NOT_FOUND/)]);
    const got = applied(file, sent, changed);
    expect(Array.isArray(got) ? got : got.text).toEqual(result);
  });
  test("says how much was looked at", () => {
    const { hunks } = applyHunks("X\nb\nc\nd\ne\nf\ng\n", hunksOf(sent), changed);
    expect(hunks).toEqual([{ rung: "exact", line: 2, context: 2 }]);
  });
});

describe("other encodings", () => {
  const latin = "caf\xe9\nb\n";
  test("are edited as bytes where the hunk is ASCII, or is no UTF-8 itself", () => {
    expect(applyHunks(latin, hunksOf(json(["b", "B"])), TRUST)).toMatchObject({ text: "caf\xe9\nB\n", errors: [] });
    const raw = (readEdits("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-caf\xe9\n+th\xe9\n")[0] as Update).hunks;
    expect(applyHunks(latin, raw, TRUST)).toMatchObject({ text: "th\xe9\nb\n", errors: [] });
  });
  test("are not mixed with UTF-8", () => {
    expect(applyHunks(latin, hunksOf(json(["b", "bé"])), TRUST).errors).toMatchObject([{ code: "NOT_UTF8" }]);
  });
});

describe("what is said about a hunk that is not there", () => {
  const say = (file: string, sent: string) => applyHunks(fromText(file), hunksOf(sent), TRUST).errors[0]!;
  test("names the likest place, and the first line that differs", () => {
    const error = say("one\ntwo words\nthree\nfour\n", json(["two words\nthree!\nfour", "x"]));
    expect(error.message).toBe(
      'hunk 1 is not in the file; most like it are lines 2-4; first difference in line 3: it has "three", the hunk "three!"',
    );
    expect(error.excerpt).toBe("1: one\n2: two words\n3: three\n4: four");
  });
  test("knows escapes that were sent for characters", () => {
    expect(say('a = "x"\nb\n', json(['a = \\"x\\"\\nb', "y"])).hint).toContain("send the characters themselves");
  });
  test("names every place of an ambiguous one", () => {
    expect(say("a\nb\na\nb\na\n", json(["a", "x"]))).toMatchObject({
      lines: [1, 3, 5],
      message: "hunk 1 fits lines 1, 3 and 5",
    });
    expect(say("aa\n", json(["a", "x"]))).toMatchObject({ message: "hunk 1 fits line 1 2 times" });
  });
});
