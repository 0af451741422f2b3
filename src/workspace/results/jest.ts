import { behind, counted, names, placeIn, type Reader } from "./reading.ts";

const SUITES = /^Test Suites: +(.+), \d+ total$/gm;
const TESTS = /^Tests: +(.+), \d+ total$/gm;
const FAILED = /^ {2}● (?!Console$)(.{1,300})$/gm;
const PLACE = /^ +at (?:[^\n]{0,200}\()?(?<file>(?!node:)[^\s()]{1,300}?):(?<line>\d+):\d+\)?$/m;

export const readJest: Reader = (text) => {
  const suites = [...text.matchAll(SUITES)].map((match) => match[1]!);
  if (suites.length === 0) return null;
  const count = counted([...text.matchAll(TESTS)].map((match) => match[1]!));
  const fault = behind(text, /^ {2}● (?!Console$)/m);
  const own = fault.replaceAll(/^ +at .*node_modules.*$/gm, "");
  return {
    passed: count("passed"),
    // a suite that could not be loaded has no tests that fail
    failed: count("failed") || counted(suites)("failed"),
    skipped: count("skipped", "todo"),
    failing: names(text, FAILED),
    firstError: fault === "" ? null : placeIn(own, PLACE, /^ {2}● .*\n\s*(\S.*)$/m.exec(fault)?.[1] ?? null),
  };
};
