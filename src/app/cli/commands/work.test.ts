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
