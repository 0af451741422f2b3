import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { repository, scratch } from "../../../test/support/scratch.ts";
import { readConfiguration } from "../config/reading.ts";
import { lookAtAgents } from "./doctor-agents.ts";

/** Programs of these names, found by PATH. */
function installed(...names: string[]): string {
  const bin = join(scratch(), "bin");
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

async function looks(yaml: string, env: Record<string, string>) {
  const { repo } = repository({ "pawl.yaml": yaml });
  const { cast, file } = await readConfiguration({ repo, overrides: {} });
  return lookAtAgents(cast, file, { env, repo });
}

it("each agent is told with its program; one that is not installed with how to install it", async () => {
  const PATH = installed("gemini", "mine");
  const yaml = "agents: {default: codex, reviewer: gemini, a: {acp: mine --acp}, b: {command: ./b.sh}}\n";
  const all = await looks(yaml, { PATH, GEMINI_API_KEY: "x" });
  expect(all.map(({ name, state }) => `${name} ${state}`)).toEqual([
    "agent a ok",
    "agent b no",
    "agent codex no",
    "agent gemini ok",
    "presets ok",
  ]);
  expect(all[0]?.text).toBe(`mine --acp  (ACP, ${PATH}/mine)`);
  expect(all[2]?.next).toBe("npm install -g @zed-industries/codex-acp, or change agents.codex in pawl.yaml.");
});

it("an agent without a key or a login is told what it lacks; a login is as good as a key", async () => {
  const PATH = installed("codex-acp");
  const HOME = scratch();
  const [without] = await looks("agents: {default: codex}\n", { PATH, HOME });
  expect(without).toMatchObject({ state: "note", next: expect.stringContaining("OPENAI_API_KEY") });
  mkdirSync(join(HOME, ".codex"));
  writeFileSync(join(HOME, ".codex/auth.json"), "{}");
  const [logged, presets] = await looks("agents: {default: codex}\n", { PATH, HOME });
  expect(logged).toMatchObject({ state: "ok" });
  expect(presets?.text).toMatch(/^claude: not installed · codex: ready \(ACP\) · gemini: not installed/);
});
