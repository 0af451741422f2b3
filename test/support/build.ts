import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/**
 * Builds dist/ once before the tests, where a source is newer than it: drivers and commands run from there. Gives a folder
 * for what many tests copy, gone after them.
 */
export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, ["scripts/built.mjs"], { stdio: "inherit" });
  const models = mkdtempSync(join(tmpdir(), "pawl-models-"));
  project.provide("models", models);
  return () => rmSync(models, { recursive: true, force: true });
}
