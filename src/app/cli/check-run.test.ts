import { describe, expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import { type CheckEnd, runCheck } from "./check-run.ts";
import { keepOutput } from "./kept-output.ts";

const run = (
  command: string | readonly string[],
  of: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<CheckEnd> =>
  runCheck(
    { run: command, timeoutMs: of.timeoutMs ?? 20_000, when: [] },
    { cwd: scratch(), env: process.env, signal: of.signal ?? new AbortController().signal, echo: () => undefined },
  );

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe("a check", () => {
  test("ends with its exit code, and both its outputs are kept", async () => {
    expect(await run("echo one; echo two >&2; exit 3")).toMatchObject({ ending: "exit", code: 3, why: "exited 3" });
    const { output } = await run(["sh", "-c", "echo one; echo two >&2"]);
    expect(output.split("\n").sort()).toEqual(["", "one", "two"]);
  });

  test("that cannot be started is a result, not an exception", async () => {
    expect(await run(["/no/such/program"])).toMatchObject({ ending: "spawn-failed", code: null });
  });

  test("gets no input to wait for", async () => {
    expect(await run("cat; echo end")).toMatchObject({ ending: "exit", code: 0, output: "end\n" });
  });

  test("that takes too long is ended with all of its group, also what ignores TERM", async () => {
    const end = await run(
      "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait; while :; do sleep 1; done",
      { timeoutMs: 400 },
    );
    expect(end).toMatchObject({ ending: "timeout", why: "timed out after 0.4s" });
    const pid = Number(end.output.trim());
    await expect.poll(() => isGone(pid), { timeout: 5_000 }).toBe(true);
  });

  test("that leaves a child which holds the pipe does not wait for it", async () => {
    const end = await run("sleep 30 & echo $!; exit 1");
    expect(end).toMatchObject({ ending: "exit", code: 1 });
    expect(end.ms).toBeLessThan(15_000);
    process.kill(Number(end.output.trim()), "SIGKILL");
  });

  test("is ended when somebody cancels", async () => {
    const stop = new AbortController();
    const end = run("sleep 30", { signal: stop.signal });
    stop.abort();
    expect(await end).toMatchObject({ ending: "cancelled" });
  });

  test("that floods its output is kept to its beginning and its end, and what is left out is counted", async () => {
    const { output } = await run("echo first; yes 0123456789 | head -c 5000000; echo last");
    expect(output.length).toBeLessThan(70_000);
    expect(output).toMatch(/^first\n/);
    expect(output).toMatch(/last\n$/);
    expect(output).toMatch(/\n\[49\d{5} bytes left out\]\n/);
  });
});

test("kept output cuts no character in two", () => {
  const kept = keepOutput(20);
  for (let i = 0; i < 20; i++) kept.push(Buffer.from("é"));
  expect(kept.text()).toBe(`${"é".repeat(4)}\n[20 bytes left out]\n${"é".repeat(6)}`);
  const short = keepOutput(20);
  short.push(Buffer.from("x".repeat(20)));
  expect(short.text()).toBe("x".repeat(20));
});
