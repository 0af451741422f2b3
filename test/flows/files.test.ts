import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PawlError } from "../../src/domain/errors.ts";
import { later } from "../support/later.ts";
import { project, start, WORKER } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const ONE = `agents: {implementer: {command: agents/work.sh}}
defaults: {authorized_files: ["task-*.txt"]}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
`;
const GATED = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: review, on_fail: implement}
    review: {run: signal human-approval, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;

describe("files that change while a processor runs", () => {
  test.each([
    ["broken", (repo: string) => write(repo, { "pawl.yaml": "agents: [\n" })],
    ["away", (repo: string) => rmSync(`${repo}/pawl.yaml`)],
  ])("a pawl.yaml that is %s is told, and the scope that it gave goes on", async (_, spoil) => {
    const strays = `#!/bin/sh
if [ "$PAWL_ROUND" = 0 ]; then
  until [ -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done
  printf '{"verdict":"FAIL","detail":"again"}' > "$PAWL_RUN_DIR/verdict.json"
elif [ "$PAWL_ROUND" -gt 1 ]; then
  printf '{"verdict":"BLOCKED","detail":"enough"}' > "$PAWL_RUN_DIR/verdict.json"
else
  echo x > README.md
  git commit -qam Stray
  printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"
fi
`;
    const { repo, state } = project({ config: ONE, tasks: { "task-1": "One" }, files: { "agents/work.sh": strays } });
    const run = await start(repo);
    const told: (readonly PawlError[])[] = [];
    run.processor.engine.onFaults((errors) => told.push(errors));
    void run.run();
    await run.fact("worker-spawned", "task-1");
    spoil(repo);
    await expect.poll(() => told.length, { timeout: 15_000 }).toBe(1);
    expect(told[0]).not.toEqual([]);
    writeFileSync(`${state}/runs/go`, "");
    const stray = await run.fact("finding-opened", "task-1", ({ finding }) => finding.file === "README.md");
    expect(stray.finding.text).toBe("README.md: changed outside authorized_files");
    write(repo, { "pawl.yaml": ONE });
    await expect.poll(() => told.at(-1), { timeout: 15_000 }).toEqual([]);
    // nobody works any more when the folder goes
    await run.fact("task-waiting", "task-1");
  });
});

describe("before it ends with --until-idle", () => {
  test("an answer that came before it began is taken", async () => {
    const { repo, state } = project({ config: GATED, tasks: { "task-1": "One" }, files: { "agents/work.sh": WORKER } });
    const first = await start(repo);
    await first.run("idle");
    expect(first.task("task-1")).toMatchObject({ phase: "review", doing: { kind: "asking" } });
    await first.stop();
    write(state, { "inbox/task-1.approve": "fine" });
    const second = await start(repo);
    await second.run("idle");
    expect(second.task("task-1").status).toBe("completed");
  });

  test("a base that is clean again is looked at", async () => {
    const { repo, state } = project({
      config: GATED,
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": WORKER },
      origin: false,
    });
    write(repo, { "task-1.txt": "in the way\n" });
    write(state, { "inbox/task-1.approve": "fine" });
    const first = await start(repo);
    await first.run("idle");
    expect(first.task("task-1").doing).toMatchObject({ kind: "waiting", on: { code: "base-dirty" } });
    await first.stop();
    rmSync(`${repo}/task-1.txt`);
    // the next look is ten seconds after the last one
    const second = await start(repo, { wrap: later(10_000) });
    await second.run("idle");
    expect(second.task("task-1").status).toBe("completed");
    expect(git(repo, "show", "main:task-1.txt")).toBe("work on task-1");
  });

  test("a task file that was written just now is picked up", async () => {
    const { repo } = project({ config: ONE, tasks: { "task-1": "One" }, files: { "agents/work.sh": WORKER } });
    const run = await start(repo);
    run.processor.engine.listen(({ facts }) => () => {
      if (facts.some(({ kind }) => kind === "task-completed"))
        write(repo, { "tasks/task-2.md": "---\ntitle: Two\n---\nTwo\n" });
    });
    await run.run("idle");
    expect(run.task("task-2").status).toBe("completed");
  });
});
