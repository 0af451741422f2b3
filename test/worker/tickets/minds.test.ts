import { expect, onTestFinished, test } from "vitest";
import { commandLine } from "../../support/command-line.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { repository } from "../../support/scratch.ts";
import { FILES, STORY } from "./add-adds.ts";
import { tell } from "./story.ts";

test("the planner may be another model than the executor: each is asked what is its own", async () => {
  const server = await startModelServer(tell(STORY));
  onTestFinished(() => server.close());
  const at = `provider: openai-compatible, base_url: "${server.url}/v1", key_env: KEY`;
  const models = `models: {hands: {${at}, model: hands-1}, head: {${at}, model: head-1}}\n`;
  const { repo } = repository({ ...FILES, "pawl.yaml": models });
  const args = ["work", "TICKET.md", "--model", "hands", "--planner", "head"];
  expect(await commandLine(repo, args, { KEY: "k" })).toMatchObject({ code: 0 });
  const asked = server.log.map(({ body }) => {
    const { model } = body as { model: string };
    return `${JSON.stringify(body).includes("You are the planner") ? "planner" : "executor"} ${model}`;
  });
  expect(new Set(asked)).toEqual(new Set(["planner head-1", "executor hands-1"]));
}, 60_000);
