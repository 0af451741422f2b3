// npm run scenarios: runs the tests and prints, per scenario, the lines that passing tests show and those without one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LINES } from "../test/scenarios/lines.ts";

interface Shown {
  readonly id: string;
  readonly line: number;
  readonly title: string;
}

const file = join(mkdtempSync(join(tmpdir(), "pawl-shown-")), "shown.jsonl");
const run = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "inherit"],
  env: { ...process.env, PAWL_SHOWN: file },
});
const shown: readonly Shown[] = existsSync(file)
  ? readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Shown)
  : [];

let missing = 0;
for (const [id, lines] of Object.entries(LINES)) {
  console.log(id);
  lines.forEach((text, i) => {
    const by = shown.find((one) => one.id === id && one.line === i + 1);
    if (by === undefined) missing++;
    console.log(`  ${by ? "shown  " : "MISSING"} ${i + 1} ${text}${by ? `   (${by.title})` : ""}`);
  });
}
const all = Object.values(LINES).flat().length;
console.log(`${all - missing} of ${all} lines of ${Object.keys(LINES).length} scenarios are shown`);
process.exitCode = run.status === 0 ? 0 : 1;
