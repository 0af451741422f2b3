import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { repository } from "../../../test/support/scratch.ts";
import { ENDING_KINDS, ENDINGS } from "../../domain/ending.ts";
import { readConfiguration } from "./reading.ts";

const PAGE = readFileSync("docs/agents.md", "utf8");

async function agentsOf(yaml: string) {
  const { repo } = repository({ "pawl.yaml": yaml });
  const { reading, cast } = await readConfiguration({ repo, overrides: {} });
  expect(reading.errors).toEqual([]);
  return cast.agents;
}

it("what docs/agents.md shows can be written into pawl.yaml", async () => {
  const blocks = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml]) => yaml!);
  expect(blocks.length).toBeGreaterThan(1);
  for (const yaml of blocks) await agentsOf(`${yaml}${yaml.includes("  default:") ? "" : "  default: claude\n"}`);
});

it("an output is read as it is written: a path alone is short for at, and its rule is the verdict", async () => {
  const { default: agent } = await agentsOf(`
agents:
  default:
    command: my-agent --json
    output:
      format: json-lines
      message: result
      tokens: {at: [in, out], each: true}
      cost_usd: cost
      verdict: {PASS: {when: {ok: true, code: 0}}}
`);
  expect(agent).toMatchObject({ verdict: "output" });
  expect(agent?.output).toEqual({
    format: "json-lines",
    message: { at: ["result"] },
    tokens: { at: ["in", "out"], each: true },
    costUsd: { at: ["cost"] },
    verdict: { PASS: { when: { ok: "true", code: "0" } } },
  });
});

it("docs/agents.md names every end of a worker, by the words that Pawl has for it", () => {
  for (const kind of ENDING_KINDS) expect(PAGE).toContain(`| \`${kind}\` | ${ENDINGS[kind].says}`);
});
