import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runWorker } from "../../src/app/worker/compose-worker.ts";
import type { Assignment } from "../../src/protocol/assignment.ts";
import { scratch } from "../support/scratch.ts";
import { isPlanner, patternIn, plannerSays, type Says, scriptedMind } from "../support/scripted-mind.ts";

function repo() {
  const folder = scratch();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "-q", "-b", "main");
  git("config", "user.email", "t@example.org");
  git("config", "user.name", "t");
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "add.mjs"), "export const add = (a, b) => a - b;\n");
  writeFileSync(
    join(folder, "add.test.mjs"),
    "import test from 'node:test'; import assert from 'node:assert'; import { add } from './src/add.mjs';\ntest('adds', () => assert.equal(add(1, 2), 3));\n",
  );
  git("add", ".");
  git("commit", "-qm", "first");
  return { folder, git, base: git("rev-parse", "HEAD") };
}

const assignment = (base: string): Assignment => ({
  message_type: "TASK_ASSIGNMENT",
  version: 1,
  agent_id: "agent-1",
  task_id: "task-1",
  run: "task-1/1/1",
  leg: "task-1/1/1.1",
  phase: "implement",
  role: "implementer",
  round: 0,
  title: "add adds",
  body: "`add` subtracts. Mend it.",
  acceptance_criteria: [{ id: "AC-001", text: "add(1, 2) is 3" }],
  test_delta: { add: [], update: [], regression: [{ name: "node --test", command: "node --test" }] },
  authorized_files: ["src/**"],
  timeout_minutes: 5,
  findings: [],
  notes: [],
  worktree: "",
  branch: "main",
  base,
});

test("a ticket is carried out from assignment to NEXT, with a plan, an edit, tests and a report", async () => {
  const { folder, git, base } = repo();
  let planned = 0;
  const mind = scriptedMind((request): Says => {
    if (isPlanner(request)) {
      planned += 1;
      return planned === 1
        ? plannerSays({ action: "EXECUTE", task_type: "code_modify", goals: ["add adds"], reasoning: "it subtracts" })
        : plannerSays({ action: "COMPLETE", reasoning: "tests pass" });
    }
    const turns = request.turns.length;
    switch (patternIn(request)) {
      case "plan":
        return {
          calls: [
            {
              name: "plan_submit",
              args: {
                approach: "swap the sign",
                ac_mapping: [{ ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "add.test.mjs" }],
                files: [{ path: "src/add.mjs", changes: ["plus"] }],
                tests: [{ name: "adds", kind: "unit", text: "" }],
              },
            },
          ],
        };
      case "code_modify":
        if (turns === 1) return { calls: [{ name: "file_read", args: { path: "src/add.mjs" } }] };
        if (turns === 3)
          return { calls: [{ name: "file_edit", args: { path: "src/add.mjs", old: "a - b", new: "a + b" } }] };
        if (turns === 5) return { calls: [{ name: "test_run", args: {} }] };
        return { calls: [{ name: "done", args: { summary: "mended" } }] };
      default:
        return {
          calls: [
            {
              name: "report_submit",
              args: {
                summary: "add adds",
                ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1 }] }],
              },
            },
          ],
        };
    }
  });
  const lines: string[] = [];
  const runDir = join(folder, ".pawl", "runs", "task-1");
  mkdirSync(join(folder, ".pawl"));
  writeFileSync(join(folder, ".pawl", ".gitignore"), "*\n");
  const end = await runWorker(
    {
      assignment: assignment(base),
      worktree: folder,
      baseCommit: base,
      main: folder,
      runDir,
      logsDir: join(folder, ".pawl", "runs"),
      leg: "task-1/1/1.1",
      models: { planner: mind, executor: mind, compaction: mind },
      env: process.env,
      remote: null,
      materials: [],
      protect: [],
      tree: "branch",
      say: (line) => lines.push(line),
    },
    new AbortController().signal,
  );
  expect(end).toMatchObject({ how: "finished", verdict: "PASS" });
  expect(git("log", "--oneline").split("\n")).toHaveLength(3);
});
