import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shows } from "../../../test/support/shows.ts";
import { readResults } from "./read-results.ts";

const FOLDER = "test/fixtures/results";
/** name, exit code, version and command of each output that was kept */
const CAPTURED = readFileSync(join(FOLDER, "index.tsv"), "utf8")
  .trim()
  .split("\n")
  .map((row) => {
    const [name = "", code] = row.split("\t");
    return { name, code: Number(code), text: readFileSync(join(FOLDER, `${name}.txt`), "utf8") };
  });
const captured = (name: string) => CAPTURED.find((one) => one.name === name)!;

type Row = readonly [
  name: string,
  line: number,
  runner: string,
  counts: readonly (number | null)[],
  failing: readonly string[],
  place: string,
];
const ROWS: readonly Row[] = [
  ["cargo", 1, "cargo", [1, 1, 1], ["tests::adds"], "src/lib.rs:6 assertion `left == right` failed"],
  ["cargo-compile", 1, "cargo", [null, null, null], [], "src/lib.rs:1 cannot find value `c` in this scope"],
  [
    "pytest",
    2,
    "pytest",
    [1, 2, 1],
    ["test_sum.py::Sum::test_adds", "test_sum.py::test_plain"],
    "test_sum.py:9 AssertionError: 0 != 4",
  ],
  [
    "pytest-long",
    2,
    "pytest",
    [1, 2, 1],
    ["test_sum.py::Sum::test_adds", "test_sum.py::test_plain"],
    "test_sum.py:9 AssertionError: 0 != 4",
  ],
  [
    "unittest",
    2,
    "unittest",
    [1, 1, 1],
    ["test_adds (test_sum.Sum.test_adds)"],
    "/work-tree/py/test_sum.py:9 AssertionError: 0 != 4",
  ],
  [
    "vitest",
    3,
    "vitest",
    [1, 1, 1],
    ["sum.test.mjs > sum > adds two numbers"],
    "sum.test.mjs:3 AssertionError: expected +0 to be 4 // Object.is equality",
  ],
  [
    "jest",
    3,
    "jest",
    [2, 1, 1],
    ["sum › adds two numbers"],
    "sum.test.js:3 expect(received).toBe(expected) // Object.is equality",
  ],
  [
    "node-spec",
    3,
    "node",
    [1, 3, 1],
    ["adds two", "inner"],
    "node.mjs:2 AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:",
  ],
  [
    "node-tap",
    3,
    "node",
    [1, 3, 1],
    ["adds two", "inner"],
    "/work-tree/js/node.mjs:2 Expected values to be strictly equal:",
  ],
  ["go", 4, "go", [null, 1, null], ["TestAdds/two"], "sum_test.go:10 2 + 2 is 0"],
  ["go-verbose", 4, "go", [1, 1, 1], ["TestAdds/two"], "sum_test.go:10 2 + 2 is 0"],
  ["go-compile", 4, "go", [null, 1, null], ["example.org/sum"], "sum_test.go:5 undefined: c"],
  [
    "node-junit",
    5,
    "junit",
    [1, 2, 1],
    ["test adds two", "test inner"],
    "/work-tree/js/node.mjs:2 Expected values to be strictly equal:0 !== 4",
  ],
  [
    "pytest-junit",
    5,
    "junit",
    [1, 2, 1],
    ["test_sum.Sum test_adds", "test_sum test_plain"],
    "test_sum.py:9 AssertionError: 0 != 4",
  ],
];

describe("results", () => {
  test.each(ROWS)("WRK-10.2 sums up what %s printed", (name, line, runner, counts, failing, place) => {
    const { text, code } = captured(name);
    const read = readResults(text, code);
    expect(read).toMatchObject({ runner, state: "failed", failing, more: 0 });
    expect([read.passed, read.failed, read.skipped]).toEqual(counts);
    const { file, line: at, text: said } = read.firstError!;
    expect(`${file}:${at} ${said}`).toBe(place);
    shows("WRK-10.2", line);
  });

  test("WRK-10.2 anything else is its exit code and the tail, and the exit code is believed before words", () => {
    expect(readResults("make: *** [all] Error 2\n", 2)).toMatchObject({
      runner: "exit-code",
      state: "failed",
      tail: "make: *** [all] Error 2\n",
    });
    expect(readResults("", 0)).toMatchObject({ runner: "exit-code", state: "passed", passed: null });
    shows("WRK-10.2", 6);
    const fine = "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total\n";
    expect(readResults(fine, 0)).toMatchObject({ runner: "jest", state: "passed", passed: 2, note: null });
    expect(readResults(fine, 1)).toMatchObject({
      state: "failed",
      failed: 0,
      note: expect.stringContaining("(1)"),
      tail: fine,
    });
    expect(readResults(captured("jest").text, 0)).toMatchObject({
      state: "failed",
      note: expect.stringContaining("ended with 0"),
    });
    const colours = captured("vitest").text.replaceAll("failed", "\u001b[31mfailed\u001b[39m").replaceAll("\n", "\r\n");
    expect(readResults(colours, 1)).toMatchObject({ runner: "vitest", passed: 1, failed: 1 });
  });

  test("TAP with a plan that is not kept, or a bail-out, is no success", () => {
    expect(readResults("1..3\nok 1 - a\nok 2\n", 0)).toMatchObject({
      runner: "tap",
      state: "failed",
      passed: 2,
      failed: 1,
    });
    expect(readResults("TAP version 13\nok 1 - a\nBail out! no\n", 255)).toMatchObject({
      state: "failed",
      failed: null,
    });
    expect(readResults("1..2\nok 1 - a\nnot ok 2 - b # TODO later\n", 0)).toMatchObject({
      state: "passed",
      skipped: 1,
    });
  });

  test("cut, mixed, coloured or random output makes no reader fail, and none lie", () => {
    const one = fc.constantFrom(...CAPTURED.map(({ text }) => text));
    const noise = fc.oneof(
      fc.string(),
      fc.constantFrom("\u001b[31m", "\r", "\u0000", "\ud800", "\n\n", "ok 1\n", "<testcase"),
    );
    const places = fc.array(fc.tuple(fc.nat(), noise), { maxLength: 4 });
    const mixed = fc.tuple(one, one, fc.nat(), fc.nat(), places).map(([a, b, at, to, parts]) => {
      let text = a.slice(at % a.length) + b.slice(0, to % b.length);
      for (const [place, part] of parts)
        text = text.slice(0, place % (text.length + 1)) + part + text.slice(place % (text.length + 1));
      return text;
    });
    const isCount = (count: number | null) => count === null || (Number.isInteger(count) && count >= 0);
    fc.assert(
      fc.property(mixed, fc.constantFrom(0, 1, -1), (text, code) => {
        const read = readResults(text, code);
        if (code !== 0) expect(read.state).toBe("failed");
        if ((read.failed ?? 0) > 0 || read.failing.length > 0) expect(read.state).toBe("failed");
        expect([read.passed, read.failed, read.skipped].every(isCount)).toBe(true);
        expect(new Set(read.failing).size).toBe(read.failing.length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("much output of one kind takes no time that grows with its square", () => {
    const parts = [
      "not ok 1 - a\n",
      "<testcase name='a'><failure",
      "at a(",
      "FAIL  a\n",
      "error: a\n --> ",
      "--- FAIL: a (",
      "E   \n",
      "\r",
      "1 a, ",
    ];
    const start = performance.now();
    for (const part of parts) readResults(`1..9\n<testsuite>\n${part.repeat(10_000)}`, 1);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
