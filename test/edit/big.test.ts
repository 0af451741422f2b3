import { describe, expect, test } from "vitest";
import { applyHunks } from "../../src/workspace/edit/apply-hunks.ts";
import { findAll } from "../../src/workspace/edit/find-all.ts";
import type { Hunk, Update } from "../../src/workspace/edit/operation.ts";
import { readEdits } from "../../src/workspace/edit/read-edits.ts";

const TRUST = { headers: false, lessContext: true };
const LINES = 1_000_000;
/** Far more than any of these takes, and far less than they would take if they grew with the square. */
const SOON_MS = 20_000;

const text = (old: string, now: string): Hunk => ({ kind: "text", old, new: now });
const diff = (...lines: string[]): readonly Hunk[] =>
  (readEdits(["--- a/f", "+++ b/f", "@@ @@", ...lines, ""].join("\n"))[0] as Update).hunks;

function timed<T>(work: () => T): T {
  const start = performance.now();
  const result = work();
  expect(performance.now() - start).toBeLessThan(SOON_MS);
  return result;
}

describe("time grows with the file, not with its square", () => {
  const numbered = Array.from({ length: LINES }, (_, i) => `line ${i}\n`).join("");
  const same = "  a\n".repeat(LINES / 4);

  test("in a line of 100 MB", () => {
    const long = `${"a".repeat(50_000_000)}here${"a".repeat(50_000_000)}`;
    const { text: now, hunks } = timed(() => applyHunks(long, [text("here", "there")], TRUST));
    expect([now.length, hunks]).toEqual([100_000_005, [{ rung: "exact", line: 1 }]]);
  });

  test("where the text is nearly everywhere, and nowhere", () => {
    const pattern = `${"a".repeat(20_000)}b`;
    expect(timed(() => findAll("a".repeat(20_000_000), pattern))).toEqual([]);
    expect(timed(() => findAll("a".repeat(20_000_000), `b${"a".repeat(20_000)}`))).toEqual([]);
  });

  test("in a million lines, on every rung", () => {
    const changed = timed(() =>
      applyHunks(numbered, [text("line 77777\n", "x\n"), text("line 999998\nline", "y\nline")], TRUST),
    );
    expect(changed.hunks.map(({ line }) => line)).toEqual([77_778, 999_999]);
    const indented = diff("- line 5 ", "- line 6 ", "+ x");
    expect(timed(() => applyHunks(numbered, indented, TRUST)).hunks).toEqual([{ rung: "uniform-indent", line: 6 }]);
  });

  test("in very many lines that are all the same, for a thousand of them", () => {
    const many = Array.from({ length: 1_000 }, () => "-  a");
    expect(timed(() => applyHunks(same, diff(...many, "+b"), TRUST)).errors).toMatchObject([{ code: "AMBIGUOUS" }]);
    const shifted = Array.from({ length: 1_000 }, () => "-a");
    expect(timed(() => applyHunks(same, diff(...shifted, "+b"), TRUST)).errors).toMatchObject([{ code: "AMBIGUOUS" }]);
    const spoiled = [...many, "-nowhere", "+b"];
    expect(timed(() => applyHunks(same, diff(...spoiled), TRUST)).errors).toMatchObject([{ code: "NOT_FOUND" }]);
  });

  test("in a line of a million blanks", () => {
    const blanks = `${" ".repeat(1_000_000)}x\n`;
    expect(timed(() => applyHunks(blanks, diff("-y", "+z"), TRUST)).errors).toMatchObject([{ code: "NOT_FOUND" }]);
  });

  test("for ten thousand hunks", () => {
    const hunks = Array.from({ length: 10_000 }, (_, i) => diff(` line ${i * 50}`, `-line ${i * 50 + 1}`, "+x")[0]!);
    const { hunks: placed } = timed(() => applyHunks(numbered.slice(0, 7_000_000), hunks, TRUST));
    expect(placed).toHaveLength(10_000);
  });
});
