import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { until } from "../../../test/support/host.ts";
import { IS_LONG } from "../../../test/support/long.ts";
import { program } from "../../../test/support/program.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { shows } from "../../../test/support/shows.ts";
import type { CommandOrder, CommandResult } from "../../ports/commands.ts";
import { USUAL_IDLE_MS, USUAL_TIMEOUT_MS } from "../../workspace/commands/order.ts";
import { systemClock } from "./clock.ts";
import { systemCommands } from "./command.ts";
import { systemProcesses } from "./processes.ts";

/** What a command pours out: many times of what it may cost. */
const FLOOD = IS_LONG ? 1_000_000_000 : 200_000_000;
const SECRET = "tr0ub4dor and 3";
const processes = systemProcesses();
const commands = systemCommands({
  processes,
  clock: systemClock(),
  env: { PATH: process.env.PATH, HOME: "/nonexistent", MY_API_TOKEN: SECRET, GIT_DIR: "/nonexistent", UNLISTED: "x" },
  names: ["PATH", "HOME"],
});
const run = (cmd: CommandOrder["cmd"], order: Partial<CommandOrder> = {}): Promise<CommandResult> =>
  commands.run({ cmd, cwd: "/", ...order });

/** A variable that a test's processes carry, to see whether one is left. */
const marked = (value: string) => ({ env: { PAWL_TEST_COMMAND: value } });
const left = (value: string) => processes.withEnv("PAWL_TEST_COMMAND", value);

describe("a command's end is a result", () => {
  it("WRK-7.1 cmd, cwd, env and timeout go in; success, exit_code, stdout, stderr, duration_ms come out", async () => {
    const cwd = scratch();
    const result = await run('pwd; echo "$COLOUR" >&2; exit 3', { cwd, env: { COLOUR: "red" }, timeoutMs: 60_000 });
    expect(result).toEqual({
      success: false,
      exit_code: 3,
      ending: "exit",
      stdout: `${realpathSync(cwd)}\n`,
      stderr: "red\n",
      duration_ms: result.duration_ms,
    });
    shows("WRK-7.1", 1);
    expect(result.duration_ms).toBeGreaterThan(0);
    expect(await run("true")).toMatchObject({ success: true, exit_code: 0, ending: "exit" });
    shows("WRK-7.1", 2);
  });

  it("a list is run as it is, without a shell", async () => {
    expect((await run(["printf", "%s|", "$HOME", "a b", "*"])).stdout).toBe("$HOME|a b|*|");
  });

  it("ended by a signal it has no exit code of its own", async () => {
    expect(await run("kill -SEGV $$")).toMatchObject({
      success: false,
      exit_code: -1,
      ending: "killed",
      why: "was ended by SIGSEGV",
    });
    expect(await run("exit 137")).toMatchObject({ exit_code: 137, ending: "exit" });
  });

  it.each<[string, CommandOrder["cmd"], string]>([
    ["a program that is not there", ["no-such-program-here"], "there is no program no-such-program-here"],
    ["a file that is no program", ["/etc/passwd"], "/etc/passwd is no program that may be run"],
    [
      "more arguments than fit",
      ["echo", ...Array.from({ length: 40 }, () => "x".repeat(100_000))],
      "longer than this machine takes",
    ],
    ["one argument that is too long", ["echo", "x".repeat(200_000)], "longer than this machine takes"],
  ])("what cannot be started says why: %s", async (_, cmd, why) => {
    const result = await run(cmd);
    expect(result).toMatchObject({ success: false, exit_code: -1, ending: "spawn-failed", stdout: "", stderr: "" });
    expect(result.why).toContain(why);
  });

  it("a text longer than an argument may be is run all the same, and leaves no file", async () => {
    const text = `: ${"x".repeat(300_000)}\necho "$0"; exit 4`;
    const result = await run(text);
    expect(result).toMatchObject({ exit_code: 4, ending: "exit" });
    expect(statSync(result.stdout.trim(), { throwIfNoEntry: false })).toBeUndefined();
  });

  it.each<[string, CommandOrder["cmd"], Partial<CommandOrder>]>([
    ["an empty text", "  ", {}],
    ["an empty list", [], {}],
    ["NUL in a text", "echo a\0b", {}],
    ["NUL in an argument", ["echo", "a\0b"], {}],
    ["NUL in a variable", "true", { env: { A: "\0" } }],
    ["a variable without a name", "true", { env: { "": "x" } }],
    ["a variable with = in its name", "true", { env: { "A=B": "x" } }],
    ["no time at all", "true", { timeoutMs: 0 }],
    ["more time than there is", "true", { timeoutMs: 86_400_000 }],
    ["time that is no number", "true", { timeoutMs: Number.NaN }],
  ])("no order is %s", async (_, cmd, order) => {
    await expect(run(cmd, order)).rejects.toMatchObject({ code: "COMMAND_INVALID" });
  });

  it("a folder that is gone, or is none, is told as that", async () => {
    const cwd = join(scratch(), "gone");
    mkdirSync(cwd);
    rmdirSync(cwd);
    await expect(run("true", { cwd })).rejects.toMatchObject({ code: "CWD_MISSING" });
    await expect(run("true", { cwd: "/etc/passwd" })).rejects.toMatchObject({ code: "CWD_MISSING" });
    const other = join(scratch(), "goes");
    mkdirSync(other);
    expect(await run('rmdir "$PWD"; exit 5', { cwd: other })).toMatchObject({ exit_code: 5, ending: "exit" });
  });
});

