import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLine } from "../../../../test/support/command-line.ts";
import { repository } from "../../../../test/support/scratch.ts";
import { workRun } from "../../worker/work-runs.ts";

test.each([
  ["a model without its key", "anthropic/some", 4, /error\[MODEL_KEY_MISSING\][\s\S]*export ANTHROPIC_API_KEY=/],
  ["a model that nobody knows", "nope", 2, /error\[MODEL_NAME\] "nope" is no model of pawl.yaml/],
])("%s: nothing is begun, no worktree is made", async (_, model, code, text) => {
  const { repo } = repository({ "T.md": "# Fix it\n\nDo it.\n" });
  const said = await commandLine(repo, ["work", "T.md", "--model", model]);
  expect(said).toMatchObject({ code, err: expect.stringMatching(text) });
  expect(existsSync(join(repo, ".pawl/worktrees"))).toBe(false);
});

test("who asks the processor's commands about a ticket of pawl work is told how it stands there", async () => {
  const { repo } = repository({ "T.md": "# Fix it\n\nDo it.\n", ".pawl/runs/T/01-work-a1/journal.jsonl": "{}\n" });
  const said = await commandLine(repo, ["why", "T"]);
  expect(said).toMatchObject({ code: 6, err: expect.stringMatching(/T is a ticket of pawl work.* was cut off/) });
  expect(said.err).toContain("the same pawl work command goes on with it");
  const all = await commandLine(repo, ["status"]);
  expect(all).toMatchObject({ code: 3, err: expect.stringMatching(/\.pawl\/runs holds what pawl work did/) });
});

test("a run of a processor's phase that is called work is none of pawl work's", () => {
  const { repo } = repository({
    ".pawl/runs/T/01-work-a1/order.json": "{}",
    ".pawl/runs/U/02-work-a1/journal.jsonl": "",
  });
  const runs = join(repo, ".pawl/runs");
  expect(workRun(runs, "T")).toMatchObject({ visit: 2, isNew: true, before: null });
  expect(workRun(runs, "U")).toMatchObject({ visit: 2, isNew: false });
});

test("a provider that takes no more requests for a while is said with a time that a person can read", async () => {
  const server = createServer((_, reply) => {
    reply.writeHead(429, { "retry-after": "5400", "content-type": "application/json" });
    reply.end('{"error": {"message": "too many requests"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const model = `{provider: openai-compatible, base_url: "http://127.0.0.1:${port}/v1", model: x}`;
  const { repo } = repository({
    "T.md": "# Fix it\n\nDo it.\n",
    "pawl.yaml": `models: {mind: ${model}}\nchecks: ["true"]\n`,
  });
  const said = await commandLine(repo, ["work", "T.md", "--model", "mind"]);
  expect(said.code).toBe(5);
  expect(said.err).toMatch(/^waits +.*; until (\d+ \w+ )?\d\d:\d\d \(1h\d\dm\); the same command goes on$/m);
  expect(said.err).not.toMatch(/\d{4}-\d\d-\d\dT/);
});
