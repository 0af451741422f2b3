import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Asked, Reply } from "../support/model-server/script.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { ask, project, start } from "../support/project.ts";

const planner = (decision: object): Reply => ({ text: JSON.stringify({ _type: "PLANNER_DECISION", ...decision }) });
const call = (name: string, args: object): Reply => ({ calls: [{ name, args }] });

/** A mind that mends one line: told by what it is asked, so that it says the same in any process. */
function mind() {
  let planned = 0;
  return ({ system, turns }: Asked): Reply => {
    if (system.includes("You are the planner"))
      return ++planned === 1
        ? planner({ action: "EXECUTE", task_type: "code_modify", goals: ["add adds"], reasoning: "it subtracts" })
        : planner({ action: "COMPLETE", reasoning: "tests pass" });
    switch (/\n\n([a-z_]+): /.exec(system)?.[1]) {
      case "plan":
        return call("plan_submit", {
          approach: "swap the sign",
          ac_mapping: [{ ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "add.test.mjs" }],
          files: [{ path: "src/add.mjs", changes: ["plus"] }],
          tests: [{ name: "adds", kind: "unit", text: "" }],
        });
      case "code_modify":
        if (turns.length === 1) return call("file_read", { path: "src/add.mjs" });
        if (turns.length === 3) return call("file_edit", { path: "src/add.mjs", old: "a - b", new: "a + b" });
        if (turns.length === 5) return call("test_run", {});
        return call("done", { summary: "mended" });
      default:
        return call("report_submit", {
          summary: "add adds",
          ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1 }] }],
        });
    }
  };
}

test("agents: {implementer: pawl}: the built-in worker is spawned, waits for a person at GO without a process, and goes on to NEXT", async () => {
  const server = await startModelServer(mind());
  onTestFinished(() => server.close());
  process.env.PAWL_TEST_MODEL_KEY = "sk-of-this-test";
  onTestFinished(() => void delete process.env.PAWL_TEST_MODEL_KEY);
  const { repo, state } = project({
    config: `agents: {implementer: {pawl: {model: mind}}}
models: {mind: {provider: openai-compatible, base_url: "${server.url}/v1", model: mind, key_env: PAWL_TEST_MODEL_KEY}}
gates: {go: [rules, human]}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
`,
    tasks: {
      "task-1":
        '---\ntitle: add adds\nacceptance_criteria: ["add(1, 2) is 3"]\ntest_delta: {regression: ["node --test"]}\nauthorized_files: ["src/**"]\n---\n`add` subtracts. Mend it.\n',
    },
    files: {
      "src/add.mjs": "export const add = (a, b) => a - b;\n",
      "add.test.mjs":
        "import test from 'node:test'; import assert from 'node:assert'; import { add } from './src/add.mjs';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
    },
  });
  const run = await start(repo);
  void run.run();
  await run.fact("worker-parked", "task-1", () => true, 90_000);
  expect(run.task("task-1").doing).toMatchObject({ kind: "at-gate", gate: "GO", owners: ["human"], alive: false });
  expect(await ask(run, "task-1", { do: "go", seq: 1, message: null })).toMatchObject({ accepted: true });
  await run.fact("task-completed", "task-1", () => true, 90_000);
  expect(run.task("task-1")).toMatchObject({ round: 0, visit: 1, attempt: 1, ledger: { spent: { spawns: 1 } } });
  const inbox = readdirSync(join(state, "runs/task-1/01-implement-a1/inbox")).sort();
  expect(inbox).toEqual(["001-GO.json", "002-NEXT.json"]);
}, 240_000);

test("without its key the built-in worker waits for a person, and costs neither a round nor a crash", async () => {
  const { repo } = project({
    config: `agents: {implementer: {pawl: {model: mind}}}
models: {mind: {provider: anthropic, model: mind, key_env: PAWL_TEST_NO_KEY}}
phases: {version: 1, phases: {implement: {run: agent implementer, on_pass: done, on_fail: implement}}}
`,
    tasks: { "task-1": "---\ntitle: add adds\n---\n`add` subtracts.\n" },
  });
  const run = await start(repo);
  void run.run();
  const { on } = await run.fact("task-waiting", "task-1");
  expect(on).toMatchObject({
    code: "auth",
    owner: "human",
    reason: expect.stringContaining("PAWL_TEST_NO_KEY is not set"),
  });
  expect(run.task("task-1")).toMatchObject({ round: 0, counts: { crashes: 0 } });
}, 60_000);
