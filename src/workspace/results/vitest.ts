import { behind, counted, names, placeIn, type Reader } from "./reading.ts";

const FILES = /^ *Test Files {2}(.+) \(\d+\)$/gm;
const TESTS = /^ *Tests {2}(.+) \(\d+\)$/gm;
const FAILED = /^ *FAIL {2}(.{1,300}?)(?: \[ .* \])?$/gm;
const PLACE = /^ *❯ (?:.{0,200} )?(?<file>[^\s:]+):(?<line>\d+):\d+$/m;

export const readVitest: Reader = (text) => {
  const files = [...text.matchAll(FILES)].map((match) => match[1]!);
  if (files.length === 0 && !/^ *RUN {2}v\d/m.test(text)) return null;
  const count = counted([...text.matchAll(TESTS)].map((match) => match[1]!));
  const isWhole = files.length > 0;
  const fault = behind(text, /^ *FAIL {2}/m);
  return {
    passed: isWhole ? count("passed") : null,
    // a file that could not be loaded has no tests that fail
    failed: isWhole ? count("failed") || counted(files)("failed") : null,
    skipped: isWhole ? count("skipped", "todo") : null,
    failing: names(text, FAILED),
    firstError:
      fault === "" ? null : placeIn(fault, PLACE, /^ *FAIL .*\n(?: *FAIL .*\n)*(\S.*)$/m.exec(fault)?.[1] ?? null),
  };
};