describe("what it leaves behind is ended", () => {
  const ORPHANS: Readonly<Record<string, string>> = {
    "in its group": "sleep 300 >/dev/null 2>&1 &",
    "in a session of its own": "setsid sleep 300 >/dev/null 2>&1 &",
    "that ignores SIGTERM and SIGHUP": "setsid sh -c 'trap \"\" TERM HUP; sleep 300; sleep 300' >/dev/null 2>&1 &",
    "that has cleared its environment": "env -i setsid sleep 301 >/dev/null 2>&1 & sleep 2",
    "that forks on and on": "setsid sh -c 'while :; do setsid sleep 1 & sleep 0.05; done' >/dev/null 2>&1 &",
  };

  it("WRK-7.1 no orphan is left: in its group, in another session, deaf, without its mark, or forking", async () => {
    const folder = scratch();
    const leave = async ([what, text]: [string, string], i: number) => {
      const result = await run(`${text}\necho "$!" >${folder}/${i}; exit 6`, marked(folder + i));
      expect(result, what).toMatchObject({ exit_code: 6, ending: "exit" });
      expect(result.left_behind, what).toBeGreaterThan(0);
      expect(await left(folder + i), what).toEqual([]);
      expect(await processes.identity(Number(readFileSync(join(folder, `${i}`), "utf8"))), what).toBe("gone");
    };
    await Promise.all(Object.entries(ORPHANS).map(leave));
    shows("WRK-7.1", 3);
  });

  it.concurrent("a grandchild that holds the pipes does not hold the result", async () => {
    const name = `pipes ${process.pid}`;
    const result = await run("(sleep 300; echo late) & echo early", marked(name));
    expect(result).toMatchObject({ exit_code: 0, stdout: "early\n", pipes_held: true, left_behind: 2 });
    expect(result.duration_ms).toBeGreaterThan(1_900);
    expect(result.duration_ms).toBeLessThan(20_000);
    expect(await left(name)).toEqual([]);
  });

  it.concurrent("what a child still says within two seconds is heard", async () => {
    const result = await run("(sleep 0.2; echo late) & echo early");
    expect(result.stdout).toBe("early\nlate\n");
    expect(result.pipes_held).toBeUndefined();
    expect(result.left_behind).toBeUndefined();
  });

  it("a command within a command is ended with it", async () => {
    const name = `nested ${process.pid}`;
    const inner = await program("test/fixtures/command.ts", [
      JSON.stringify({ cmd: "setsid sleep 300 & setsid sleep 300", cwd: "/", ...marked(name) }),
    ]);
    await until(async () => (await left(name)).length > 1, "both are there");
    inner.kill("SIGTERM");
    await inner.gone;
    expect(await left(name)).toEqual([]);
  });
});

