import { names, placeIn, type Reader } from "./reading.ts";

const PACKAGE = /^(?:ok {2}\t|FAIL\t|\? {3}\t|---)/m;
const TEST = /^--- (PASS|FAIL|SKIP): (\S+) \(/gm;
const FAILED = /^ *--- FAIL: (\S+) \(/gm;
/** a package that was not built, or ended before its tests did */
const BROKEN = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/gm;
const PLACE = /^\s+(?<file>\S+\.go):(?<line>\d+): (?<text>.*)$/m;
const COMPILER = /^(?:\.\/)?(?<file>\S+\.go):(?<line>\d+):\d+: (?<text>.*)$/m;

/** How many passed is said with `-v` alone. */
export const readGoTest: Reader = (text) => {
  const isGo =
    PACKAGE.test(text) &&
    /^(?:ok {2}\t\S+|FAIL\t\S+|\? {3}\t\S+|=== RUN {3}\S+|--- (?:PASS|FAIL|SKIP): \S+ \()/m.test(text);
  if (!isGo) return null;
  const tests = [...text.matchAll(TEST)].map((match) => match[1]);
  const count = (how: string) => tests.filter((one) => one === how).length;
  const isVerbose = /^=== RUN {3}/m.test(text);
  const broken = names(text, BROKEN);
  const failed = names(text, FAILED);
  const inner = failed.filter((name) => !failed.some((other) => other.startsWith(`${name}/`)));
  return {
    passed: isVerbose ? count("PASS") : null,
    failed: count("FAIL") + broken.length,
    skipped: isVerbose ? count("SKIP") : null,
    failing: [...inner, ...broken],
    firstError:
      placeIn(text, COMPILER) ?? placeIn(text, PLACE) ?? placeIn(text, /$^/, /^panic: .*$/m.exec(text)?.[0] ?? null),
  };
};
