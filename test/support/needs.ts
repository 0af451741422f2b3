import { spawnSync } from "node:child_process";
import { describe, test } from "vitest";

/**
 * A test that runs where a program is there and does what `probe` asks of it; elsewhere it is skipped under a title that
 * names the Debian package, and counted as skipped. With PAWL_ALL=1, as in `.ci/run`, it fails instead.
 */
export function needs(program: string, debianPackage: string, probe: readonly string[] = ["--version"]) {
  const works = spawnSync(program, probe, { stdio: "ignore", timeout: 10_000 }).status === 0;
  const why = `needs ${program}: apt install ${debianPackage}`;
  return (title: string, body: () => Promise<void> | void, ms?: number): void => {
    if (works) test(title, body, ms);
    else if (process.env.PAWL_ALL !== "1") test.skip(`${title} (${why})`, () => {});
    else
      test(title, () => {
        throw new Error(why);
      });
  };
}

/**
 * The same for a whole suite: its cases are declared where `works`; elsewhere one test says which program, or which right
 * of the user, is missing.
 */
export function suiteNeeding(
  {
    works,
    ...what
  }: { readonly works: boolean } & (
    | { readonly program: string; readonly debianPackage: string }
    | { readonly right: string }
  ),
  title: string,
  suite: () => void,
): void {
  const why = "right" in what ? `needs ${what.right}` : `needs ${what.program}: apt install ${what.debianPackage}`;
  if (works) describe(title, suite);
  else if (process.env.PAWL_ALL !== "1") test.skip(`${title} (${why})`, () => {});
  else
    test(title, () => {
      throw new Error(why);
    });
}

export const hasAdb = (): boolean => spawnSync("adb", ["version"], { stdio: "ignore" }).status === 0;

/** For tests that talk to a simulated phone through the real adb. */
export const needsAdb = (): ReturnType<typeof needs> => needs("adb", "adb", ["version"]);
