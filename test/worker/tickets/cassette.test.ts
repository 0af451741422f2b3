import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram } from "../../../src/app/cli/program.ts";
import { startModelServer } from "../../support/model-server/server.ts";
import { git, repository, scratch, write } from "../../support/scratch.ts";
import { FILES, STORY, TICKET } from "./add-adds.ts";
import { tell } from "./story.ts";

const KEY = "sk-of-this-test-1234567890";
async function work(files: Record<string, string>, url: string, args: readonly string[]) {
  const { repo } = repository(FILES);
  write(repo, {
    "pawl.yaml": `models: {mind: {provider: openai-compatible, base_url: "${url}/v1", model: mind, key_env: MIND_KEY}}\n`,
    ...files,
  });
  git(repo, "add", ".");
  git(repo, "commit", "-qm", "Setup");
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  const env = { PATH: process.env.PATH, HOME: repo, ...(args.includes("--record") ? { MIND_KEY: KEY } : {}) };
  const code = await runProgram(["work", "TICKET.md", "--model", "mind", ...args], {
    cwd: repo,
    env,
    streams: { stdin: {}, stdout: stream, stderr: stream },
  });
  return { code, said, repo, line: () => git(repo, "show", "pawl/TICKET:src/add.mjs") };
}

test("a run that was recorded is played again without a network and without a key; another ticket does not fit", async () => {
  const server = await startModelServer(tell(STORY), { keys: [KEY] });
  onTestFinished(() => server.close());
  const tape = join(scratch(), "tape.jsonl");
  const recorded = await work({}, server.url, ["--record", tape]);
  expect([recorded.code, recorded.line()]).toEqual([0, "export const add = (a, b) => a + b;"]);
  expect(readFileSync(tape, "utf8")).not.toContain(KEY);
  const asked = server.log.length;

  const nowhere = "http://127.0.0.1:9";
  const played = await work({}, nowhere, ["--replay", tape]);
  expect([played.code, played.line()]).toEqual([0, "export const add = (a, b) => a + b;"]);
  expect(server.log).toHaveLength(asked);

  const other = { "TICKET.md": TICKET.replace("Mend it", "Leave it") };
  const misfit = await work(other, nowhere, ["--replay", tape]);
  expect(misfit.code).toBe(1);
  expect(misfit.said).toContain("error[CASSETTE_MISMATCH]");
  expect(misfit.said).toContain("request 1 is another one");
}, 120_000);

test("a cassette that is not there, and two of them, are refused before anything is begun", async () => {
  const tape = join(scratch(), "none.jsonl");
  const gone = await work({}, "http://127.0.0.1:9", ["--replay", tape]);
  expect([gone.code, gone.said]).toEqual([1, expect.stringContaining(`there is no cassette ${tape}`)]);
  const both = await work({}, "http://127.0.0.1:9", ["--replay", tape, "--record", tape]);
  expect(both.code).toBe(2);
});
