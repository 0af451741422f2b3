import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { repository, scratch } from "../../test/support/scratch.ts";
import { runProgram } from "./cli/program.ts";
import { readConfiguration } from "./config/reading.ts";
import { notInstalled } from "./not-installed.ts";

/** A PATH with git, and with programs of these names. */
function pathWith(...names: string[]): string {
  const bin = join(scratch(), "bin");
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  return `${bin}:/usr/bin:/bin`;
}

async function pawl(repo: string, PATH: string, ...args: string[]) {
  let [out, err] = ["", ""];
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    stdin: {},
  };
  const code = await runProgram(args, { cwd: repo, env: { PATH, HOME: repo, LANG: "C.UTF-8" }, streams });
  return { code, out, err };
}

it("an agent that plays a role and is not installed is told with how it is, before anything is spawned", async () => {
  const { repo } = repository({ "pawl.yaml": "agents: {default: claude, x: {acp: cody}}\n" });
  const { reading } = await readConfiguration({ repo, overrides: {} });
  const told = (PATH: string) =>
    notInstalled(reading, { env: { PATH }, repo }).map(({ message, next }) => [message, next]);
  expect(told(pathWith())).toEqual([
    [
      "the agent claude cannot begin: there is no program claude-agent-acp",
      "npm install -g @agentclientprotocol/claude-agent-acp, or name another agent in pawl.yaml; pawl doctor shows which are ready.",
    ],
  ]);
  expect(told(pathWith("claude-agent-acp"))).toEqual([]);
});

it("run --dry says it too, and that nothing is lost by it", async () => {
  const { repo } = repository({
    "pawl.yaml": "agents: {default: codex}\n",
    "tasks/a.md": "---\ntitle: x\n---\nDo it\n",
  });
  const { code, err } = await pawl(repo, pathWith(), "run", "--dry");
  expect([code, err]).toEqual([0, expect.stringContaining("npm install -g @zed-industries/codex-acp")]);
});

it("a name that is no agent's is told with those that there are, in pawl.yaml and in a task", async () => {
  const { repo } = repository({
    "pawl.yaml": "agents: {default: claud}\n",
    "tasks/a.md": "---\ntitle: x\nagents: {implementer: gemeni}\n---\nDo it\n",
  });
  const { errors } = (await readConfiguration({ repo, overrides: {} })).reading;
  expect(errors.map(({ code, next }) => [code, next])).toEqual([
    ["AGENT_UNKNOWN", 'write "claude", or {command: "claud"}.'],
    ["AGENT_UNKNOWN", 'write "gemini".'],
  ]);
  expect(JSON.stringify(errors[0])).toContain("known: claude, ");
});

it("nobody is missing where every task names its agent; a draft is none of them, and one that names none lacks it", async () => {
  const task = (agents: string) => `---\ntitle: x\n${agents}---\nDo it\n`;
  const files = {
    "pawl.yaml": "checks: ['true']\n",
    "tasks/a.md": task("agents: {implementer: claude}\n"),
    "tasks/b.md": task("agents: {implementer: gemini}\n"),
    "tasks/c.md": task("draft: true\n"),
  };
  const codes = async (more: Record<string, string>) =>
    (await readConfiguration({ repo: repository({ ...files, ...more }).repo, overrides: {} })).reading.errors.map(
      ({ code }) => code,
    );
  expect(await codes({})).toEqual([]);
  expect(await codes({ "tasks/d.md": task("") })).toEqual(["AGENT_MISSING"]);
});

test("init --agent cluade: an agent that is nearly one of ours is asked about, and nothing is written", async () => {
  const { repo } = repository({});
  const { code, err, out } = await pawl(repo, pathWith(), "init", "--agent", "cluade");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/AGENT_UNKNOWN.*"cluade"[\s\S]*did you mean claude\? pawl init --agent claude/);
  expect((await pawl(repo, pathWith("cluade"), "init", "--agent", "cluade")).code).toBe(0);
});

test("init says of a preset how it is installed, and of a command that is not there that it has to be", async () => {
  const init = async (agent: string, ...there: string[]) =>
    (await pawl(repository({}).repo, pathWith(...there), "init", "--agent", agent)).err;
  expect(await init("gemini")).toContain("gemini is not installed: npm install -g @google/gemini-cli");
  expect(await init("gemini", "gemini")).not.toContain("not installed");
  expect(await init("frobnicate --all")).toContain("there is no program frobnicate here yet");
  expect(await init("./fix.sh")).not.toContain("note:");
  expect(await init("pawl")).not.toContain("note:");
});
