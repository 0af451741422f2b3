import { expect, it } from "vitest";
import { repository } from "../../../test/support/scratch.ts";
import { readConfiguration } from "./reading.ts";

async function agents(yaml: string) {
  const { repo } = repository({ "pawl.yaml": yaml, "tasks/a.md": "---\ntitle: x\n---\nDo it\n" });
  const { reading } = await readConfiguration({ repo, overrides: {} });
  expect(reading.errors).toEqual([]);
  return reading.settings!;
}

it("a preset's name is an agent: its command, its mode, and its own keys", async () => {
  const { agents: all, cast } = await agents("agents: {default: claude, reviewer: codex}\n");
  expect(cast).toMatchObject({ implementer: "claude", reviewer: "codex" });
  expect(all.claude?.command).toEqual(["pawl", "acp-worker", "--mode", "default", "--", "claude-agent-acp"]);
  expect(all.claude?.passes).toContain("ANTHROPIC_API_KEY");
  expect(all.claude?.passes).not.toContain("OPENAI_API_KEY");
  expect(all.codex?.passes).toContain("CODEX_HOME");
  expect(all.claude).toMatchObject({ verdict: "file", prompt: "file", stallMs: 1_200_000 });
});

it("an agent is named by its command: as text, as a list, or with more to it", async () => {
  const { agents: all } = await agents(`
agents:
  default: {acp: gemini --acp}
  a: {acp: [my-agent, "--a b"], permissions: {fetch: reject}, mode: careful, stall: 5m}
  b: {acp: {command: 'KEY=1 my-agent', preset: custom}}
  c: {acp: {preset: gemini, mode: yolo, permissions: {other: ask}, ask_timeout: 2h}, env: {X: "1"}}
`);
  const words = (name: string) => all[name]!.command.slice(2);
  const quirk = ["--quirk", "missing-as-empty"];
  expect(words("default")).toEqual(["--mode", "default", ...quirk, "--", "gemini", "--acp"]);
  expect(all.default?.passes).toContain("GEMINI_API_KEY");
  expect(words("a")).toEqual(["--mode", "careful", "--permit", "fetch=reject", "--", "my-agent", "--a b"]);
  expect(all.a).toMatchObject({ stallMs: 300_000 });
  expect(all.a?.passes).toContain("OPENAI_API_KEY");
  expect(words("b")).toEqual(["--", "/bin/sh", "-c", "exec KEY=1 my-agent"]);
  expect(words("c")).toEqual([
    "--mode",
    "yolo",
    "--permit",
    "other=ask",
    ...quirk,
    "--ask-timeout",
    "7200000",
    "--",
    "gemini",
    "--acp",
  ]);
  expect(all.c?.env).toEqual({ X: "1" });
});

it("an agent of pawl.yaml that is called like a preset counts before it", async () => {
  const { agents: all } = await agents("agents: {default: codex, codex: {command: ./mine.sh}}\n");
  expect(all.codex).toMatchObject({ command: "./mine.sh" });
});
