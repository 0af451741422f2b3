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
  for (const [name, what] of WORKERS) {
    const path = join(packageRoot(), "examples", "workers", name);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n").length;
    say(`   ${relative(process.cwd(), path).padEnd(34)} ${lines} lines  ${paint.dim(what)}`);
  }
  say(
    `   ${"pawl check".padEnd(34)} ${" ".repeat(8)}  ${paint.dim("verifies: it runs the checks of pawl.yaml in a clean checkout")}`,
  );
}

const WORKERS = [
  ["implementer.sh", "applies a change, runs the tests, commits"],
  ["resolver.mjs", "merges, and keeps both sides of a conflict"],
  ["reviewer.mjs", "approves or rejects beside the processor"],
] as const;

function graph(unicode: boolean): readonly string[] {
  const arrow = unicode ? "─▸" : "->";
  return [
    `task-001 Prices with two decimals       ─${arrow} task-004 A receipt     waits for task-001 to be synced`,
    `task-002 One line per item in a cart    ─${arrow} task-006 Three for two fails its first review: task-002`,
    "task-003 Search in any case                 waits for your approval",
    "task-005 Say what is sold out               changes the same lines as task-001: a merge conflict",
  ].map((line) => (unicode ? line : line.replaceAll("─", "-")));
}

/** Runs the shop's tests in a checkout of it. */
export async function runTests(stage: Stage, cwd: string): Promise<{ passed: number; failed: number; output: string }> {
  const { output } = await run(stage, ["sh", "-c", "node --test --test-reporter=tap test/*.test.js"], cwd);
  const count = (word: string): number => Number(new RegExp(`^# ${word} (\\d+)$`, "m").exec(output)?.[1] ?? Number.NaN);
  return { passed: count("pass"), failed: count("fail"), output };
}
