import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import type { TaskId } from "../../src/domain/names.ts";
import { ask, project, start, WORKER } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const ONE = (more = "") => `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
${more}`;
/** counts its starts, works until the file go is there */
const HELD = `#!/bin/sh -e
echo "$PAWL_LEG" >> "$PAWL_RUN_DIR/../../starts"
while [ ! -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done
${WORKER.split("\n").slice(1).join("\n")}`;
const starts = (state: string) => readFileSync(`${state}/runs/starts`, "utf8").trim().split("\n");

describe("workers", () => {
  test("a worker outlives its processor and is adopted by the next one, not paid for twice", async () => {
    const { repo, state } = project({ config: ONE(), tasks: { "task-1": "One" }, files: { "agents/work.sh": HELD } });
    const first = await start(repo);
    void first.run();
    await first.fact("worker-spawned", "task-1");
    await expect.poll(() => existsSync(`${state}/runs/starts`), { timeout: 10_000 }).toBe(true);
    await first.stop();
    const second = await start(repo);
    void second.run();
    writeFileSync(`${state}/runs/go`, "");
    const done = await second.fact("task-completed", "task-1");
    expect(done).toBeTruthy();
    expect(starts(state)).toEqual(["task-1/1/1.1"]);
    expect(second.task("task-1")).toMatchObject({ round: 0, counts: { crashes: 0 }, ledger: { spent: { spawns: 1 } } });
  });

  test("a waived path outside the scope is no failure any more, and is committed with the rest", async () => {
    const strays = WORKER.replace("git add", "echo x > extra.txt; echo y > more.txt; git add more.txt\ngit add");
    const { repo } = project({
      config: ONE('defaults: {authorized_files: ["task-*.txt"]}\n'),
      tasks: { "task-1": "One" },
      files: {
        "agents/work.sh": strays.replace(
          "/bin/sh -e",
          '/bin/sh -e\n[ "$PAWL_ROUND" = 0 ] || until [ -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done',
        ),
      },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("worker-spawned", "task-1", ({ leg }) => leg === "task-1/2/1.1");
    const labels = run.task("task-1").findings.map(({ label, key }) => [label, key]);
    expect(labels).toEqual([
      ["F1", "left:extra.txt"],
      ["F2", "scope:more.txt"],
    ]);
    for (const [finding] of labels) await ask(run, "task-1", { do: "waive", finding, message: "by design" });
    write(repo, { ".pawl/runs/go": "" });
    const done = await run.fact("task-completed", "task-1");
    expect(git(repo, "ls-tree", "--name-only", done.evidence).split("\n")).toContain("extra.txt");
    expect(run.task("task-1").round, "the run that began before the waiver, then one that knows of it").toBe(2);
  });

  test("a file outside the scope makes PASS a FAIL with a finding that names it", async () => {
    const strays = `#!/bin/sh -e\n[ -e "$PAWL_RUN_DIR/../once" ] && git rm -q --cached other.txt && rm other.txt && git commit -qm "Undo"\ntouch "$PAWL_RUN_DIR/../once"\n[ "$PAWL_ROUND" = 0 ] && echo x > other.txt && git add other.txt && git commit -qm Stray\n${WORKER.split("\n").slice(1).join("\n")}`;
    const { repo } = project({
      config: ONE('defaults: {authorized_files: ["task-*.txt"]}\n'),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": strays.replace("#!/bin/sh -e", "#!/bin/sh") },
    });
    const run = await start(repo);
    void run.run();
    const opened = await run.fact("finding-opened", "task-1");
    expect(opened.finding).toMatchObject({ file: "other.txt", text: expect.stringContaining("authorized") });
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").findings.every((f) => f.state === "fixed")).toBe(true);
  });

  test("three crashes in a row fail the task with the last detail", async () => {
    const { repo } = project({
      config: ONE(),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": "#!/bin/sh\nexit 3\n" },
    });
    const run = await start(repo);
    expect(await run.run()).toEqual({ kind: "ended", rest: "terminal" });
    expect(run.task("task-1")).toMatchObject({
      status: "failed",
      why: expect.stringMatching(/^worker crashed 3 times in a row: worker completed without writing verdict/),
    });
  });

  test("at the budget's end a task waits for a person; extend lets it go on", async () => {
    const fails = `#!/bin/sh -e\n[ "$PAWL_ROUND" -ge 2 ] && { echo ok > "$PAWL_TASK.txt"; git add .; git commit -qm ok; printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"; exit 0; }\nprintf '{"verdict":"FAIL","detail":"wrong %s"}' "$(echo "$PAWL_ROUND" | tr 0-9 a-j)" > "$PAWL_RUN_DIR/verdict.json"\n`;
    const { repo } = project({
      config: ONE("budgets: {task: {spawns: 2}}\n"),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": fails },
    });
    const run = await start(repo);
    void run.run();
    const waiting = await run.fact("task-waiting", "task-1");
    expect(waiting.on).toMatchObject({ code: "budget", owner: "human", reason: expect.stringContaining("spawns") });
    const add = { microUsd: 0, tokens: 0, wallMs: 0, spawns: 3 };
    expect(await ask(run, "task-1", { do: "extend", timeMs: 0, add })).toMatchObject({ accepted: true });
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").ledger.spent.spawns).toBe(3);
  });

  test("cancel stops the worker and its children, and keeps worktree and branch; retry goes on with fresh counters", async () => {
    const { repo, state } = project({
      config: ONE(),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": HELD.replace("while", "sleep 300 &\nwhile") },
    });
    const run = await start(repo);
    void run.run("terminal");
    await run.fact("worker-spawned", "task-1");
    await expect.poll(() => existsSync(`${state}/runs/starts`), { timeout: 10_000 }).toBe(true);
    const living = () => systemProcesses().withEnv("PAWL_LEG_DIR", `${state}/runs/task-1/01-implement-a1/leg-1`);
    expect(await living()).not.toEqual([]);
    expect(await ask(run, "task-1", { do: "cancel", message: "not now" })).toMatchObject({ accepted: true });
    const failed = await run.fact("task-failed", "task-1");
    expect(failed.why).toBe("cancelled by lead: not now");
    expect(await living()).toEqual([]);
    expect(existsSync(`${state}/worktrees/task-1`)).toBe(true);
    await run.stop();
    const again = await start(repo);
    const { openReader } = await import("../../src/adapters/store/index.ts");
    const inbox = await openReader(again.processor.settings.store);
    await inbox.post({
      id: "retry-1",
      by: "lead",
      task: "task-1" as TaskId,
      command: { do: "retry", from: null },
      at: Date.now() as never,
    });
    await inbox.close();
    writeFileSync(`${state}/runs/go`, "");
    void again.run();
    await again.fact("task-completed", "task-1");
    expect(again.task("task-1")).toMatchObject({ round: 0, cancelling: null });
  });

  test("a user's command that takes long holds up no other task", async () => {
    const config = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: slow, on_fail: implement}
    slow: {run: action slow, on_pass: done, on_fail: implement}
actions: {slow: {command: 'while [ "$PAWL_TASK" = task-1 ] && [ ! -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done'}}
limits: {max_workers: 1}
`;
    const { repo, state } = project({
      config,
      tasks: { "task-1": "One", "task-2": "Two", "task-3": "Three" },
      files: { "agents/work.sh": WORKER },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("task-completed", "task-2");
    await run.fact("task-completed", "task-3");
    expect(run.task("task-1")).toMatchObject({ phase: "slow", doing: { kind: "running", purpose: "action" } });
    writeFileSync(`${state}/runs/go`, "");
    await run.fact("task-completed", "task-1");
  });

  test("an action whose end a crash hid is held, unless it may be repeated or somebody can say whether it happened", async () => {
    const config = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: deploy, on_fail: implement}
    deploy: {run: action deploy, on_pass: done, on_fail: implement}
actions: {deploy: {command: 'echo $$ > "$PAWL_RUN_DIR/../pid"; echo deployed >> "$PAWL_RUN_DIR/../../deployed"; sleep 300', CHECK}}
`;
    for (const [check, expected] of [
      ["idempotent: false", "held"],
      ['check: "test -e $PAWL_RUN_DIR/../../deployed"', "done"],
    ] as const) {
      const { repo, state } = project({
        config: config.replace("CHECK", check),
        tasks: { "task-1": "One" },
        files: { "agents/work.sh": WORKER },
      });
      const run = await start(repo);
      void run.run();
      await run.fact("worker-spawned", "task-1", (fact) => fact.purpose === "action");
      await expect.poll(() => existsSync(`${state}/runs/deployed`), { timeout: 10_000 }).toBe(true);
      const claim = JSON.parse(readFileSync(`${state}/runs/task-1/02-deploy-a1/leg-1/claim.json`, "utf8")) as {
        driver: { pid: number };
      };
      process.kill(claim.driver.pid, "SIGKILL");
      if (expected === "held") {
        const waiting = await run.fact("task-waiting", "task-1");
        expect(waiting.on).toMatchObject({ code: "action-unknown", owner: "human" });
      } else await run.fact("task-completed", "task-1");
      expect(readFileSync(`${state}/runs/deployed`, "utf8")).toBe("deployed\n");
      // by its folder: another project of this machine may have a leg of that name
      expect(await systemProcesses().withEnv("PAWL_LEG_DIR", `${state}/runs/task-1/02-deploy-a1/leg-1`)).toEqual([]);
      await run.stop();
    }
  });

  test("a task file that breaks while tasks are at work is said, and changes nothing", async () => {
    const events: Record<string, unknown>[] = [];
    const { repo, state } = project({ config: ONE(), tasks: { "task-1": "One" }, files: { "agents/work.sh": HELD } });
    const run = await start(repo, {
      wrap: (parts) => ({ ...parts, probe: { record: (event) => void events.push(event) } }),
    });
    void run.run();
    await run.fact("worker-spawned", "task-1");
    write(repo, {
      "tasks/task-2.md": "---\ntitle: [broken\n---\n",
      "pawl.yaml": "agents: {implementer: {comand: x}}\n",
    });
    await expect
      .poll(
        () =>
          events
            .filter(({ event }) => event === "file_fault")
            .map(({ file }) => file)
            .join(" "),
        { timeout: 10_000 },
      )
      .toMatch(/task-2\.md.*pawl\.yaml|pawl\.yaml.*task-2\.md/);
    writeFileSync(`${state}/runs/go`, "");
    await run.fact("task-completed", "task-1");
  });
});

test("pawl run TASK picks up that task alone, and refuses one that is not there", async () => {
  const { repo } = project({
    config: ONE(),
    tasks: { "task-1": "One", "task-2": "Two" },
    files: { "agents/work.sh": WORKER },
  });
  const run = await start(repo, { only: new Set(["task-2" as TaskId]) });
  expect(await run.run()).toEqual({ kind: "ended", rest: "terminal" });
  expect(run.task("task-2").status).toBe("completed");
  expect(run.facts.some((fact) => fact.kind === "task-picked-up" && fact.task === "task-1")).toBe(false);
  await run.stop();
  await expect(start(repo, { only: new Set(["task-9" as TaskId]) })).rejects.toMatchObject({ code: "TASK_UNKNOWN" });
});
