import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AGENTS } from "../test/mutants/agents.ts";
import { DEVICE } from "../test/mutants/device.ts";
import { DEVICE_ANSWERS } from "../test/mutants/device-answers.ts";
import { FORGE } from "../test/mutants/forge.ts";
import { HOOKS_AND_ISSUES } from "../test/mutants/hooks.ts";
import { LARGE } from "../test/mutants/large.ts";
import type { Mutant } from "../test/mutants/mutant.ts";
import { PROCESSOR } from "../test/mutants/processor.ts";
import { REACH } from "../test/mutants/reach.ts";
import { WORKER } from "../test/mutants/worker.ts";
import { WORKSPACE } from "../test/mutants/workspace.ts";

/**
 * Puts one small fault at a time into a copy of the sources and runs the tests of its id: they have to go red. Without a
 * fault they have to be green. `npm run mutants [-- ID…]`: those whose id begins so. Exit code 1 where a fault lived.
 */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const mutants = [
  ...PROCESSOR,
  ...WORKSPACE,
  ...WORKER,
  ...DEVICE,
  ...DEVICE_ANSWERS,
  ...REACH,
  ...FORGE,
  ...HOOKS_AND_ISSUES,
  ...AGENTS,
  ...LARGE,
].filter(({ id }) => wanted.length === 0 || wanted.some((word) => id.startsWith(word)));
/** What the cases of one fault may take; beyond it the fault counts as noticed, as no test passed. */
const LONGEST_MS = 10 * 60_000;
// its children stand in a group of their own, which the terminal does not reach
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const copy = mkdtempSync(join(tmpdir(), "pawl-mutants-"));
const lived: string[] = [];
const caseOf = ({ id, title = id, tests }: Mutant): string => `${title} in ${tests.join(", ")}`;

try {
  copySources();
  const dead = await soundOnes();
  for (const mutant of mutants) await judge(mutant, dead);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`\n${mutants.length} faults: ${mutants.length - lived.length} noticed, ${lived.length} not`);
for (const line of lived) console.log(`  ${line}`);
process.exitCode = lived.length > 0 ? 1 : 0;

function copySources(): void {
  const files = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], { encoding: "utf8" })
    .split("\0")
    .filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(file, join(copy, file));
  }
  symlinkSync(join(process.cwd(), "node_modules"), join(copy, "node_modules"));
}

/** Cases that are red without any fault prove nothing: they are named, and what leans on them counts as not noticed. */
async function soundOnes(): Promise<ReadonlySet<string>> {
  const red = new Set<string>();
  for (const [key, mutant] of new Map(mutants.map((one) => [caseOf(one), one]))) {
    const { passed, failed } = await run(mutant);
    if (failed > 0 || passed === 0) red.add(key);
    console.log(`${failed > 0 ? "RED   " : passed === 0 ? "EMPTY " : "green "} ${key} (${passed} cases)`);
  }
  return red;
}

async function judge(mutant: Mutant, dead: ReadonlySet<string>): Promise<void> {
  const path = join(copy, mutant.file);
  const text = readFileSync(path, "utf8");
  const name = `${mutant.id} ${mutant.file}: ${mutant.find.trim().split("\n")[0]!.slice(0, 70)}`;
  const places = text.split(mutant.find).length - 1;
  if (places !== 1) return note(`${name} stands there ${places} times`);
  if (dead.has(caseOf(mutant))) return note(`${name}: its tests are not green without it`);
  writeFileSync(
    path,
    text.replace(mutant.find, () => mutant.put),
  );
  try {
    const { failed, passed } = await run(mutant);
    if (failed === 0 && passed > 0) return note(`${name}: ${passed} cases pass`);
    console.log(`noticed ${name}`);
  } finally {
    writeFileSync(path, text);
  }
}

function note(line: string): void {
  lived.push(line);
  console.log(`LIVED   ${line}`);
}

/** Cases that passed and failed; a suite that cannot even be loaded has failed. */
async function run({ id, title = id, tests }: Mutant): Promise<{ passed: number; failed: number }> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...tests,
    "-t",
    title,
    "--reporter=json",
    `--outputFile=${report}`,
  ];
  await runGroup(args);
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8")) as Record<
      string,
      number
    >;
    return { passed: numPassedTests!, failed: numFailedTests! + (numFailedTests === 0 ? numFailedTestSuites! : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** A fault can make a loop that never ends: what is left when the tests end, or have had their time, ends with them. */
async function runGroup(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: copy, stdio: "ignore", detached: true });
  const end = (): void => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // nobody is left
    }
  };
  const timer = setTimeout(end, LONGEST_MS);
  process.once("exit", end);
  await once(child, "exit");
  clearTimeout(timer);
  process.off("exit", end);
  end();
}
