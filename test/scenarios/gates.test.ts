import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { TaskId } from "../../src/domain/names.ts";
import { project, runFile, start, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";

const GATED = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: await-review, on_fail: implement}
    await-review: {run: signal human-approval, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
const files = { "agents/work.sh": WORKER };

const drop = (state: string, name: string, text: string) => {
  mkdirSync(`${state}/inbox`, { recursive: true });
  writeFileSync(`${state}/inbox/${name}`, text);
};

describe("signals at gates", () => {
  test("PRO-1.3 PRO-2.3 PRO-5.1 PRO-5.3 a pending signal waits, an approved one goes on with its words", async () => {
    const { repo, state } = project({ config: GATED, tasks: { "task-1": "Do it" }, files });
    const asked: { task: TaskId; signal: string }[] = [];
    let again: () => void = () => {};
    const twice = new Promise<void>((resolve) => (again = resolve));
    const run = await start(repo, {
      wrap: (parts) => {
        const human = parts.signals.get("human-approval")!;
        const signals = new Map(parts.signals).set("human-approval", {
          ...human,
          ask: (questions, permit) => {
            asked.push(...questions);
            if (asked.length === 2) again();
            return human.ask(questions, permit);
          },
        });
        return { ...parts, signals };
      },
    });
    void run.run();
    await run.fact("asking-started", "task-1");
    await twice;
    expect(asked[0]).toMatchObject({ task: "task-1", signal: "human-approval", head: run.task("task-1").head });
    shows("PRO-1.3", 1);
    expect(run.ticks.flatMap((tick) => tick.inputs).find((input) => input.kind === "signal-seen")).toMatchObject({
      answer: { status: "pending" },
    });
    expect(run.task("task-1")).toMatchObject({ phase: "await-review", doing: { kind: "asking" } });
    shows("PRO-5.3", 1);
    shows("PRO-5.3", 2);
    shows("PRO-2.3", 1);
    expect(run.task("task-1").round).toBe(0);
    shows("PRO-2.3", 2);
    expect(asked.length).toBeGreaterThanOrEqual(2);
    shows("PRO-2.3", 3);
    drop(state, "task-1.approve", "looks right to me");
    const entered = await run.fact("phase-entered", "task-1", (fact) => fact.phase === "mark-ready");
    expect(entered).toMatchObject({ cause: "ADVANCE", round: 0 });
    shows("PRO-1.3", 2);
    shows("PRO-5.1", 1);
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").notes).toMatchObject([{ text: "looks right to me", phase: "await-review" }]);
    shows("PRO-5.1", 2);
    expect(run.task("task-1").approvals).toMatchObject([{ phase: "await-review", head: run.task("task-1").head }]);
  });

  test("PRO-5.2 a rejected signal is RETRY, and its words go into the next worker's prompt", async () => {
    const { repo, state } = project({ config: GATED, tasks: { "task-1": "Do it" }, files });
    const run = await start(repo);
    void run.run();
    await run.fact("asking-started", "task-1");
    drop(state, "task-1.reject", "needs timeout handling");
    const entered = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "RETRY");
    expect(entered).toMatchObject({ phase: "implement", round: 1 });
    shows("PRO-5.2", 1);
    expect(run.task("task-1").findings).toMatchObject([
      { text: "needs timeout handling", source: "await-review", state: "open" },
    ]);
    shows("PRO-5.2", 2);
    await run.fact("worker-spawned", "task-1", (fact) => fact.leg.startsWith("task-1/3/"));
    expect(runFile(state, "task-1", "03-implement-a1", "prompt.md")).toContain("needs timeout handling");
    shows("PRO-5.2", 3);
    await run.fact("asking-started", "task-1", (fact) => fact.at > entered.at);
    drop(state, "task-1.approve", "");
    await run.fact("task-completed", "task-1");
    expect(run.task("task-1").findings).toMatchObject([{ state: "fixed" }]);
  });

  test("PRO-2.4 on_wait that names another phase leads there without a round; without it the task stays", async () => {
    const config = `agents: {implementer: {command: agents/work.sh}}
signals: {window: {command: "test -e ../open || exit 75", every: 1s}, gate: {command: "test -e ../gate || exit 75", every: 1s}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: window, on_fail: implement}
    window: {run: signal window, on_pass: done, on_fail: implement, on_wait: gate}
    gate: {run: signal gate, on_pass: window, on_fail: implement}
`;
    const { repo } = project({ config, tasks: { "task-1": "Do it" }, files });
    const run = await start(repo);
    void run.run();
    const moved = await run.fact("phase-entered", "task-1", (fact) => fact.phase === "gate");
    expect(moved).toMatchObject({ cause: "WAIT", round: 0 });
    shows("PRO-2.4", 1);
    const pending = () =>
      run.ticks
        .flatMap((tick) => tick.inputs)
        .some((input) => input.kind === "signal-seen" && input.signal === "gate" && input.answer.status === "pending");
    await expect.poll(pending, { timeout: 10_000 }).toBe(true);
    expect(run.task("task-1")).toMatchObject({ phase: "gate", doing: { kind: "asking" }, round: 0 });
    shows("PRO-2.4", 2);
    writeFileSync(`${repo}/../open`, "");
    writeFileSync(`${repo}/../gate`, "");
    await run.fact("task-completed", "task-1");
  });
});

