import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../support/bundle.ts";
import { makeShim } from "./git-shim.ts";

/** Processor and driver, each bundled once: they start in a fifth of the time, and nobody builds them anew meanwhile. */
export interface Programs {
  readonly processor: string;
  readonly driver: string;
  /** a forge with its people */
  readonly far: string;
  /** folder of the `git` that the processor finds first */
  readonly shim: string;
  remove(): void;
}

/** What every life loads, file by file where it is not bundled too. */
const PACKAGES = ["zod", "yaml", "picomatch", "p-queue", "eventemitter3", "p-timeout", "diff"];

export async function bundlePrograms(): Promise<Programs> {
  // Within the project, so that packages, maps and roles are found.
  const cache = "node_modules/.cache/pawl-sweep";
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(process.cwd(), cache, "programs-"));
  const entries = {
    processor: "test/sweep/processor.ts",
    driver: "test/sweep/driver.ts",
    far: "test/sweep/far/program.ts",
  };
  await bundle(entries, outDir, PACKAGES);
  return {
    processor: join(outDir, "processor.mjs"),
    driver: join(outDir, "driver.mjs"),
    far: join(outDir, "far.mjs"),
    shim: makeShim(join(outDir, "shim")),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
