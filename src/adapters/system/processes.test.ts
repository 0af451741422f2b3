import { spawn } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../test/support/host.ts";
import { scratch } from "../../../test/support/scratch.ts";
import type { Identity } from "../../ports/system.ts";
import { commandLine } from "./command-line.ts";
import { parseStat } from "./proc.ts";
import { systemProcesses } from "./processes.ts";

const processes = systemProcesses();

function start(command: string, options: { cwd?: string; env?: Record<string, string> } = {}) {
  const { file, args } = commandLine(command);
  const env = { PATH: process.env.PATH ?? "", ...options.env };
  const child = spawn(file, args, { cwd: options.cwd ?? "/", env, detached: true, stdio: "ignore" });
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, "SIGKILL");
    } catch {
      // all of it has ended
    }
  });
  return child;
}

const who = async (pid: number): Promise<Identity> => {
  const identity = await processes.identity(pid);
  if (typeof identity === "string") throw new Error(`${pid} is ${identity}`);
  return identity;
};

describe("processes", () => {
  it("are the same by pid, start time and boot together", async () => {
    const one = await who(process.pid);
    expect(one).toEqual(processes.self);
    expect(await processes.lives(one)).toBe("alive");
    expect(await processes.lives({ ...one, startedAt: "1" })).toBe("gone");
    expect(await processes.lives({ ...one, bootId: "another" })).toBe("gone");
    expect(await processes.identity(2 ** 22 + 1)).toBe("gone");
  });

  it("may be called anything: the fields come after the last parenthesis", () => {
    const rest = ["R", ...Array.from({ length: 49 }, (_, n) => String(n + 4))];
    expect(parseStat(`42 (a) b) S 1 (x) ${rest.join(" ")}\n`)).toMatchObject({ state: "R", startedAt: "22" });
    expect(() => parseStat("42 (a")).toThrow("not a stat line");
  });

  it("are found by their mark also while they become another program, over and over", async () => {
    const script = join(scratch(), "again.sh");
    writeFileSync(script, 'exec sh "$0"\n');
    const child = start(`exec sh ${script}`, { env: { PAWL_MARK: script } });
    await until(async () => (await processes.withEnv("PAWL_MARK", script)).length === 1, "it began");
    const looks = Array.from({ length: 300 }, () => processes.withEnv("PAWL_MARK", script));
    const missed = (await Promise.all(looks)).filter(([found]) => found?.pid !== child.pid);
    expect(missed).toEqual([]);
  });

  it("that are zombies are gone", async () => {
    // the inner one ends, and its parent, a sleep by then, never asks for its end
    const parent = start("sh -c 'exit 0' & exec sleep 300");
    await until(async () => (await zombiesOf(parent.pid!)).length > 0, "there is a zombie");
    const [zombie] = await zombiesOf(parent.pid!);
    expect(await processes.identity(zombie!)).toBe("gone");
    expect((await processes.members(parent.pid!)).map(({ pid }) => pid)).toEqual([parent.pid]);
  });

  it("are found by a mark in their environment, in whatever session, and by the folder they work in", async () => {
    const folder = scratch();
    symlinkSync(folder, join(folder, "link"));
    const mark = `leg of ${folder}`;
    const child = start("setsid sleep 300 & exec sleep 300", { cwd: folder, env: { PAWL_TEST_MARK: mark } });
    await until(async () => (await processes.withEnv("PAWL_TEST_MARK", mark)).length === 2, "both are there");
    const marked = await processes.withEnv("PAWL_TEST_MARK", mark);
    expect(marked.map(({ pid }) => pid)).toContain(child.pid);
    expect((await processes.within(folder)).map(({ pid }) => pid).sort()).toEqual(marked.map(({ pid }) => pid).sort());
    expect(await processes.withEnv("PAWL_TEST_MARK", mark.slice(0, -1))).toEqual([]);
    expect(await processes.within(folder.slice(0, -1))).toEqual([]);
    for (const one of marked) expect(await processes.signal(one, "SIGKILL", "process")).toBe(true);
  });

  it("below another are found through their parents, in whatever session and with whatever environment", async () => {
    const child = start("env -i setsid sleep 300 & wait");
    await until(async () => (await processes.descendants(child.pid!)).length === 1, "it is there");
    const [below] = await processes.descendants(child.pid!);
    expect(readFileSync(`/proc/${below!.pid}/cmdline`, "latin1")).toMatch(/sleep/);
    await processes.signal(below!, "SIGKILL", "process");
  });

  it("that came after another are found faster, and no others", async () => {
    const env = { PAWL_TEST_MARK: scratch() };
    const first = start("exec sleep 300", { env });
    const second = start("exec sleep 300", { env });
    const startedAfter = async (pid: number) =>
      (await processes.withEnv("PAWL_TEST_MARK", env.PAWL_TEST_MARK, pid)).map((one) => one.pid);
    await until(async () => (await startedAfter(0)).length === 2, "both are there");
    expect(await startedAfter(first.pid!)).toEqual([second.pid]);
    expect(await startedAfter(second.pid!)).toEqual([]);
  });

  it("are signalled only while they are the same, and a group only through its leader", async () => {
    const child = start("sleep 300 & wait");
    await until(async () => (await processes.members(child.pid!)).length === 2, "both are there");
    const leader = await who(child.pid!);
    const member = (await processes.members(child.pid!)).find(({ pid }) => pid !== leader.pid)!;
    expect(await processes.signal({ ...leader, startedAt: "1" }, "SIGKILL", "group")).toBe(false);
    expect(await processes.lives(leader)).toBe("alive");
    expect(await processes.signal(member, "SIGSTOP", "group")).toBe(true);
    expect(await processes.signal(leader, "SIGKILL", "group")).toBe(true);
    await until(async () => (await processes.members(child.pid!)).length === 0, "the group is gone");
    expect(await processes.signal(leader, "SIGKILL", "group")).toBe(false);
  });

  it("say how long they have computed", async () => {
    const child = start("while :; do :; done");
    const busy = await who(child.pid!);
    await until(async () => ((await processes.cpuMs(busy)) ?? 0) > 50, "it has computed");
    expect(await processes.cpuMs({ ...busy, startedAt: "1" })).toBeNull();
  });
});

/** Children of a process that have ended and not been waited for. */
async function zombiesOf(parent: number): Promise<number[]> {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return new RegExp(`\\) Z ${parent} `).test(readFileSync(`/proc/${pid}/stat`, "utf8"));
      } catch {
        return false;
      }
    });
}

describe("a command", () => {
  it("goes through the shell as text, and as it is as a list", () => {
    expect(commandLine("a && b")).toEqual({ file: "/bin/sh", args: ["-c", "a && b"] });
    expect(commandLine(["a", "b c"])).toEqual({ file: "a", args: ["b c"] });
  });

  it.each([[""], ["  "], [[]], [[""]], ["a\0b"], [["a", "\0"]]])("%j is refused", (command) => {
    expect(() => commandLine(command)).toThrow(expect.objectContaining({ code: "COMMAND_INVALID" }));
  });
});
