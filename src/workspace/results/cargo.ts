import { counted, names, placeIn, type Reader } from "./reading.ts";

const RESULT = /^test result: \w+\. (\d+ passed; \d+ failed; \d+ ignored);/gm;
const FAILED = /^test (\S.{0,300}?) \.\.\. FAILED$/gm;
const LISTED = /^ {4}([\w:<>]+(?: - .{1,200})?)$/gm;
const PANIC = /panicked at (?<file>[^\n]{1,300}?):(?<line>\d+):\d+:\n(?<text>.*)/;
const COMPILER = /^error(?:\[E\d+\])?: (?<text>.*)\n *--> (?<file>[^\n]{1,300}?):(?<line>\d+):\d+$/m;

/** One result for each test program and for the examples in the docs; a build that failed has none. */
export const readCargo: Reader = (text) => {
  const results =
    names(text, /^(test result: .*)$/gm).length > 0 ? [...text.matchAll(RESULT)].map((one) => one[1]!) : [];
  const compiler = placeIn(text, COMPILER);
  if (results.length === 0 && compiler === null && !/^error: could not compile/m.test(text)) return null;
  const count = counted(results);
  const isWhole = results.length > 0;
  const list = text.lastIndexOf("\nfailures:\n");
  const listed = list === -1 ? [] : names(text.slice(list).split("\ntest result:")[0]!, LISTED);
  return {
    passed: isWhole ? count("passed") : null,
    failed: isWhole ? count("failed") : null,
    skipped: isWhole ? count("ignored") : null,
    failing: [...new Set([...names(text, FAILED), ...listed])],
    firstError: compiler ?? placeIn(text, PANIC),
  };
};
