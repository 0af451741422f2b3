import { describe, expect, test } from "vitest";
import { firstFailure } from "./first-failure.ts";

const FILES = [
  "test/search.test.ts",
  "src/search.ts",
  "tests/test_search.py",
  "src/lib.rs",
  "tests/cap.rs",
  "search_test.go",
  "src/search.test.js",
];
const isFile = (path: string): string | null => {
  const inside = path.replace(/^(file:\/\/)?\/repo\//, "");
  return FILES.includes(inside) ? inside : null;
};

describe("the first failure in the output of", () => {
  test.each<[string, string, object | null]>([
    [
      "node:test",
      "✖ filters by colour (1.2ms)\nℹ fail 1\n\n✖ failing tests:\n\ntest at test/search.test.ts:12:1\n✖ filters by colour (1.2ms)\n  AssertionError: 1 == 2\n",
      { test: "filters by colour", file: "test/search.test.ts", line: 12 },
    ],
    [
      "node:test as TAP",
      "TAP version 13\nok 1 - a\nnot ok 2 - filters by colour\n  ---\n  location: '/repo/test/search.test.ts:12:1'\n  failureType: 'testCodeFailure'\n",
      { test: "filters by colour", file: "test/search.test.ts", line: 12 },
    ],
    [
      "vitest",
      " ❯ test/search.test.ts (2 tests | 1 failed)\n FAIL  test/search.test.ts > search > filters by colour\nAssertionError: expected 1 to be 2\n ❯ src/search.ts:41:9\n ❯ test/search.test.ts:12:5\n",
      { test: "search > filters by colour", file: "test/search.test.ts", line: 12 },
    ],
    [
      "jest",
      "FAIL src/search.test.js\n  ● search › filters by colour\n\n    expect(received).toBe(expected)\n\n      at Object.<anonymous> (src/search.test.js:12:5)\n",
      { test: "search › filters by colour", file: "src/search.test.js", line: 12 },
    ],
    [
      "pytest",
      "    def test_colour():\n>       assert 1 == 2\nE       assert 1 == 2\n\ntests/test_search.py:7: AssertionError\n=== short test summary info ===\nFAILED tests/test_search.py::test_colour - assert 1 == 2\n",
      { test: "test_colour", file: "tests/test_search.py", line: 7 },
    ],
    [
      "cargo",
      "test prestige_keeps_cap ... FAILED\n\nfailures:\n\n---- prestige_keeps_cap stdout ----\n\nthread 'prestige_keeps_cap' panicked at tests/cap.rs:57:5:\nassertion failed\n",
      { test: "prestige_keeps_cap", file: "tests/cap.rs", line: 57 },
    ],
    [
      "an old cargo",
      "thread 'a::b' panicked at 'oh, no', src/lib.rs:3:9\n",
      { test: "a::b", file: "src/lib.rs", line: 3 },
    ],
    [
      "go",
      "--- FAIL: TestColour (0.00s)\n    search_test.go:9: got 1\nFAIL\n",
      { test: "TestColour", file: "search_test.go", line: 9 },
    ],
    [
      "tsc",
      "src/search.ts(4,7): error TS2322: Type 'a' is not b.\n",
      { test: "error TS2322: Type 'a' is not b.", file: "src/search.ts", line: 4 },
    ],
    [
      "tsc on a terminal",
      "src/search.ts:4:7 - error TS2322: Type 'a' is not b.\n",
      { test: "error TS2322: Type 'a' is not b.", file: "src/search.ts", line: 4 },
    ],
    [
      "a compiler of another kind",
      "cc -c x\n/repo/src/search.ts:4:7: unexpected token\n",
      { test: "unexpected token", file: "src/search.ts", line: 4 },
    ],
    [
      "something whose places are not of this repository",
      "--- FAIL: TestColour (0.00s)\n    /usr/lib/go/x_test.go:9: got 1\n",
      { test: "TestColour" },
    ],
    ["something that says nothing", "Segmentation fault\nat 10:30: done\n", null],
  ])("%s", (_, output, wanted) => {
    expect(firstFailure(output, isFile)).toEqual(wanted);
  });

  test("output that is long and means nothing is looked through in time", () => {
    const started = performance.now();
    expect(firstFailure("● ".repeat(16_000), isFile)).toBeNull();
    expect(firstFailure("FAIL a".repeat(10_000), isFile)).toBeNull();
    expect(firstFailure("x:1".repeat(20_000), isFile)).toBeNull();
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
