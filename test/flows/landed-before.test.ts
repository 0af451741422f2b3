import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { commandLine } from "../support/command-line.ts";
import { project, start } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const WORK = `#!/bin/sh -e
echo x >> "$PAWL_REPO/../starts"
echo "$PAWL_TASK" > "$PAWL_TASK.txt"; git add .; git commit -q -m Work
printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"
`;
const CONFIG = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;

/** Its two tasks are merged, and nothing is known of it any more. */
async function forgotten() {
  const made = project({
    config: CONFIG,
    tasks: { "task-1": "One", "task-2": "Two" },
    files: { "agents/work.sh": WORK },
  });
  const run = await start(made.repo);
  await run.run();
  await run.stop();
  git(made.repo, "pull", "-q", "--ff-only", "origin", "main");
  rmSync(`${made.repo}/.pawl`, { recursive: true });
  return made;
}

test("what was merged by a store that is gone is found on the base, and done no second time; what hangs on it begins", async () => {
  const { repo } = await forgotten();
  write(repo, { "tasks/task-3.md": "---\ntitle: Three\ndeps: [task-1]\n---\nThree.\n" });
  const dry = await commandLine(repo, ["run", "--dry"]);
  expect(dry.out.split("\n").filter((line) => line.includes("would spawn"))).toEqual([
    expect.stringContaining("task-3"),
  ]);
  const run = await start(repo);
  await run.run();
  expect(run.facts.flatMap((fact) => (fact.kind === "worker-spawned" ? [fact.task] : []))).toEqual(["task-3"]);
  expect(run.task("task-3")).toMatchObject({ status: "completed" });
  const shown = await commandLine(repo, ["status", "--json"]);
  const tasks = JSON.parse(shown.out).tasks as { task: string; status: string }[];
  expect(tasks.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
});

test("a task with the id of one that was merged, and another title, is another task", async () => {
  const { repo } = await forgotten();
  write(repo, { "tasks/task-1.md": "---\ntitle: Something else\n---\nElse.\n" });
  const dry = await commandLine(repo, ["run", "--dry"]);
  expect(dry.out).toContain("task-1");
  expect(dry.out).not.toContain("task-2");
});
