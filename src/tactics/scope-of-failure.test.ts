import { describe, expect, test } from "vitest";
import type { SuiteRun } from "./record.ts";
import { inScopeFailures, outOfScopeFailures } from "./scope-of-failure.ts";

const run = (passed: boolean, failing: readonly string[] = [], name = "s"): SuiteRun => ({
  name,
  command: name,
  passed,
  failing,
  words: "words",
  ending: "exit",
});
const pass = run(true);

/** before · now · names of suites in scope · and out of it */
const TABLE: readonly (readonly [string, readonly SuiteRun[] | null, readonly SuiteRun[] | null, string, string])[] = [
  ["nothing ran", null, null, "", ""],
  ["all pass", [pass], [pass], "", ""],
  ["a suite that passed fails", [pass], [run(false)], "s", ""],
  ["there was no baseline", null, [run(false)], "s", ""],
  ["a suite that is new fails", [], [run(false)], "s", ""],
  ["it fails as before, without names", [run(false)], [run(false)], "", "s"],
  ["the same test fails as before", [run(false, ["a"])], [run(false, ["a"])], "", "s"],
  ["one of two is mended", [run(false, ["a", "b"])], [run(false, ["a"])], "", "s"],
  ["a test fails that did not", [run(false, ["a"])], [run(false, ["a", "b"])], "s", "s"],
  ["another test fails", [run(false, ["a"])], [run(false, ["b"])], "s", ""],
  ["it no longer gets as far as to name tests", [run(false, ["a"])], [run(false)], "s", ""],
  ["it now gets as far as to name tests", [run(false)], [run(false, ["a"])], "s", ""],
  ["it is mended", [run(false, ["a"])], [pass], "", ""],
  ["another suite failed before", [run(false, [], "t")], [run(false)], "s", ""],
  ["one of each", [pass, run(false, ["x"], "t")], [run(false), run(false, ["x"], "t")], "s", "t"],
];

describe("what fails in scope, and what failed before", () => {
  for (const [title, baseline, validated, inside, outside] of TABLE)
    test(title, () => {
      const names = (found: readonly { suite: string }[]) => found.map(({ suite }) => suite).join(" ");
      expect(names(inScopeFailures({ baseline, validated }))).toBe(inside);
      expect(names(outOfScopeFailures({ baseline, validated }))).toBe(outside);
    });

  test("a test that is new to fail is named, and one that failed before is not", () => {
    const runs = { baseline: [run(false, ["old"])], validated: [run(false, ["old", "new"])] };
    expect(inScopeFailures(runs)[0]!.words).toBe("s: new\nwords");
    expect(outOfScopeFailures(runs)[0]!.words).toBe("s: old\nwords");
  });
});
