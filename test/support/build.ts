import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const newest = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .reduce((most, entry) => Math.max(most, statSync(join(entry.parentPath, entry.name)).mtimeMs), 0);

/** Builds dist/ once before the tests, where a source is newer than it: drivers and commands run from there. */
export default function setup(): void {
  const built = existsSync("dist/cli.mjs") ? statSync("dist/cli.mjs").mtimeMs : 0;
  if (existsSync("src/app/cli/main.ts") && newest("src") > built) {
    execFileSync(process.execPath, ["node_modules/tsdown/dist/run.mjs", "--log-level", "warn"], { stdio: "inherit" });
  }
}
