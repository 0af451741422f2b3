import type { SuiteRun } from "./record.ts";

/** Suites as they ran on the files as they are, and on the untouched base. */
export interface Runs {
  readonly validated: readonly SuiteRun[] | null;
  readonly baseline: readonly SuiteRun[] | null;
}

/** A suite that fails though it is ours to mend, with what fails. */
export interface Failure {
  readonly suite: string;
  readonly words: string;
}

/**
 * What fails in scope (architecture 9.3): a test that passed on the untouched base, or did not exist there; a suite
 * that names no tests, if it passed there. What failed there already is out of scope.
 */
export const inScopeFailures = (state: Runs): readonly Failure[] =>
  failures(state).flatMap(({ run, tests }) =>
    isOut(state, run) ? [] : [{ suite: run.name, words: wordsOf(run, tests) }],
  );

/** What fails, and did so before anything was changed: reported, and not mended. */
export const outOfScopeFailures = (state: Runs): readonly Failure[] =>
  failures(state).flatMap(({ run }) => {
    const old = run.failing.filter((test) => before(state, run)?.failing.includes(test));
    const isWhole = isOut(state, run);
    return old.length > 0 || isWhole ? [{ suite: run.name, words: wordsOf(run, isWhole ? run.failing : old) }] : [];
  });

const failures = (state: Runs): readonly { run: SuiteRun; tests: readonly string[] }[] =>
  (state.validated ?? [])
    .filter((run) => !run.passed)
    .map((run) => ({ run, tests: run.failing.filter((test) => !before(state, run)?.failing.includes(test)) }));

const before = (state: Runs, run: SuiteRun): SuiteRun | undefined =>
  state.baseline?.find((one) => one.name === run.name && !one.passed);

/** Nothing fails that did not fail before. */
function isOut(state: Runs, run: SuiteRun): boolean {
  const then = before(state, run);
  if (!then) return false;
  // a suite that names no tests can only be compared whole, and one that no longer gets so far is worse than before
  return run.failing.length > 0 && then.failing.length > 0
    ? run.failing.every((test) => then.failing.includes(test))
    : run.failing.length === then.failing.length;
}

const wordsOf = (run: SuiteRun, tests: readonly string[]): string =>
  `${run.name}: ${tests.length > 0 ? `${tests.slice(0, 10).join(", ")}\n` : ""}${run.words}`;
