import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { explain } from "../../src/domain/explain.ts";
import type { TaskId } from "../../src/domain/names.ts";
import { hasRun, project, start, verdict, WORKER } from "../support/project.ts";
import { shows } from "../support/shows.ts";

const config = (more = "") => `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
${more}`;
const task = (deps: string) => `---\ntitle: A task\ndeps: [${deps}]\n---\nDo it\n`;
/** works until the file go-TASK (or go) is there */
const HELD = `#!/bin/sh -e
while [ ! -e "$PAWL_RUN_DIR/../../go" ] && [ ! -e "$PAWL_RUN_DIR/../../go-$PAWL_TASK" ]; do sleep 0.05; done
${WORKER.split("\n").slice(1).join("\n")}`;

describe("dependencies", () => {
  test("PRO-6.1 PRO-6.2 a task starts when its dependency is completed and synced, and not before", async () => {
    const { repo, state } = project({
      config: config(),
      tasks: { "task-1": task(""), "task-2": task("task-1") },
      files: { "agents/work.sh": HELD },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("worker-spawned", "task-1");
    const { board } = run.processor.engine;
    expect(board.statusOf("task-1" as TaskId)).toBe("in-progress");
    expect(board.statusOf("task-2" as TaskId)).toBe("not-started");
    shows("PRO-6.2", 1);
    expect(explain(board.task("task-2" as TaskId), board)).toMatchObject({ code: "deps", tasks: ["task-1"] });
    expect(run.facts.some((fact) => fact.kind === "worker-spawned" && fact.task === "task-2")).toBe(false);
    expect(hasRun(state, "task-2", "01-implement-a1")).toBe(false);
    shows("PRO-6.2", 2);
    writeFileSync(`${state}/runs/go`, "");
    await run.fact("task-completed", "task-2");
    const completed = run.facts.findIndex((fact) => fact.kind === "task-completed" && fact.task === "task-1");
    const synced = run.facts.findIndex((fact) => fact.kind === "task-synced" && fact.task === "task-1");
    const picked = run.facts.findIndex((fact) => fact.kind === "task-picked-up" && fact.task === "task-2");
    expect(picked).toBeGreaterThan(completed);
    expect(picked).toBeGreaterThan(synced);
    shows("PRO-6.1", 1);
  });

  test("PRO-6.3 a failed dependency strands what hangs on it, and the deadlock is reported once", async () => {
    const { repo, state } = project({
      config: config("limits: {max_task_rounds: 1}\n"),
      tasks: { "task-1": task(""), "task-2": task("task-1"), "task-3": task("task-2") },
      files: { "agents/work.sh": verdict("FAIL", "no") },
    });
    const run = await start(repo);
    expect(await run.run()).toEqual({ kind: "ended", rest: "terminal" });
    const { board } = run.processor.engine;
    expect(board.statusOf("task-2" as TaskId)).toBe("not-started");
    expect(explain(board.task("task-2" as TaskId), board)).toMatchObject({
      code: "stranded",
      owner: "human",
      tasks: ["task-1"],
    });
    expect(hasRun(state, "task-2", "01-implement-a1")).toBe(false);
    shows("PRO-6.3", 1);
    expect(run.facts.filter((fact) => fact.kind === "deadlock-found")).toMatchObject([
      { chain: ["task-1", "task-2", "task-3"] },
    ]);
    expect(run.said.filter((line) => line.includes("deadlock"))).toHaveLength(1);
    shows("PRO-6.3", 2);
    await run.stop();
    const again = await start(repo);
    expect(await again.run()).toEqual({ kind: "ended", rest: "terminal" });
    expect(again.facts.filter((fact) => fact.kind === "deadlock-found")).toEqual([]);
  });
});

describe("slots", () => {
  test("PRO-7.1 with all slots taken nothing more starts, and the others start as workers end", async () => {
    const ids = ["task-1", "task-2", "task-3", "task-4", "task-5", "task-6"];
    const { repo, state } = project({
      config: config("limits: {max_workers: 4}\n"),
      tasks: Object.fromEntries(ids.map((id) => [id, task("")])),
      files: { "agents/work.sh": HELD },
    });
    const run = await start(repo);
    void run.run();
    for (const id of ids.slice(0, 4)) await run.fact("worker-spawned", id);
    expect(run.facts.filter((fact) => fact.kind === "worker-spawned").map((fact) => fact.task)).toHaveLength(4);
    expect(run.processor.engine.board.holders("worker")).toHaveLength(4);
    const { board } = run.processor.engine;
    expect(explain(board.task("task-5" as TaskId), board)).toMatchObject({ code: "slot" });
    shows("PRO-7.1", 1);
    writeFileSync(`${state}/runs/go-task-2`, "");
    await run.fact("worker-spawned", "task-5");
    expect(run.facts.some((fact) => fact.kind === "worker-spawned" && fact.task === "task-6")).toBe(false);
    writeFileSync(`${state}/runs/go`, "");
    await run.fact("task-completed", "task-6");
    shows("PRO-7.1", 2);
  });

  test("PRO-7.2 the lowest ids start first, the same every time", async () => {
    const ids = ["task-10", "task-2", "task-1", "task-9", "task-30"];
    const picked: string[][] = [];
    for (let i = 0; i < 2; i++) {
      const { repo, state } = project({
        config: config("limits: {max_workers: 3}\n"),
        tasks: Object.fromEntries(ids.map((id) => [id, task("")])),
        files: { "agents/work.sh": HELD },
      });
      const run = await start(repo);
      void run.run();
      await run.fact("worker-spawned", "task-9");
      picked.push(run.facts.filter((fact) => fact.kind === "task-picked-up").map((fact) => fact.task));
      writeFileSync(`${state}/runs/go`, "");
      await run.fact("task-completed", "task-30");
      await run.stop();
    }
    expect(picked[0]).toEqual(["task-1", "task-2", "task-9"]);
    shows("PRO-7.2", 1);
    expect(picked[1]).toEqual(picked[0]);
    shows("PRO-7.2", 2);
  });
});
