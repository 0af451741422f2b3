import { names, placeIn, type Reader } from "./reading.ts";
import { readTap } from "./tap.ts";

/** the last lines of its `spec` and `tap` reporters */
const SUM = /^(?:ℹ|#) (tests|pass|fail|cancelled|skipped|todo) (\d+)$/gm;
const FAILED = /^test at .{1,300}:\d+:\d+\n✖ (.{1,300}?)(?: \([\d.]+ms\))?$/gm;
const PLACE = /^test at (?<file>.{1,300}):(?<line>\d+):\d+\n✖ .*\n(?<text>.*)$/m;

/** Node's own test runner. A group with a test that fails counts as one that fails, as it says itself. */
export const readNodeTest: Reader = (text) => {
  const sums = [...text.matchAll(SUM)];
  const sum = (word: string) => sums.reduce((all, [, name, count]) => all + (name === word ? Number(count) : 0), 0);
  if (!sums.some(([, name]) => name === "pass") || !sums.some(([, name]) => name === "cancelled")) return null;
  const tap = readTap(text);
  return {
    passed: sum("pass"),
    failed: sum("fail") + sum("cancelled"),
    skipped: sum("skipped") + sum("todo"),
    failing: tap?.failing ?? names(text, FAILED),
    firstError: tap?.firstError ?? placeIn(text, PLACE),
  };
};
