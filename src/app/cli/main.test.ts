import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { repository, scratch } from "../../../test/support/scratch.ts";
import { DECLARED } from "./declared.ts";
import { EXIT } from "./exit-code.ts";
import { runProgram } from "./program.ts";

const CLI = resolve("dist/cli.mjs");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

function pawl(args: readonly string[], cwd = scratch()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

describe("the built program", () => {
  test("says its version without loading a command", () => {
    expect(pawl(["--version"])).toEqual({ status: 0, stdout: `pawl ${version}\n`, stderr: "" });
    expect(JSON.parse(pawl(["--version", "--json"]).stdout)).toEqual({ ok: true, version });
  });

  test("finds its own maps and roles, wherever it is called", () => {
    const { repo } = repository({ "pawl.yaml": "agents: {default: {command: git status}}\n", "a/b.txt": "" });
    expect(pawl(["explain", "auto"], join(repo, "a"))).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("map auto (built-in) · 5 phases"),
    });
  });

  test("a driver is told how it is started, before any command is looked at", () => {
    expect(pawl(["drive", "command"])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("is started by pawl run"),
    });
  });

  test("Ctrl+C ends a command that does not listen itself with 130, and not by the signal", async () => {
    const server = createServer(() => child.kill("SIGINT"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { repo } = repository({
      "pawl.yaml": `agents: {default: {command: x}}\nintake: [{github: {repo: a/b, label: x, base_url: "${address}"}}]\n`,
    });
    const env = { PATH: process.env.PATH, HOME: repo, GITHUB_TOKEN: "t" };
    const child = spawn(process.execPath, [CLI, "sync"], { cwd: repo, env, stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([130, null]);
  });

  test("a reader that goes away early is no error", async () => {
    const child = spawn(process.execPath, [CLI, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    // Closed before the program has even started: its first word finds nobody.
    child.stdout.destroy();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, said]).toEqual([0, ""]);
  });
});

async function here(
  args: readonly string[],
  of: { cwd?: string; env?: Record<string, string>; out?: (text: string) => void } = {},
) {
  let [out, err] = ["", ""];
  const stdout = { write: of.out ?? ((text: string) => (out += text)) };
  const streams = { stdin: {}, stdout, stderr: { write: (text: string | Uint8Array) => (err += text) } };
  const code = await runProgram(args, {
    cwd: of.cwd ?? scratch(),
    env: { PATH: process.env.PATH, ...of.env },
    streams,
  });
  return { code, out, err };
}

describe("the command line", () => {
  test.each([
    [["statsu"], "unknown command 'statsu'", "write status, or see pawl --help"],
    [["approve"], "missing required argument 'task'", "pawl approve --help"],
    [["add", "x", "--dpe", "y"], "unknown option '--dpe'", "write --dep, or see pawl add --help"],
    [["status", "x", "y"], "too many arguments", "pawl status --help"],
    [["--repo"], "argument missing", "pawl --help"],
    [["validate", "--store", "mysql://x"], "PostgreSQL server only", "write postgres://USER@HOST/DATABASE"],
    [["run", "--workers", "many"], "from 1 to 9999", "pawl run --workers 4"],
  ])("%j is refused with a word about what is meant", async (args, what, next) => {
    const { code, err, out } = await here(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(what);
    expect(err).toContain(`next: ${next}`);
  });

  test("a wrong usage with --json is a document too", async () => {
    const { out, err } = await here(["statsu", "--json"]);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({ ok: false, errors: [{ code: "USAGE", file: null }] });
  });

  test("without a command, and with --help, every command is named in its group", async () => {
    const { code, out } = await here([]);
    expect(code).toBe(0);
    expect((await here(["--help"])).out).toBe(out);
    for (const { usage } of DECLARED) expect(out).toContain(`  ${usage.split(" ")[0]}`);
    expect(out.match(/^[A-Z][a-z ]+:/gm)).toEqual([
      "Usage:",
      "Options:",
      "Start:",
      "Run:",
      "Look:",
      "Decide:",
      "Hands:",
      "Device:",
      "In a worker:",
      "Store:",
      "Commands:",
      "Exit codes:",
    ]);
    for (const exit of Object.values(EXIT)) expect(out).toMatch(new RegExp(`^ {2}${exit} +\\w`, "m"));
    expect((await here(["why", "--help"])).out).toMatch(
      /Exit codes:\n {2}0 {2}done\n {2}2 [\s\S]*\n {2}6 {2}no such task or run\n/,
    );
  });

  test("whatever is asked with --json, the answer is a document", async () => {
    const { repo } = repository({
      "pawl.yaml": "agents: {default: {command: git status}}\nchecks: [git --version]\n",
      "tasks/task-1.md": "---\ntitle: x\n---\n",
    });
    const lines = DECLARED.map(({ usage }) =>
      usage
        .replace(/<task>/, "task-1")
        .replace(/[<[].*/, "")
        .trim()
        .split(" "),
    );
    const more = [
      ["--help"],
      ["--version"],
      [],
      ["run", "--help"],
      ["run", "--dry"],
      ["explain", "--mermaid"],
      ["help"],
    ];
    const asked = [
      ...lines.filter(([name]) => name !== "run"),
      ...more,
      ["add", "y"],
      ["run", "--nope"],
      ["verdict", "pass"],
    ];
    for (const line of asked) {
      const { out, err } = await here([...line, "--json"], { cwd: repo });
      expect([line, typeof JSON.parse(out).ok]).toEqual([line, "boolean"]);
      expect([line, err]).toEqual([line, line[0] === "init" || line[0] === "check" ? expect.anything() : ""]);
    }
  });

  test("what ends a stream of lines with an error is a line too", async () => {
    const { out } = await here(["run", "--json"], { cwd: scratch() });
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, errors: [{ code: "REPO_MISSING" }] });
  });

  test("every command has a file that can be loaded", async () => {
    for (const { load, usage } of DECLARED) expect([usage, typeof (await load()).run]).toEqual([usage, "function"]);
  });

  test("global flags stand before or behind the command", async () => {
    const { repo } = repository({ "pawl.yaml": "agents: {default: {command: x}}\n" });
    const at = scratch();
    expect((await here(["--repo", repo, "--json", "validate"], { cwd: at })).out).toContain('"ok": true');
    expect((await here(["validate", "--json", "--repo", repo], { cwd: at })).out).toContain('"ok": true');
    expect((await here(["validate", "--json"], { cwd: at, env: { PAWL_REPO: repo } })).out).toContain('"ok": true');
  });

  test("colours come with FORCE_COLOR and go with NO_COLOR and --no-color", async () => {
    const { repo } = repository({
      "pawl.yaml": "agents: {default: {command: x}}\nchecks: [x]\n",
      "tasks/a.md": "---\ntitle: x\n---\n",
    });
    const run = async (args: readonly string[], env: Record<string, string>) =>
      (await here(["validate", ...args], { cwd: repo, env })).out;
    expect(await run([], { FORCE_COLOR: "1" })).toBe("\u001b[32mok\u001b[39m  pawl.yaml, map default, 1 task\n");
    expect(await run([], { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe("ok  pawl.yaml, map default, 1 task\n");
    expect(await run(["--no-color"], { FORCE_COLOR: "1" })).toBe("ok  pawl.yaml, map default, 1 task\n");
  });

  test("a fault of Pawl's own ends with 70 and leaves a report, in .pawl where that is", async () => {
    const { repo } = repository({ "pawl.yaml": "agents: {default: {command: x}}\n", ".pawl/.gitignore": "*\n" });
    const out = (): void => {
      throw new TypeError("the stream is possessed");
    };
    const { code, err } = await here(["validate"], { cwd: repo, out });
    expect(code).toBe(70);
    const report = /^next: send (\S+) to those who make Pawl/m.exec(err)?.[1];
    expect(err).toContain("error[FAULT] this is a fault in Pawl, not of yours: the stream is possessed");
    expect(report).toMatch(new RegExp(`^${repo}/\\.pawl/fault-`));
    expect(existsSync(report!)).toBe(true);
    expect(readFileSync(report!, "utf8")).toMatch(
      /^pawl 0[\s\S]*command: pawl "validate"[\s\S]*TypeError: the stream is possessed\n {4}at /,
    );
  });
});
