import { behind, counted, names, placeIn, type Reader } from "./reading.ts";

/** the last line of a run, with or without its rule */
const RESULT = /^(?:=+ )?((?:\d+ [a-z]+(?:, )?){1,9}|no tests ran) in \d[\d.]*s\b/gm;
const FAILED = /^(?:FAILED|ERROR) (\S+\.py(?:::.{1,300}?)?)(?: - .*)?$/gm;
const PLACE = /^(?<file>\S+\.py):(?<line>\d+): (?<text>.*)$/m;
const SAID = /^E {3}\s*(\S.*)$/m;

export const readPytest: Reader = (text) => {
  const results = [...text.matchAll(RESULT)].map((match) => match[1]!);
  if (results.length === 0 && !/^=+ test session starts =+$/m.test(text)) return null;
  const count = counted(results);
  const isWhole = results.length > 0;
  const failures = behind(text, /^=+ (?:FAILURES|ERRORS) =+$/m);
  return {
    passed: isWhole ? count("passed", "xpassed") : null,
    failed: isWhole ? count("failed", "error", "errors") : null,
    skipped: isWhole ? count("skipped", "xfailed") : null,
    failing: names(text, FAILED),
    firstError: placeIn(failures, PLACE, SAID.exec(failures)?.[1] ?? null),
  };
};
