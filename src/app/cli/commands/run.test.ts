import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { repository } from "../../../../test/support/scratch.ts";
import { openSqlite } from "../../../adapters/store/open-sqlite.ts";

const CLI = resolve("dist/cli.mjs");
const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", LANG: "C.UTF-8", GIT_CONFIG_GLOBAL: "/dev/null" };

/** `pawl run` as a process of its own, its one worker at work; worker and processor end with the test. */
async function atWork(
  stdin: "ignore" | number = "ignore",
): Promise<{ repo: string; child: ChildProcess; said: () => string }> {
  const { repo } = repository({
    "pawl.yaml": "agents: {default: {command: exec sleep 60}}\nphases: auto\nchecks: [x]\n",
    "tasks/task-1.md": "---\ntitle: One\n---\nDo it.\n",
  });
  const child = spawn(process.execPath, [CLI, "run"], { cwd: repo, env: ENV, stdio: [stdin, "pipe", "pipe"] });
  const gone = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
    spawnSync(process.execPath, [CLI, "stop", "--workers", "--yes"], { cwd: repo, env: ENV });
  });
  let said = "";
  for (const stream of [child.stdout!, child.stderr!]) stream.on("data", (bytes) => (said += String(bytes)));
  await expect.poll(() => said, { timeout: 20_000 }).toContain("spawned");
  return { repo, child, said: () => said };
}
const events = (repo: string): string => readFileSync(join(repo, ".pawl/events.jsonl"), "utf8");

it.each([
  ["SIGHUP", "Stopped by SIGHUP (the terminal was closed); all state is saved. 1 worker goes on: task-1 (pid "],
  ["SIGTERM", "Stopped by SIGTERM; all state is saved. 1 worker goes on: task-1 (pid "],
] as const)(
  "%s ends the processor in order, and that is said and recorded",
  async (signal, words) => {
    const { repo, child, said } = await atWork();
    const second = (...flags: string[]) =>
      spawnSync(process.execPath, [CLI, "run", ...flags], { cwd: repo, env: ENV, encoding: "utf8" });
    expect(second()).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/^error\[STORE_HELD\] .* since \d\d:\d\d \(\d+s\), epoch 1\nnext: /) as string,
    });
    expect(second("--json").stdout).toMatch(/ since \d{4}-\d\d-\d\dT[\d:.]+Z /);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(130);
    expect(said()).toContain(words);
    expect(events(repo)).toContain(`"event":"stop_ordered","by":"${signal}"`);
  },
  60_000,
);

it("a store of an older format, which somebody still holds, is told as held", async () => {
  const { repo } = await atWork();
  const database = (await openSqlite())(join(repo, ".pawl/store.db"));
  database.exec("UPDATE meta SET value = 1");
  database.close();
  const { status, stderr } = spawnSync(process.execPath, [CLI, "run"], { cwd: repo, env: ENV, encoding: "utf8" });
  expect([status, stderr]).toEqual([3, expect.stringMatching(/^error\[STORE_HELD\] .* an older pawl still uses it/)]);
}, 60_000);

it.skipIf(!existsSync("/dev/full"))(
  "a full disk behind what it prints is told once, and ends it in order",
  async () => {
    const { repo } = repository({
      "pawl.yaml": "agents: {default: {command: sleep 1; false, verdict: exit_code}}\nphases: auto\nchecks: [x]\n",
      "tasks/task-1.md": "---\ntitle: One\n---\nDo it.\n",
    });
    const full = openSync("/dev/full", "w");
    onTestFinished(() => closeSync(full));
    const said = (...args: string[]) =>
      spawnSync(process.execPath, [CLI, ...args], {
        cwd: repo,
        env: ENV,
        encoding: "utf8",
        stdio: ["ignore", full, "pipe"],
      });
    const words = "error[FILE_UNUSABLE] what this prints cannot be written: the disk is full (ENOSPC)\n";
    expect(said("explain")).toMatchObject({ status: 1, stderr: words });
    expect(said("run").stderr).toMatch(/^error\[FILE_UNUSABLE\] what this prints .*\n(?!.*FILE_UNUSABLE)/);
    expect(events(repo)).toContain('"event":"stop_ordered","by":"gone"');
  },
);

it("a reader that goes away ends it in order too", async () => {
  const { repo, child } = await atWork();
  child.stdout!.destroy();
  child.stderr!.destroy();
  // its next word finds nobody
  spawnSync(process.execPath, [CLI, "cancel", "task-1", "-m", "enough", "--yes"], { cwd: repo, env: ENV });
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  expect(events(repo)).toContain('"event":"stop_ordered","by":"gone"');
}, 60_000);

it.runIf(existsSync("/proc/self/fdinfo"))(
  "under nohup a closed terminal ends nothing",
  async () => {
    // what nohup makes of a terminal as stdin
    const unreadable = openSync("/dev/null", "w");
    onTestFinished(() => closeSync(unreadable));
    const { repo, child, said } = await atWork(unreadable);
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    await once(child, "close");
    expect(said()).toContain("Stopped by SIGTERM");
    expect(events(repo)).not.toContain("SIGHUP");
  },
  60_000,
);
