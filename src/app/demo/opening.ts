import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { packageRoot } from "../config/package-root.ts";
import { run } from "./programs.ts";
import type { Stage } from "./stage.ts";
import type { Voice } from "./voice.ts";

/** Act 1: the shop, its bugs, the backlog as a graph, and the programs that do the work. Throws DEMO where the shop has no bugs. */
export async function opening(stage: Stage, { act, say, paint }: Voice): Promise<void> {
  const tests = await runTests(stage, stage.shop);
  act(`A shop with ${tests.failed} failing tests, and a backlog of 6 tasks`);
  if (tests.failed !== 4)
    throw new PawlError("DEMO", `the shop has to begin with 4 failing tests, and has ${tests.failed}`);
  say(
    `   ${stage.shown}/shop         the repository, on main, with pawl.yaml and tasks/`,
    `   ${stage.shown}/origin.git   its bare origin: work is merged there`,
    "",
    ...graph(paint.unicode).map((line) => `   ${line}`),
    "",
    "   map default: implement, verify, await-review, mark-ready, merge; resolve on a conflict",
    "   The workers are plain programs, no model is needed. Copy these for your own agents:",
  );
  const workers = WORKERS.map(([name, what]) => {
    const path = join(packageRoot(), "examples", "workers", name);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n").length;
    return { path: relative(process.cwd(), path), text: `${lines} lines, ${what}` };
  });
  const width = Math.max(...workers.map(({ path }) => path.length));
  say(
    ...workers.map(({ path, text }) => `   ${path.padEnd(width)}  ${text}`),
    `   ${"pawl check".padEnd(width)}  verifies: runs the checks of pawl.yaml in a clean checkout`,
  );
}

const WORKERS = [
  ["implementer.sh", "applies a change, runs the tests, commits"],
  ["resolver.mjs", "merges, and keeps both sides of a conflict"],
  ["reviewer.mjs", "approves or rejects beside the processor"],
] as const;

/** Each fits a terminal of 100 columns, three to the right. */
export const GRAPH = [
  "task-001 Prices with two decimals ────▸ task-004 A receipt     waits until task-001 is synced",
  "task-002 One line per item in a cart ─▸ task-006 Three for two task-002 fails its first review",
  "task-003 Search in any case                                    waits for your approval",
  "task-005 Say what is sold out                                  conflicts with task-001 on merge",
];

const graph = (unicode: boolean): readonly string[] =>
  unicode ? GRAPH : GRAPH.map((line) => line.replaceAll("─", "-").replaceAll("▸", ">"));

/** Runs the shop's tests in a checkout of it. */
export async function runTests(stage: Stage, cwd: string): Promise<{ passed: number; failed: number; output: string }> {
  const { output } = await run(stage, ["sh", "-c", "node --test --test-reporter=tap test/*.test.js"], cwd);
  const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(output)?.[1] ?? Number.NaN);
  return { passed: count("pass"), failed: count("fail"), output };
}
