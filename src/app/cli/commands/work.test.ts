import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../../../../test/support/command-line.ts";
import { repository } from "../../../../test/support/scratch.ts";

test.each([
  ["a model without its key", "anthropic/some", 4, /error\[MODEL_KEY_MISSING\][\s\S]*export ANTHROPIC_API_KEY=/],
  ["a model that nobody knows", "nope", 2, /error\[MODEL_NAME\] "nope" is no model of pawl.yaml/],
])("%s: nothing is begun, no worktree is made", async (_, model, code, text) => {
  const { repo } = repository({ "T.md": "# Fix it\n\nDo it.\n" });
  const said = await commandLine(repo, ["work", "T.md", "--model", model]);
  expect(said).toMatchObject({ code, err: expect.stringMatching(text) });
  expect(existsSync(join(repo, ".pawl/worktrees"))).toBe(false);
});

test("who asks the processor's commands about a ticket of pawl work is told where that keeps it", async () => {
  const { repo } = repository({ "T.md": "# Fix it\n\nDo it.\n", ".pawl/runs/T/01-work-a1/journal.jsonl": "{}\n" });
  const said = await commandLine(repo, ["why", "T"]);
  expect(said).toMatchObject({ code: 3, err: expect.stringMatching(/\.pawl\/runs holds what pawl work did/) });
  expect(said.err).toContain("the same pawl work command says how its ticket stands");
});