describe("a command that does not end", () => {
  it("has ten minutes, and five without output", () => {
    expect([USUAL_TIMEOUT_MS, USUAL_IDLE_MS]).toEqual([600_000, 300_000]);
  });

  it.concurrent("is ended after its time, whatever it left", async () => {
    const name = `timeout ${process.pid}`;
    const result = await run("setsid sleep 300 & echo begun; sleep 300", { timeoutMs: 1_500, ...marked(name) });
    expect(result).toMatchObject({ success: false, exit_code: -1, ending: "timeout", stdout: "begun\n" });
    expect(result.why).toBe("was ended after 1.5 s");
    expect(result.duration_ms).toBeLessThan(12_000);
    expect(await left(name)).toEqual([]);
  });

  it.concurrent("is killed after two seconds where it does not hear SIGTERM", async () => {
    const name = `ignores ${process.pid}`;
    const result = await run("trap '' TERM; while :; do sleep 0.1; done", { timeoutMs: 1_500, ...marked(name) });
    expect(result).toMatchObject({ exit_code: -1, ending: "timeout" });
    expect(result.duration_ms).toBeGreaterThan(2_000);
    expect(await left(name)).toEqual([]);
  });

  it.concurrent("may write down where it stands when it is asked to end", async () => {
    const result = await run("trap 'echo noted; exit 0' TERM; while :; do sleep 0.05; done", { timeoutMs: 1_500 });
    expect(result).toMatchObject({ exit_code: -1, ending: "timeout", stdout: "noted\n", success: false });
  });

  it.concurrent("is ended when it was stopped", async () => {
    expect(await run("kill -STOP $$; sleep 300", { timeoutMs: 1_500 })).toMatchObject({ ending: "timeout" });
  });

  it.concurrent("is ended after its silence, and one that speaks is not", async () => {
    const result = await run("echo a; sleep 300", { idleMs: 1_500 });
    expect(result).toMatchObject({ exit_code: -1, ending: "timeout", why: "was ended after 1.5 s without output" });
    const talks = await run("for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.5; done", { idleMs: 3_000 });
    expect(talks).toMatchObject({ exit_code: 0, ending: "exit" });
  });

  it.concurrent("that seems to ask is told so: from its words nothing else is concluded", async () => {
    const result = await run("printf 'Overwrite? [y/n] '; sleep 300", { idleMs: 1_500 });
    expect(result.why).toContain('it seems to wait for an answer to "Overwrite? [y/n]"');
    expect(await run("printf 'Password: '")).toMatchObject({ ending: "exit", stdout: "Password: " });
  });

  it.concurrent("is cancelled before, at and after its start", async () => {
    const name = `cancel ${process.pid}`;
    const never = await run("echo x", { signal: AbortSignal.abort() });
    expect(never).toMatchObject({ ending: "cancelled", exit_code: -1, stdout: "" });
    const stop = new AbortController();
    const onOutput = () => stop.abort();
    const late = await run("echo x; sleep 300", { signal: stop.signal, onOutput, ...marked(name) });
    expect(late).toMatchObject({ ending: "cancelled", exit_code: -1, stdout: "x\n", why: "was cancelled" });
    expect(await left(name)).toEqual([]);
    const early = new AbortController();
    const running = run("sleep 300", { signal: early.signal });
    early.abort();
    expect((await running).ending).toBe("cancelled");
  });
});

describe("nobody is asked", () => {
  it("it has no input", async () => {
    expect(await run('read -r line; echo "$? $line"; cat')).toMatchObject({ stdout: "1 \n", ending: "exit" });
  });

  it("it has no terminal, not even by its name", async () => {
    const result = await run("(: </dev/tty) 2>&1 || echo none; ps -o sid= -p $$");
    expect(result.stdout).toMatch(/none\n\s*\d+\n$/);
  });

  it("git, ssh, npm, pip, apt and pagers are told not to ask", async () => {
    const { stdout } = await run("env");
    const env = new Map(stdout.split("\n").map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]));
    for (const [name, value] of Object.entries({
      CI: "1",
      DEBIAN_FRONTEND: "noninteractive",
      npm_config_yes: "true",
      GIT_TERMINAL_PROMPT: "0",
      GIT_ASKPASS: "/bin/false",
      SSH_ASKPASS: "/bin/false",
      SSH_ASKPASS_REQUIRE: "force",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
      GCM_INTERACTIVE: "never",
      GIT_PAGER: "cat",
      PAGER: "cat",
      GIT_EDITOR: ":",
      PIP_NO_INPUT: "1",
      TERM: "dumb",
    }))
      expect([name, env.get(name)]).toEqual([name, value]);
  });
});

