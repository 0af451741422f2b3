import { execFileSync } from "node:child_process";

/** Builds dist/ once before the tests, where a source is newer than it: drivers and commands run from there. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/built.mjs"], { stdio: "inherit" });
}
