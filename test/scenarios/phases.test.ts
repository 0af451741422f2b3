import { describe, expect, test } from "vitest";
import { project, runFile, start, verdict, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";

const CONFIG = (phases: string, more = "") => `agents:
  implementer: {command: agents/work.sh}
  verifier: {command: agents/verify.sh}
phases:
  version: 1
  phases:
${phases.trimEnd().replace(/^/gm, "    ")}
${more}`;
const IMPLEMENT = "implement: {run: agent implementer, on_pass: done, on_fail: implement}\n";
const WORK_VERIFY = `implement: {run: agent implementer, on_pass: verify, on_fail: implement}
verify: {run: agent verifier, on_pass: done, on_fail: implement}
`;
/** fails once with that detail, passes when the prompt holds it */
const FAIL_ONCE = (detail: string) => `#!/bin/sh -e
if [ -e "$PAWL_RUN_DIR/../failed" ]; then printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"; exit 0; fi
touch "$PAWL_RUN_DIR/../failed"
printf '{"verdict":"FAIL","detail":"${detail}"}' > "$PAWL_RUN_DIR/verdict.json"
`;
/** works until the file \`go\` is there */
const SLOW = `#!/bin/sh -e
while [ ! -e "$PAWL_RUN_DIR/../go" ]; do sleep 0.05; done
${WORKER.split("\n").slice(1).join("\n")}`;

describe("phases and outcomes", () => {
  test("PRO-1.1 PRO-4.1 PRO-11.1 an agent step composes a prompt and spawns a worker on the task's branch", async () => {
    const { repo, state } = project({
      config: CONFIG(IMPLEMENT),
      tasks: { "task-1": "Say hello" },
      files: { "agents/work.sh": SLOW, "agents/verify.sh": verdict("PASS") },
    });
    const run = await start(repo);
    expect(run.processor.engine.board.find("task-1" as never)).toBe(null);
    void run.run();
    const spawned = await run.fact("worker-spawned", "task-1");
    const task = run.task("task-1");
    expect(task.status).toBe("in-progress");
    shows("PRO-11.1", 1);
    expect(task.phase).toBe("implement");
    shows("PRO-11.1", 2);
    const prompt = runFile(state, "task-1", "01-implement-a1", "prompt.md");
    expect(prompt).toContain("You are the implementer");
    expect(prompt).toContain("Say hello");
    shows("PRO-1.1", 1);
    expect(git(`${state}/worktrees/task-1`, "symbolic-ref", "HEAD")).toBe("refs/heads/pawl/task-1");
    shows("PRO-1.1", 2);
    expect(task.doing).toMatchObject({ kind: "running", leg: spawned.leg, purpose: "agent" });
    shows("PRO-4.1", 1);
    shows("PRO-4.1", 2);
    const atWork = run.ticks.length;
    expect(run.task("task-1").phase).toBe("implement");
    git(repo, "config", "user.name", "Test");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${state}/runs/task-1/go`, "");
    await run.fact("task-completed", "task-1");
    expect(run.facts.filter((fact) => fact.kind === "phase-entered").map((fact) => fact.phase)).toEqual(["implement"]);
    expect(run.ticks.length).toBeGreaterThan(atWork);
    shows("PRO-1.1", 3);
  });

  test("PRO-2.1 PRO-3.1 PRO-4.3 PASS is reaped and moves the task to on_pass, no round counted", async () => {
    const { repo } = project({
      config: CONFIG(WORK_VERIFY),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": WORKER, "agents/verify.sh": verdict("PASS") },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("task-completed", "task-1");
    const entered = run.facts.filter((fact) => fact.kind === "phase-entered");
    expect(entered.map(({ phase, round, cause }) => ({ phase, round, cause }))).toEqual([
      { phase: "implement", round: 0, cause: "PICKUP" },
      { phase: "verify", round: 0, cause: "ADVANCE" },
    ]);
    shows("PRO-2.1", 1);
    shows("PRO-3.1", 1);
    const ended = await run.fact("worker-ended", "task-1");
    expect(ended.end).toMatchObject({ how: "verdict", verdict: "PASS" });
    shows("PRO-4.3", 1);
    expect(run.task("task-1")).toMatchObject({ status: "completed" });
    shows("PRO-4.3", 2);
  });

  test("PRO-2.2 PRO-3.2 PRO-4.4 FAIL goes to on_fail with a round and a finding, and the next prompt holds it", async () => {
    const { repo, state } = project({
      config: CONFIG(WORK_VERIFY),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": WORKER, "agents/verify.sh": FAIL_ONCE("missing error handling") },
    });
    const run = await start(repo);
    void run.run();
    const entered = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "RETRY");
    expect(entered.phase).toBe("implement");
    shows("PRO-2.2", 1);
    expect(entered.round).toBe(1);
    shows("PRO-2.2", 2);
    shows("PRO-3.2", 1);
    await run.fact("worker-spawned", "task-1", (fact) => fact.leg.startsWith("task-1/3/"));
    const stored = await run.processor.engine.board.find("task-1" as never);
    expect(stored?.findings).toMatchObject([
      { text: "missing error handling", source: "verify", state: "open", label: "F1" },
    ]);
    shows("PRO-2.2", 3);
    shows("PRO-4.4", 1);
    expect(runFile(state, "task-1", "03-implement-a1", "prompt.md")).toContain("missing error handling");
    shows("PRO-4.4", 2);
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").findings).toMatchObject([{ state: "fixed" }]);
  });

  test("PRO-4.2 a worker that still runs is left alone, and looked at again", async () => {
    const { repo, state } = project({
      config: CONFIG(IMPLEMENT),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": SLOW, "agents/verify.sh": verdict("PASS") },
    });
    let looks = 0;
    let looked: () => void = () => {};
    const enough = new Promise<void>((resolve) => {
      looked = () => {
        looks++;
        if (looks === 3) resolve();
      };
    });
    const run = await start(repo, {
      wrap: (parts) => ({
        ...parts,
        runtime: { ...parts.runtime, look: (legs, permit) => parts.runtime.look(legs, permit).finally(looked) },
      }),
    });
    void run.run();
    await run.fact("worker-spawned", "task-1");
    looks = 0;
    const before = run.facts.length;
    await enough;
    expect(run.facts.slice(before).filter((fact) => fact.kind !== "effect-closed")).toEqual([]);
    shows("PRO-4.2", 1);
    expect(looks).toBeGreaterThanOrEqual(3);
    shows("PRO-4.2", 2);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${state}/runs/task-1/go`, "");
    await run.fact("task-completed", "task-1");
  });

  test("PRO-4.5 a worker without a verdict is a crash: FAIL, the probe's event, and a person is told", async () => {
    const events: Record<string, unknown>[] = [];
    const { repo } = project({
      config: CONFIG(IMPLEMENT),
      tasks: { "task-1": "Do it" },
      files: {
        "agents/work.sh": `#!/bin/sh\nif [ -e "$PAWL_RUN_DIR/../crashed" ]; then\n${WORKER.split("\n").slice(1).join("\n")}\nexit 0; fi\ntouch "$PAWL_RUN_DIR/../crashed"\nkill -9 $$\n`,
        "agents/verify.sh": verdict("PASS"),
      },
    });
    const run = await start(repo, {
      wrap: (parts) => ({ ...parts, probe: { record: (event) => void events.push(event) } }),
    });
    void run.run();
    const retried = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "RETRY");
    expect(retried.round).toBe(1);
    const opened = await run.fact("finding-opened", "task-1");
    expect(opened.finding.text).toMatch(/^worker completed without writing verdict/);
    shows("PRO-4.5", 1);
    await run.fact("task-completed", "task-1");
    expect(events.find(({ event }) => event === "worker_crash_detected")).toMatchObject({
      task_id: "task-1",
      role: "implementer",
      branch: "pawl/task-1",
    });
    shows("PRO-4.5", 2);
    expect(run.said.join("\n")).toMatch(/task-1 crashed .*implementer crashed \(1 of 3\)/);
    shows("PRO-4.5", 3);
    expect(run.task("task-1")).toMatchObject({ counts: { crashes: 0 }, round: 1, status: "completed" });
  });

  test("PRO-3.3 done completes the task, leaves no phase, and may not be a phase's name", async () => {
    const { repo } = project({
      config: CONFIG(IMPLEMENT),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": WORKER, "agents/verify.sh": verdict("PASS") },
    });
    const run = await start(repo);
    expect(await run.run()).toEqual({ kind: "ended", rest: "terminal" });
    expect(run.task("task-1").status).toBe("completed");
    shows("PRO-3.3", 1);
    expect(run.task("task-1").phase).toBe(null);
    shows("PRO-3.3", 2);
    const bad = project({
      config: CONFIG("done: {run: agent implementer, on_pass: done}\n"),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": WORKER, "agents/verify.sh": verdict("PASS") },
    });
    await expect(start(bad.repo)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      data: { errors: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining("done") })]) },
    });
    shows("PRO-3.3", 3);
  });

  test("PRO-8.1 a task at its limit of rounds fails with the reason", async () => {
    const fails = `#!/bin/sh -e\nprintf '{"verdict":"FAIL","detail":"wrong %s"}' "$(echo "$PAWL_ROUND" | tr 0-9 a-j)" > "$PAWL_RUN_DIR/verdict.json"\n`;
    const { repo } = project({
      config: CONFIG(IMPLEMENT, "limits: {max_task_rounds: 3}\n"),
      tasks: { "task-1": "Do it" },
      files: { "agents/work.sh": fails, "agents/verify.sh": verdict("PASS") },
    });
    const run = await start(repo);
    void run.run();
    const failed = await run.fact("task-failed", "task-1");
    expect(run.task("task-1").status).toBe("failed");
    shows("PRO-8.1", 1);
    expect(failed.why).toBe("exceeded max rounds (3 of 3)");
    shows("PRO-8.1", 2);
    expect(run.facts.filter((fact) => fact.kind === "worker-spawned")).toHaveLength(3);
  });
});
