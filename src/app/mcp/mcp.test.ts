import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { git, repository } from "../../../test/support/scratch.ts";

const CLI = resolve("dist/cli.mjs");
const env = { PATH: process.env.PATH ?? "", HOME: "/nowhere" };
const FILES = {
  "src/cart.ts": "export function total(prices: number[]): number {\n  return prices.length;\n}\n",
  "src/pay.ts": 'import { total } from "./cart.ts";\nexport const pay = total;\n',
  "deploy.sh": "echo deploy\n",
};

/** A client as others have it, with a server of its own. */
async function connected(repo: string, ...flags: string[]) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, "mcp", ...flags],
    cwd: repo,
    env,
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (part: Buffer) => {
    said += part.toString();
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>, options: { signal?: AbortSignal } = {}) => {
    const result = await client.callTool({ name, arguments: args }, options);
    const [first] = result.content;
    const document = (result.structuredContent ?? {}) as Record<string, unknown>;
    return { isError: result.isError === true, text: first?.type === "text" ? first.text : "", document };
  };
  return { client, call, said: () => said, pid: transport.pid! };
}

/** Waits for a fact. */
async function until(fact: () => boolean): Promise<void> {
  for (let n = 0; !fact(); n++) {
    if (n > 1_000) throw new Error("it did not come");
    await pause(20);
  }
}
const lives = (pid: number): boolean => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(statusOf(pid));
const statusOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "State: Z";
  }
};

const LONG = { cmd: "echo $$ >src/pid; exec sleep 300" };
async function pidIn(repo: string): Promise<number> {
  const file = join(repo, "src/pid");
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  return Number(readFileSync(file, "utf8"));
}

