import { beforeAll, test } from "vitest";

/** `npm run test:long`: everything, also what a short run leaves out. */
export const IS_LONG = process.env.PAWL_LONG === "1";

declare module "vitest" {
  interface TaskMeta {
    /** of a file: how many of its tests a short run has left out */
    leftOut?: number;
  }
}

/**
 * A test for the long run alone: what it would find, a shorter one mostly finds too. Elsewhere it is not there, and
 * counted in the last lines of the run. Never for a scenario or a failure that is known.
 */
export function long(title: string, body: () => Promise<void> | void, ms?: number): void {
  if (IS_LONG) return test(title, body, ms);
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a hook wants
  beforeAll(({}, { file }) => {
    file.meta.leftOut = (file.meta.leftOut ?? 0) + 1;
  });
}
