import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemProcesses } from "../src/adapters/system/processes.ts";
import { scratch } from "./support/scratch.ts";

const processes = systemProcesses();

// Two at once in one folder, the second stopped in the middle: the machine is theirs for one time only.
test("the demo walks six tasks through a rejection, a SIGKILL, a conflict and a gate, and Ctrl+C leaves nothing behind", {
  timeout: 240_000,
}, async () => {
  const folder = scratch();
  const whole = startDemo(folder);
  const cut = startDemo(folder);

  await expect.poll(() => signedIn(folder, cut.said()), { timeout: 120_000 }).toMatch(/task-001\/1\/1\.1/);
  cut.child.kill("SIGINT");
  expect(await cut.code, cut.said()).toBe(130);
  expect(cut.said()).toMatch(/Stopped\. (\d+ would go on; the demo ends them|No worker)/);
  expect(await processes.within(root(folder, cut.said()))).toEqual([]);

  expect(await whole.code, whole.said()).toBe(0);
  const said = whole.said();
  for (const wanted of [
    "A shop with 4 failing tests, and a backlog of 6 tasks",
    "examples/workers/implementer.sh",
    "task-002 does not pass the review. F1: src/cart.js:3: a console.log is left in",
    "| - F1, from await-review: src/cart.js:3: a console.log is left in",
    "task-001 is merged, and the merge is in the base: task-004 starts from it",
    "task-005 conflicts with main in README.md and src/shop.js",
    "round 0 stays round 0",
    "$ pawl approve task-003",
    "16 passed, 0 failed",
    "All 6 tasks completed, nothing twice, nothing lost",
  ])
    expect(said).toContain(wanted);
  expect(said).toMatch(/adopted [1-4] workers?, 0 effects repeated, 0 lost/);
  expect(said.match(/SIGKILL to pawl run/g)).toHaveLength(1);
  for (const command of ["show task-002", "why task-003", "status"]) expect(said).toContain(`../pawl ${command}`);
  expect(await processes.within(root(folder, said))).toEqual([]);
});

interface Demo {
  readonly child: ChildProcess;
  said(): string;
  readonly code: Promise<number | null>;
}

/** As on a new machine: an empty home, no name in git, no terminal. */
function startDemo(folder: string): Demo {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(process.execPath, [resolve("dist/demo.mjs")], { cwd: folder, env, stdio: [...stdio] });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += String(chunk);
    });
  const code = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await code;
  });
  return { child, said: () => text, code };
}

/** `.demo/N` of that demo. */
const root = (folder: string, said: string): string =>
  join(folder, /^ *(\.demo\/\d+)\/shop/m.exec(said)?.[1] ?? "none");

const signedIn = (folder: string, said: string): string => {
  const starts = join(root(folder, said), "starts.txt");
  return existsSync(starts) ? readFileSync(starts, "utf8") : "";
};