describe("pull requests and merges", () => {
  test("PRO-1.2 PRO-9.1 PRO-10.1 PRO-10.2 a draft when first needed, ready as its own step, merged by the forge that is wired", async () => {
    const { repo, origin, state } = project({ config: GATED, tasks: { "task-1": "Do it" }, files });
    const performed: { kind: string; task: string }[] = [];
    const run = await start(repo, {
      wrap: (parts) => ({
        ...parts,
        forge: {
          ...parts.forge,
          perform: (intent, body, permit) => {
            performed.push({ kind: intent.kind, task: intent.task });
            return parts.forge.perform(intent, body, permit);
          },
        },
      }),
    });
    void run.run();
    const opened = await run.fact("pr-opened", "task-1");
    await run.fact("asking-started", "task-1");
    const pr = () => JSON.parse(git(origin, "cat-file", "blob", "refs/pawl/pr/1")) as { state: string; branch: string };
    expect(pr()).toMatchObject({ state: "draft" });
    expect(git(origin, "rev-parse", "refs/heads/pawl/task-1")).toBe(run.task("task-1").head);
    shows("PRO-10.1", 1);
    expect(opened.url).toBe("pawl://pr/1");
    expect(run.task("task-1").pr).toBe("pawl://pr/1");
    shows("PRO-10.1", 2);
    const stillDraft = performed.every(({ kind }) => kind !== "mark-ready") && pr().state === "draft";
    drop(state, "task-1.approve", "");
    await run.fact("pr-readied", "task-1");
    const landed = await run.fact("merge-landed", "task-1");
    expect(stillDraft).toBe(true);
    expect(performed.filter(({ kind }) => kind === "mark-ready")).toEqual([{ kind: "mark-ready", task: "task-1" }]);
    shows("PRO-10.2", 1);
    const readied = run.facts.findIndex((fact) => fact.kind === "pr-readied");
    const markReady = run.facts.findIndex((fact) => fact.kind === "phase-entered" && fact.phase === "mark-ready");
    expect(markReady).toBeGreaterThanOrEqual(0);
    expect(readied).toBeGreaterThan(markReady);
    shows("PRO-10.2", 2);
    await run.fact("task-completed", "task-1");
    expect(performed.filter(({ kind }) => kind === "land" || kind === "prepare-merge")).toEqual([
      { kind: "prepare-merge", task: "task-1" },
      { kind: "land", task: "task-1" },
    ]);
    shows("PRO-1.2", 1);
    const tick = run.ticks.find((one) => one.facts.some((fact) => fact.kind === "merge-landed"))!;
    expect(tick.facts.map((fact) => fact.kind)).toEqual(
      expect.arrayContaining(["effect-closed", "merge-landed", "task-synced", "task-completed"]),
    );
    shows("PRO-1.2", 2);
    expect(git(origin, "rev-parse", "main")).toBe(landed.commit);
    expect(git(origin, "rev-list", "--count", `${landed.commit}^..${landed.commit}`)).toBe("1");
    expect(git(origin, "show", "main:task-1.txt")).toBe("work on task-1");
    const steps = Object.values(run.processor.settings.maps[0]!.phases).map(({ step }) => step);
    expect(steps).toContainEqual({ run: "action", name: "merge", how: "merge", pr: true });
    shows("PRO-9.1", 3);
    expect(pr()).toMatchObject({ state: "merged" });
  });
});