describe("its environment", () => {
  it("is what is allowed by name: no secret, no git repository of ours; what the order gives goes first", async () => {
    const { stdout } = await run("env", { env: { HOME: "/other", GIT_AUTHOR_NAME: "Jo" } });
    expect(stdout).not.toMatch(/MY_API_TOKEN|UNLISTED|GIT_DIR/);
    expect(stdout).toContain("HOME=/other\n");
    expect(stdout).toContain("GIT_AUTHOR_NAME=Jo\n");
  });
});

describe("its output", () => {
  it("keeps two fifths at its beginning and three at its end, in bytes, and says what is left out", async () => {
    const result = await run("yes 0123456789 | head -c 1000000; echo the end");
    expect(Buffer.byteLength(result.stdout)).toBeLessThan(66_000);
    expect(result.stdout.startsWith("0123456789\n0123")).toBe(true);
    expect(result.stdout.endsWith("the end\n")).toBe(true);
    const [head, tail] = result.stdout.split(/\n\[\d+ bytes left out\]\n/);
    expect(head!.length / (head!.length + tail!.length)).toBeCloseTo(0.4, 2);
    expect(result.cut).toEqual({ stdout: 1_000_008 - 65_536, stderr: 0 });
  });

  it("of one line without an end is cut too", async () => {
    const result = await run("head -c 300000 /dev/zero | tr '\\0' x; printf failure");
    expect(result.stdout.length).toBeLessThan(66_000);
    expect(result.stdout.endsWith("xfailure")).toBe(true);
  });

  it("has whole characters, wherever it is cut, and each stream has its own", async () => {
    const script = `
      const wait = () => new Promise((next) => setTimeout(next, 20));
      const bytes = Buffer.from("ä€😀");
      for (const byte of bytes) {
        process.stdout.write(Buffer.from([byte]));
        process.stderr.write(Buffer.from([byte]));
        await wait();
      }`;
    const result = await run([process.execPath, "--input-type=module", "-e", script]);
    expect([result.stdout, result.stderr]).toEqual(["ä€😀", "ä€😀"]);
    for (const shift of ["", "x", "xx", "xxx"]) {
      const cut = await run(`printf '${shift}'; yes '😀' | tr -d '\\n' | head -c 400000`);
      expect(cut.stdout.replace(/\[\d+ bytes left out\]/, "")).toMatch(/^[x😀\n]*$/u);
    }
  });

  it("has no orders to a terminal, and NUL and other control characters can be seen", async () => {
    const colours = await run("printf '\\033[31mred\\033[0m \\033]0;title\\007\\r\\nbell\\007 \\033[2Jx'");
    expect(colours.stdout).toBe("red \nbell\\x07 x");
    // far behind the part by which it is known to be text
    const nul = await run("yes text | head -c 9000; printf 'a\\000b'");
    expect(nul.stdout.endsWith("a\\x00b")).toBe(true);
    const early = await run("printf 'one\\ntwo\\nx\\000y\\nFAIL: test_a\\n'");
    expect(early.stdout).toBe("one\ntwo\nx\\x00y\nFAIL: test_a\n");
  });

  it("that is no text is told by its size and sum", async () => {
    const result = await run("head -c 200000 /dev/zero; printf oops >&2");
    const sum = execFileSync("sh", ["-c", "head -c 200000 /dev/zero | sha256sum"], { encoding: "utf8" }).split(" ")[0];
    expect(result.stdout).toBe(`[binary 200000 bytes sha256:${sum}]`);
    expect(result.stderr).toBe("oops");
    expect(result.cut).toBeUndefined();
  });

  it("WRK-7.2 comes as it is written, and all of it is in a log file of the owner's", async () => {
    const logFile = join(scratch(), "command.log");
    const seen: string[] = [];
    const onOutput = ({ stream, bytes }: { stream: string; bytes: Uint8Array }) =>
      void seen.push(`${stream} ${Buffer.from(bytes)}`);
    const result = await run("echo one; sleep 0.2; echo two >&2; sleep 0.2; printf last.", { logFile, onOutput });
    expect(seen).toEqual(["stdout one\n", "stderr two\n", "stdout last."]);
    shows("WRK-7.2", 1);
    expect(readFileSync(logFile, "utf8")).toBe("one\ntwo\nlast.");
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
    expect(result.log).toBe(logFile);
    shows("WRK-7.2", 2);
  });

  it("is not cut in its log until that has 64 MiB", async () => {
    const logFile = join(scratch(), "command.log");
    const result = await run("yes 0123456789 | head -c 70000000; echo the end", { logFile });
    expect(statSync(logFile).size).toBeLessThanOrEqual(64 * 1024 * 1024 + 100);
    expect(result.log_cut).toBeGreaterThan(2_000_000);
    expect(readFileSync(logFile).subarray(-9).toString()).toMatch(/the end\n$/);
  });

  it("waits for its reader, and nothing gets lost", async () => {
    let size = 0;
    const onOutput = async ({ bytes }: { bytes: Uint8Array }) => {
      size += bytes.length;
      await new Promise((next) => setTimeout(next, 30));
    };
    const result = await run("head -c 3000000 /dev/zero", { onOutput, idleMs: 5_000 });
    expect(result.ending).toBe("exit");
    expect(size).toBe(3_000_000);
  });

  it("goes on where its reader fails", async () => {
    const onOutput = () => {
      throw new Error("the reader is broken");
    };
    expect((await run("echo a; echo b", { onOutput })).stdout).toBe("a\nb\n");
  });

  it("WRK-7.2 has no secret in what is kept, sent or logged", async () => {
    const logFile = join(scratch(), "command.log");
    const seen: Uint8Array[] = [];
    const order = {
      logFile,
      onOutput: ({ bytes }: { bytes: Uint8Array }) => void seen.push(bytes),
      env: { A_PASSWORD: "given with it" },
    };
    const half = SECRET.slice(0, 7);
    const result = await run(
      `printf '${half}'; sleep 0.2; echo '${SECRET.slice(7)}' "$A_PASSWORD"; echo '${SECRET}' >&2`,
      order,
    );
    const kept = [result.stdout, result.stderr, readFileSync(logFile, "utf8"), Buffer.concat(seen).toString()];
    for (const text of kept) {
      expect(text).toContain("[redacted MY_API_TOKEN]");
      expect(text).not.toContain(half);
      expect(text).not.toContain("given with it");
    }
    expect(result.stdout).toContain("[redacted A_PASSWORD]");
    shows("WRK-7.2", 4);
  });

  it(`of ${FLOOD / 1e6} MB costs less than 20 MB`, async () => {
    const order = {
      cmd: `yes 'a line of some words, as programs write them' | head -c ${FLOOD}`,
      cwd: "/",
      idleMs: 60_000,
    };
    const flood = await program("test/fixtures/command.ts", [JSON.stringify(order), "measure"]);
    const { grewBy, result } = JSON.parse((await flood.line())!);
    expect(result).toMatchObject({ ending: "exit", cut: { stdout: FLOOD - 65_536 } });
    expect(grewBy).toBeLessThan(20_000_000);
  }, 120_000);
});

describe("state comes from the process, never from its words", () => {
  it("one that says it has failed has not, and one that closes its output goes on", async () => {
    expect(await run("echo 'error: exit code 1'; exit 0")).toMatchObject({ success: true });
    const folder = scratch();
    const quiet = await run(`exec >&- 2>&-; sleep 0.5; echo done >${folder}/x; exit 7`);
    expect(quiet).toMatchObject({ exit_code: 7, ending: "exit" });
    writeFileSync(join(folder, "y"), "");
    expect(readFileSync(join(folder, "x"), "utf8")).toBe("done\n");
  });
});
