import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandOrder, Commands } from "../../src/ports/commands.ts";
import type { Processes } from "../../src/ports/system.ts";
import { scratch } from "../support/scratch.ts";

/** Commands that find these variables of ours, of which only PATH is passed on; the token is a secret. */
export const CONTRACT_ENV = {
  PATH: process.env.PATH,
  UNLISTED: "unlisted",
  GIT_DIR: "/nowhere",
  MY_TOKEN: "0pen-sesame-now",
};
const KEPT = 64 * 1024;

/** What every port to commands does. */
export function commandsContract(label: string, commands: Commands, processes: Processes): void {
  const run = (cmd: CommandOrder["cmd"], order: Partial<CommandOrder> = {}) =>
    commands.run({ cmd, cwd: "/", ...order });
  const marked = async (mark: string, cmd: string, order: Partial<CommandOrder> = {}) => {
    const result = await run(cmd, { ...order, env: { PAWL_CONTRACT: mark } });
    return { result, left: await processes.withEnv("PAWL_CONTRACT", mark) };
  };

  describe(`commands: ${label}`, () => {
    it("gives a result for every end, whatever the exit code", async () => {
      expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
        success: false,
        exit_code: 3,
        ending: "exit",
        stdout: "out\n",
        stderr: "err\n",
      });
      expect(await run("true")).toMatchObject({ success: true, exit_code: 0, ending: "exit" });
      expect(await run("kill -KILL $$")).toMatchObject({ success: false, exit_code: -1, ending: "killed" });
      expect(await run(["/no/such/program"])).toMatchObject({ success: false, exit_code: -1, ending: "spawn-failed" });
      const aborted = AbortSignal.abort();
      expect(await run("true", { signal: aborted })).toMatchObject({ exit_code: -1, ending: "cancelled" });
    });

    it("throws what cannot be an order", async () => {
      for (const cmd of ["", "  ", [], [""], "a\0b", ["a", "b\0"]])
        await expect(run(cmd)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
      for (const bound of [{ timeoutMs: 0 }, { timeoutMs: 7_200_001 }, { idleMs: Number.NaN }])
        await expect(run("true", bound)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
      await expect(run("true", { cwd: "/no/such/folder" })).rejects.toMatchObject({ code: "CWD_MISSING" });
    });

    it("runs a text through a shell and a list as it is, without terminal or input, with the variables that are passed on", async () => {
      expect((await run(["printf", "%s|", "$HOME", "a  b", "*"])).stdout).toBe("$HOME|a  b|*|");
      expect((await run("cat; test -t 0 || echo none; (: </dev/tty) 2>/dev/null || echo none")).stdout).toBe(
        "none\nnone\n",
      );
      const seen = 'echo "[$UNLISTED][$GIT_DIR][$CI][$GIVEN]"';
      expect((await run(seen, { env: { GIVEN: "given" } })).stdout).toBe("[][][1][given]\n");
    });

    it("keeps beginning and end of an output, says what it left out, and hands on and logs all of it", async () => {
      const logFile = join(scratch(), "log");
      let handed = 0;
      const result = await run("echo first; yes | head -c 300000; echo last", {
        logFile,
        onOutput: ({ bytes }) => {
          handed += bytes.length;
        },
      });
      expect(Buffer.byteLength(result.stdout)).toBeLessThanOrEqual(KEPT + 200);
      expect([result.stdout.startsWith("first\n"), result.stdout.endsWith("last\n")]).toEqual([true, true]);
      expect(result.cut!.stdout).toBeGreaterThan(300_000 - KEPT - 200);
      expect([handed, readFileSync(logFile).length, result.log]).toEqual([300_011, 300_011, logFile]);
    });

    it("takes secrets out of all that it keeps or hands on", async () => {
      const logFile = join(scratch(), "log");
      let handed = "";
      const result = await run(`echo ${CONTRACT_ENV.MY_TOKEN}`, {
        logFile,
        onOutput: ({ bytes }) => {
          handed += Buffer.from(bytes).toString();
        },
      });
      for (const text of [result.stdout, handed, readFileSync(logFile, "utf8")])
        expect([text.includes(CONTRACT_ENV.MY_TOKEN), text]).toEqual([false, expect.stringContaining("redacted")]);
    });

    it("leaves nothing behind: not in the background, not in another session, not after a time-out or a cancel", async () => {
      const behind = await marked("behind", "setsid sleep 300 & sleep 300 & echo done");
      expect(behind).toMatchObject({ result: { ending: "exit", stdout: "done\n", pipes_held: true }, left: [] });
      expect(behind.result.left_behind).toBeGreaterThan(0);
      const late = await marked("late", "trap '' TERM; setsid sleep 300 & sleep 300", { timeoutMs: 300 });
      expect(late).toMatchObject({ result: { ending: "timeout", exit_code: -1 }, left: [] });
      const idle = await marked("idle", "echo once; sleep 300", { idleMs: 300 });
      expect(idle).toMatchObject({ result: { ending: "timeout", stdout: "once\n" }, left: [] });
      const stop = new AbortController();
      const cancelled = await marked("cancelled", "echo started; sleep 300", {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      });
      expect(cancelled).toMatchObject({ result: { ending: "cancelled", stdout: "started\n" }, left: [] });
    });
  });
}
