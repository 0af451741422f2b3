import { readCargo } from "./cargo.ts";
import { readGoTest } from "./go-test.ts";
import { readJest } from "./jest.ts";
import { readJunit } from "./junit.ts";
import { readNodeTest } from "./node-test.ts";
import { readPytest } from "./pytest.ts";
import type { Reader, Reading } from "./reading.ts";
import { readTap } from "./tap.ts";
import { readUnittest } from "./unittest.ts";
import { readVitest } from "./vitest.ts";

/** What a build or a test run came to. */
export interface ResultSummary extends Reading {
  /** whose words these are; exit-code: nobody's that is known */
  readonly runner: keyof typeof READERS | "exit-code";
  /** passed only where the command ended with 0 and no test failed, whatever the words say */
  readonly state: "passed" | "failed";
  /** where words and exit code do not say the same */
  readonly note: string | null;
  /** how many more names there are than in `failing` */
  readonly more: number;
  /** the end of the output, where nobody's words are known */
  readonly tail: string | null;
}

/** In the order in which they are believed where they say as much: the more peculiar its words, the earlier. */
const READERS = {
  cargo: readCargo,
  vitest: readVitest,
  jest: readJest,
  pytest: readPytest,
  unittest: readUnittest,
  node: readNodeTest,
  go: readGoTest,
  junit: readJunit,
  tap: readTap,
} as const satisfies Readonly<Record<string, Reader>>;

const MOST_NAMES = 100;
const TAIL = 4_000;

/** Sums up what a command printed. `exitCode`: as it ended; -1, like everything but 0, is a failure. Never throws. */
export function readResults(output: string, exitCode: number): ResultSummary {
  const text = plain(output);
  const found = (Object.keys(READERS) as (keyof typeof READERS)[]).flatMap((runner) => {
    const reading = READERS[runner](text);
    return reading === null ? [] : [{ runner, reading }];
  });
  const best = found.toSorted((a, b) => weight(b.reading) - weight(a.reading))[0];
  if (best === undefined) return byExitCode(text, exitCode);
  const isBad = found.some(({ reading }) => (reading.failed ?? 0) > 0 || reading.failing.length > 0);
  const { failing } = best.reading;
  return {
    ...best.reading,
    failing: failing.slice(0, MOST_NAMES),
    more: Math.max(0, failing.length - MOST_NAMES),
    runner: best.runner,
    state: exitCode === 0 && !isBad ? "passed" : "failed",
    note: noteOf(best.reading, exitCode, isBad),
    tail: exitCode !== 0 && !isBad ? text.slice(-TAIL) : null,
  };
}

/** What says that something failed says more than what says that all is well; what has no sums says least. */
const weight = ({ passed, failed, failing }: Reading): number =>
  (failed ?? 0) * 1e6 + failing.length * 1e3 + Math.min(999, passed ?? 0) + (failed === null ? -1 : 0);

function noteOf({ failed }: Reading, exitCode: number, isBad: boolean): string | null {
  if (exitCode !== 0 && !isBad) return `the command failed (${exitCode}), although it names no test that did`;
  if (exitCode === 0 && isBad) return "the command ended with 0, although tests failed";
  return failed === null ? "the output does not come to its sums" : null;
}

const byExitCode = (text: string, exitCode: number): ResultSummary => ({
  runner: "exit-code",
  state: exitCode === 0 ? "passed" : "failed",
  passed: null,
  failed: null,
  skipped: null,
  failing: [],
  more: 0,
  firstError: null,
  note: null,
  tail: text.slice(-TAIL),
});

/** Without colours and cursors; a line that was drawn anew is what it was at last. */
const plain = (output: string): string =>
  output
    .replaceAll(/\u001b(?:\[[0-?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)|[@-Z\\^_])/g, "")
    .replaceAll("\r\n", "\n")
    .replaceAll(/^[^\n]*\r/gm, "");