describe("pawl mcp", () => {
  test("tells its tools, each with a schema and what it may do; stdout is the protocol's, the first line goes to stderr", async () => {
    const { repo } = repository(FILES);
    const { client, said } = await connected(repo, "--scope", "src/**", "--scope", "test/**");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "map", "rank", "edit", "exec"]);
    for (const { inputSchema, description, title } of tools)
      expect([
        inputSchema.type,
        Object.keys(inputSchema.properties ?? {}).length > 0,
        Boolean(description && title),
      ]).toEqual(["object", true, true]);
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual([true, true, true, false, false]);
    expect(tools.map(({ annotations }) => annotations?.destructiveHint)).toEqual([false, false, false, true, true]);
    expect(said()).toBe(
      "pawl mcp: 5 tools (search, map, rank, edit, exec), scope src/** test/**\nnext: claude mcp add pawl -- pawl mcp\n",
    );
    const few = await connected(repo, "--tools", "edit, search");
    expect((await few.client.listTools()).tools.map(({ name }) => name)).toEqual(["search", "edit"]);
    await expect(few.call("exec", { cmd: "true" })).rejects.toThrow(/exec/);
  });

  test("WRK-9.1 does what each tool says, within the scope", async () => {
    const { repo } = repository(FILES);
    const { call } = await connected(repo, "--scope", "src/**");
    expect(await call("search", { pattern: "total", types: ["ts"] })).toMatchObject({
      text: expect.stringContaining("src/cart.ts:1:export function total"),
      document: { ok: true, total: 3, matched_files: 2 },
    });
    expect((await call("map", { folder: "src/", tokens: 200 })).text).toMatch(/^src\/cart\.ts .*total/);
    expect((await call("rank", { ticket: "The total of a cart is wrong", limit: 1 })).text).toMatch(
      /^src\/cart\.ts {3}/,
    );
    const diff = JSON.stringify({ edits: [{ op: "replace", path: "src/cart.ts", old: "prices.length", new: "0" }] });
    expect((await call("edit", { edits: diff, dry: true })).text).toContain("+  return 0;");
    const { edits: list } = JSON.parse(diff) as { edits: unknown[] };
    expect((await call("edit", { edits: list, dry: true })).text).toContain("+  return 0;");
    expect(readFileSync(join(repo, "src/cart.ts"), "utf8")).toBe(FILES["src/cart.ts"]);
    expect(await call("edit", { edits: diff })).toMatchObject({ isError: false, document: { ok: true } });
    expect(readFileSync(join(repo, "src/cart.ts"), "utf8")).toContain("return 0;");
    const ran = await call("exec", { cmd: "echo hi; echo x >deploy.sh; exit 3", cwd: "." });
    expect(ran).toMatchObject({
      isError: false,
      text: "exit code 3\nstdout:\nhi\nnote: outside the scope, put back: deploy.sh",
      document: { ok: false, exit_code: 3, scope: { put_back: ["deploy.sh"] } },
    });
    expect(git(repo, "status", "--short")).toBe(" M src/cart.ts");
  });

  test("says what did not work in an answer, with the code that it has everywhere", async () => {
    const { repo } = repository(FILES);
    const { call } = await connected(repo, "--scope", "src/**", "--deny", "git push");
    const edits = (edit: unknown) => ({ edits: JSON.stringify({ edits: [edit] }) });
    for (const [name, args, code] of [
      ["search", { pattern: "(" }, "PATTERN_BAD"],
      ["search", { pattern: "a", paths: ["../.."] }, "OUT_OF_SCOPE"],
      ["search", { pattern: 1 }, "REQUEST_BAD"],
      ["map", { folder: "nowhere" }, "PATH_MISSING"],
      ["rank", { ticket: "x", top: 3 }, "REQUEST_BAD"],
      ["exec", { cmd: "sh -c 'git  push'" }, "COMMAND_DENIED"],
      ["exec", { cmd: "true", cwd: "nowhere" }, "CWD_MISSING"],
      ["exec", {}, "REQUEST_BAD"],
    ] as const) {
      const { isError, text, document } = await call(name, args);
      expect([name, isError, document.errors]).toEqual([name, true, [expect.objectContaining({ code })]]);
      expect(text).toMatch(new RegExp(`^error\\[${code}\\] [\\s\\S]*\\nnext: `));
    }
    expect(await call("edit", edits({ op: "replace", path: "src/pay.ts", old: "none", new: "" }))).toMatchObject({
      isError: true,
      text: expect.stringContaining("error[NOT_FOUND]"),
      document: { ok: false, error: { code: "NOT_FOUND" } },
    });
    expect((await call("edit", edits({ op: "delete", path: "deploy.sh" }))).document).toMatchObject({
      error: { code: "OUT_OF_SCOPE" },
    });
    expect(await call("exec", { cmd: ["no-such-program"] })).toMatchObject({ isError: true });
    const outside = await connected(join(repo, ".."));
    expect((await outside.call("search", { pattern: "a" })).document).toMatchObject({
      errors: [{ code: "REPO_MISSING" }],
    });
  });

  test("a command that is cancelled ends with all that it started, and the server goes on", async () => {
    const { repo } = repository(FILES);
    const { call } = await connected(repo, "--scope", "src/**");
    const stop = new AbortController();
    const running = call("exec", LONG, { signal: stop.signal });
    const pid = await pidIn(repo);
    expect(lives(pid)).toBe(true);
    stop.abort();
    await expect(running).rejects.toThrow();
    await until(() => !lives(pid));
    expect((await call("exec", { cmd: "echo still here" })).text).toContain("still here");
  });

  test.each(["a client that dies", "SIGTERM"])("%s leaves no process behind", async (how) => {
    const { repo } = repository(FILES);
    const server = spawn(process.execPath, [CLI, "mcp"], { cwd: repo, env, stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void server.kill("SIGKILL"));
    const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "dies", version: "1" } };
    say({ id: 1, method: "initialize", params });
    say({ method: "notifications/initialized" });
    say({ id: 2, method: "tools/call", params: { name: "exec", arguments: LONG } });
    const pid = await pidIn(repo);
    const ended = once(server, "exit");
    if (how === "SIGTERM") server.kill("SIGTERM");
    else for (const pipe of [server.stdin, server.stdout]) pipe.destroy();
    await ended;
    expect(lives(pid)).toBe(false);
  });

  test("two servers on one repository lose nothing of each other", async () => {
    const { repo } = repository({ ...FILES, "src/list.txt": "" });
    const both = [await connected(repo, "--scope", "src/**"), await connected(repo, "--scope", "src/**")];
    const edit = (text: string) => ({
      edits: JSON.stringify({ edits: [{ op: "insert", path: "src/list.txt", at: "end", text: `${text}\n` }] }),
    });
    const answers = await Promise.all(
      both.flatMap(({ call }, i) => [
        ...[1, 2, 3].map((n) => call("edit", edit(`${i} ${n}`))),
        call("exec", { cmd: `echo ${i} >src/made${i}` }),
        call("rank", { ticket: "total" }),
      ]),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const lines = readFileSync(join(repo, "src/list.txt"), "utf8").trim().split("\n").sort();
    expect(lines).toEqual(["0 1", "0 2", "0 3", "1 1", "1 2", "1 3"]);
    expect(["src/made0", "src/made1"].map((path) => readFileSync(join(repo, path), "utf8"))).toEqual(["0\n", "1\n"]);
  });
});
