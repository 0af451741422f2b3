import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { permit, question, signalsContract } from "../../../test/contracts/signals.contract.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { systemProcesses } from "../system/processes.ts";
import { commandSignal } from "./command-signal.ts";

const PATH = process.env.PATH ?? "";

function command(text: string | readonly string[], options: { timeoutMs?: number; everyMs?: number } = {}) {
  const cwd = scratch();
  let now = 0;
  const make = () => commandSignal({ command: text, everyMs: 60_000, cwd, env: { PATH }, now: () => now, ...options });
  const push = (ms: number) => {
    now += ms;
  };
  const signals = make();
  const ask = async (tasks = ["task-1"], by = signals) =>
    (
      await by.ask(
        tasks.map((task) => question(task)),
        permit,
      )
    ).seen.map(({ answer }) => answer);
  return { cwd, signals, make, push, ask, read: (name: string) => readFileSync(join(cwd, name), "utf8") };
}

signalsContract("a user's command", async () => {
  const { cwd, signals, make } = command(`[ -f "$PAWL_TASK" ] || exit 75; . "./$PAWL_TASK"`);
  return {
    signals,
    another: make,
    answer: async (task, status, message = "") => {
      if (status === null) return;
      writeFileSync(join(cwd, task), `printf '%s' '${message}'\nexit ${status === "approved" ? 0 : 1}\n`);
    },
    settle: async () => undefined,
  };
});

describe("a user's command as a signal", () => {
  it("is told what it is asked about, and nothing of our environment", async () => {
    process.env.PAWL_SECRET_OF_TEST = "x";
    const { ask, read } = command("env > seen; exit 0");
    const [answer] = await ask();
    expect(answer).toMatchObject({ status: "approved", by: "human-approval", message: null });
    const { task, head, branch, base, pr, signal } = question("task-1");
    const wanted = {
      PAWL_TASK: task,
      PAWL_HEAD: head,
      PAWL_BRANCH: branch,
      PAWL_BASE: base,
      PAWL_PR: pr,
      PAWL_SIGNAL: signal,
    };
    const lines = read("seen").split("\n");
    for (const [name, value] of Object.entries(wanted)) expect(lines).toContain(`${name}=${value}`);
    expect(read("seen")).not.toContain("PAWL_SECRET_OF_TEST");
    delete process.env.PAWL_SECRET_OF_TEST;
  });

  it.each([
    ["another exit code", "echo oops >&2; exit 3", /exit code 3.*oops/s],
    ["a signal", "kill -9 $$", /SIGKILL/],
    ["a program that is not there", ["./no-such-program"], /could not be started/],
    ["a command that takes too long", "sleep 60", /ended after 0\.3 s/],
    ["one that ignores TERM", ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"], /ended after 0\.3 s/],
  ])("%s is pending, with a warning", async (_, text, warning) => {
    const { ask } = command(text, { timeoutMs: 300 });
    const [answer] = await ask();
    expect(answer).toMatchObject({ status: "pending", message: expect.stringMatching(warning) });
  });

  it("a command in a folder that is gone is pending, with a warning", async () => {
    const signals = commandSignal({ command: "exit 0", everyMs: 1, cwd: join(scratch(), "gone"), env: { PATH } });
    const { seen } = await signals.ask([question("task-1")], permit);
    expect(seen[0]!.answer).toMatchObject({
      status: "pending",
      message: expect.stringMatching(/could not be started/),
    });
  });

  it.each([
    ["a child that holds its pipe", "sleep 600 & echo $! > pid; echo yes; exit 0", undefined],
    ["a child in a session of its own", "setsid sleep 600 & echo $! > pid; echo yes; exit 0", systemProcesses()],
  ])("leaves no process behind: %s", async (_, text, processes) => {
    const cwd = scratch();
    const signals = commandSignal({ command: text, everyMs: 1, cwd, env: { PATH }, ...(processes && { processes }) });
    const { seen } = await signals.ask([question("task-1")], permit);
    expect(seen[0]!.answer).toMatchObject({ status: "approved", message: "yes" });
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
  });

  it("floods are read to their end and kept to 64 KiB", async () => {
    const { ask } = command("head -c 3000000 /dev/zero | tr '\\0' 'é'; exit 1");
    const [answer] = await ask();
    expect(answer!.status).toBe("rejected");
    expect(answer!.message!.length).toBeLessThanOrEqual(64 * 1024);
  });

  it("is asked once per question and interval, and says when it may be asked again", async () => {
    const { signals, push, ask, read } = command("echo x >> runs; exit 75");
    expect(await ask()).toMatchObject([{ status: "pending" }]);
    push(20_000);
    expect((await signals.ask([question("task-1")], permit)).againAfterMs).toBe(40_000);
    expect(read("runs")).toBe("x\n");
    push(40_000);
    await ask();
    expect(read("runs")).toBe("x\nx\n");
    await signals.ask([question("task-1", "b".repeat(40))], permit);
    expect(read("runs")).toBe("x\nx\nx\n");
  });

  it("runs at most four at once", async () => {
    const tasks = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const text = "mkdir -p on; : > on/$PAWL_TASK; ls on | wc -l > most.$PAWL_TASK; sleep 0.05; rm on/$PAWL_TASK";
    const { cwd, ask, read } = command(text);
    expect(await ask(tasks)).toHaveLength(tasks.length);
    const most = readdirSync(cwd)
      .filter((name) => name.startsWith("most."))
      .map((name) => Number(read(name)));
    expect(most).toHaveLength(tasks.length);
    expect(Math.max(...most)).toBeLessThanOrEqual(4);
  });

  it("cut off by its permit it ends its command and gives no answer", async () => {
    const { cwd, signals } = command("echo $$ > pid; exec sleep 600");
    const stop = new AbortController();
    const asking = signals.ask([question("task-1")], { epoch: 1, signal: stop.signal });
    await expect.poll(() => existsSync(join(cwd, "pid")) && readFileSync(join(cwd, "pid"), "utf8")).toMatch(/\d\n/);
    stop.abort();
    expect((await asking).seen).toEqual([]);
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
