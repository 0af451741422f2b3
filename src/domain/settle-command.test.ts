import { describe, expect, it, test } from "vitest";
import {
  AGENT,
  answered,
  aPhase,
  aSeed,
  asking,
  atPhase,
  CHANGE,
  effect,
  ended,
  finding,
  HEAD,
  LEG,
  MAP,
  mapOf,
  notices,
  OTHER,
  request,
  running,
  settled,
  verdict,
  waiting,
} from "../../test/support/rows.ts";
import { DEFAULT_LIMITS } from "./backlog.ts";
import type { Command, Input } from "./input.ts";
import type { Instant, PhaseName, TaskId } from "./names.ts";
import { pristine } from "./pristine.ts";
import { nextOf } from "./step.ts";
import type { Approval, Task } from "./task.ts";

const approve: Command = { do: "approve", head: null, message: null };
const reject: Command = { do: "reject", head: null, message: "needs a timeout" };
const cancel: Command = { do: "cancel", message: "no need" };
const retry = (from: string | null = null): Command => ({ do: "retry", from: from as PhaseName | null });
const extend = (timeMs = 60_000): Command => ({
  do: "extend",
  timeMs,
  add: { microUsd: 5, tokens: 0, wallMs: 0, spawns: 1 },
});
const waive = (what: string): Command => ({ do: "waive", finding: what, message: "by design" });
const SEED = pristine(aSeed("task-1"));
const GATE = atPhase("await-review", { doing: asking() });
const HELD = atPhase("verify", { doing: waiting({}) });
const WORK = atPhase("verify", { doing: running({ ended: false }) });
const ACT = atPhase("verify", { doing: effect({ kind: "publish" }) });
const reply = (task: Task | null, command: Command, around = {}) =>
  settled(task ?? SEED, request(command, task === null ? null : "task-1"), around).of("command-answered")[0]!;

test("a command that only another release knows is refused with a word, and ends nothing", () => {
  const newer = { do: "pause", head: null } as unknown as Command;
  const { facts } = settled(GATE, request(newer));
  expect(facts).toEqual([
    expect.objectContaining({
      kind: "command-answered",
      accepted: false,
      reply: expect.stringContaining('know "pause"'),
    }),
  ]);
});

describe("a request is refused with what would fit", () => {
  test.each<[string, Task, Command, RegExp]>([
    ["approve of work", WORK, approve, /does not wait for an answer.*pawl why task-1/],
    ["approve of what is held", HELD, approve, /does not wait/],
    ["approve of another head", GATE, { ...approve, head: OTHER } as Command, /is aaaaaaa, not bbbbbbb.*pawl show/],
    ["reject before the start", SEED, reject, /not-started/],
    ["waive of an unknown finding", { ...HELD, findings: [finding()] }, waive("F9"), /no finding F9; it has F1/],
    ["waive of a fixed one", { ...HELD, findings: [finding({ state: "fixed" })] }, waive("F1"), /fixed already/],
    ["extend before the start", SEED, extend(), /has not started.*its file/],
    ["extend of what is over", { ...HELD, status: "failed" }, extend(), /pawl retry task-1/],
    ["extend of what is completed", { ...HELD, status: "completed" }, extend(), /a new task is a new file/],
    ["retry before the start", SEED, retry(), /has not started/],
    ["retry of a worker", WORK, retry(), /at work/],
    ["retry of what is asked", GATE, retry(), /waiting for an answer/],
    ["retry of what is completed", { ...HELD, status: "completed" }, retry(), /a new task is a new file/],
    ["retry from an unknown phase", HELD, retry("build"), /has no phase build; it has implement/],
    ["cancel of what is over", { ...HELD, status: "completed" }, cancel, /completed already/],
    ["cancel twice", { ...WORK, cancelling: "x" }, cancel, /being cancelled already/],
    ["cancel of a merge under way", atPhase("merge", { doing: effect({ kind: "land" }) }), cancel, /under way/],
  ])("%s", (_, task, command, why) => {
    const answer = reply(task, command);
    expect(answer).toMatchObject({ accepted: false, reply: expect.stringMatching(why) });
    const { row } = settled(task, request(command));
    expect(row).toEqual(task);
  });

  it("a task that nobody knows", () => {
    const input = { ...request(approve), task: "nobody" as TaskId } as Input;
    expect(settled(SEED, input).of("command-answered")).toHaveLength(1);
  });
  it("a signal that its own command answers", () => {
    const map = {
      ...MAP,
      phases: {
        ...MAP.phases,
        "await-review": {
          ...MAP.phases["await-review"]!,
          step: { run: "signal", name: "window", pr: false, answeredBy: "command" } as const,
        },
      },
    };
    expect(reply(GATE, approve, { map })).toMatchObject({
      accepted: false,
      reply: expect.stringMatching(/window, which its own command answers/),
    });
  });
  it("retry of one that never began, while a dependency is not met: nothing starts around it", () => {
    const failed = { ...SEED, status: "failed" as const };
    expect(reply(failed, retry(), { unmet: ["task-0"] })).toMatchObject({
      accepted: false,
      reply: expect.stringMatching(/task-0/),
    });
    expect(reply(failed, retry())).toMatchObject({ accepted: true });
  });
});

describe("approve and reject", () => {
  it("approve is ADVANCE, bound to head and patch, its words kept as context", () => {
    const { row } = settled(GATE, request({ ...approve, head: HEAD, message: "well done" } as Command));
    expect(row).toMatchObject({
      phase: "mark-ready",
      round: 0,
      approvals: [{ phase: "await-review", head: HEAD, patchId: "patch-1" }],
      notes: [{ text: "well done" }],
    });
  });
  it("reject is RETRY, its words a finding; NO_CHANGE is taken back", () => {
    const { row } = settled({ ...GATE, noChange: "none needed" }, request(reject));
    expect(row).toMatchObject({
      phase: "implement",
      round: 1,
      noChange: null,
      findings: [{ text: "needs a timeout", source: "await-review" }],
    });
  });
  it("an answer is taken once, about this head, by whom is asked", () => {
    expect(settled({ ...GATE, answers: ["answer-1"] }, answered()).row.phase).toBe("await-review");
    expect(settled(GATE, answered({ head: OTHER })).row.phase).toBe("await-review");
    expect(settled(GATE, answered({}, "window")).row.phase).toBe("await-review");
    expect(settled(GATE, answered({ head: HEAD })).row.phase).toBe("mark-ready");
  });
  it("a pending answer stays, or goes to on_wait without a round", () => {
    expect(settled(GATE, answered({ status: "pending" })).facts).toEqual([]);
    const map = {
      ...MAP,
      phases: { ...MAP.phases, "await-review": { ...MAP.phases["await-review"]!, onWait: "verify" as PhaseName } },
    };
    expect(settled(GATE, answered({ status: "pending" }), { map }).row).toMatchObject({ phase: "verify", round: 0 });
  });
});

describe("extend, waive", () => {
  it("extend of a worker lengthens its attempt, its budget, and tells it", () => {
    const { row } = settled(WORK, request(extend()));
    expect(row).toMatchObject({
      doing: { deadline: 3_660_001 },
      ledger: { extra: { wallMs: 60_000, microUsd: 5, spawns: 1 } },
    });
    const [sent] = row.chores;
    expect(sent).toMatchObject({ kind: "deliver", leg: LEG, name: "001-EXTEND.json" });
    const message = JSON.parse(sent!.kind === "deliver" ? sent!.message : "");
    expect(message).toMatchObject({
      message_type: "EXTEND",
      agent_id: "verifier-task-1/1/1",
      task_id: "task-1",
      minutes: 1,
      by: "lead",
    });
  });
  it("extend of what waits for its budget lets it go on", () => {
    expect(settled({ ...HELD, doing: waiting({ code: "budget" }) }, request(extend(0))).row.doing).toEqual({
      kind: "nothing",
    });
    expect(settled(HELD, request(extend(0))).row.doing.kind, "BLOCKED is another matter").toBe("waiting");
  });
  it("waive by label or id; the last one that circles lets the task go on", () => {
    const findings = [finding({ seen: 3 }), finding({ id: "x", label: "F2", seen: 3 })];
    const held = { ...HELD, doing: waiting({ code: "findings" }), findings };
    const one = settled(held, request(waive("f1"))).row;
    expect(one).toMatchObject({ doing: { kind: "waiting" }, findings: [{ state: "waived" }, { state: "open" }] });
    expect(settled(one, request(waive("x"))).row.doing.kind).toBe("nothing");
  });
});

describe("retry", () => {
  it("opens a new visit of the phase with fresh counters, findings counted anew", () => {
    const task = {
      ...HELD,
      round: 7,
      counts: { crashes: 2, infra: 2, conflicts: 2, tips: 2 },
      findings: [finding({ seen: 3, reopened: 1 })],
    };
    expect(settled(task, request(retry())).row).toMatchObject({
      phase: "verify",
      visit: 2,
      round: 0,
      counts: { crashes: 0, infra: 0, conflicts: 0, tips: 0 },
      findings: [{ seen: 1, reopened: 0 }],
      doing: { kind: "nothing" },
    });
  });
  it("opens a failed task, from another phase if wanted", () => {
    expect(
      settled({ ...HELD, status: "failed", doing: { kind: "nothing" } }, request(retry("implement"))).row,
    ).toMatchObject({ status: "in-progress", phase: "implement", why: null });
  });
  it("of a pull request that was closed forgets it", () => {
    expect(settled({ ...HELD, doing: waiting({ code: "pr-closed" }) }, request(retry())).row).toMatchObject({
      pr: null,
      ready: false,
    });
  });
});

describe("cancel", () => {
  test.each<[string, Task, Partial<Task>]>([
    ["before its start", SEED, { status: "failed" }],
    ["held", HELD, { status: "failed" }],
    ["asking", GATE, { status: "failed" }],
    ["idle", atPhase("merge"), { status: "failed" }],
    ["acting", ACT, { status: "in-progress", cancelling: "cancelled by lead: no need" }],
    ["at work", WORK, { status: "in-progress", cancelling: "cancelled by lead: no need" }],
  ])("%s", (_, task, wanted) => {
    const { row, facts } = settled(task, request(cancel));
    expect(row).toMatchObject(wanted);
    if (row.status === "failed") expect(notices(facts)).toHaveLength(1);
    else if (row.doing.kind === "running") expect(row.chores).toMatchObject([{ kind: "stop", why: "cancel" }]);
  });
});

describe("a map that was edited", () => {
  const phases = { ...MAP.phases };
  const newest = { ...MAP, hash: "map-2" as typeof MAP.hash, phases };
  it("is taken at the entry of a phase that it has by name", () => {
    expect(settled(GATE, request(approve), { newest }).row).toMatchObject({ phase: "mark-ready", map: "map-2" });
  });
  it("is not taken at the entry of one that it has no more", () => {
    const { "mark-ready": _, ...fewer } = phases;
    expect(settled(GATE, request(approve), { newest: { ...newest, phases: fewer } }).row).toMatchObject({
      phase: "mark-ready",
      map: "map-1",
    });
  });
});

describe("what others did at the forge", () => {
  const OPEN: Approval = {
    phase: "await-review" as PhaseName,
    by: "lead",
    head: HEAD,
    patchId: "patch-1",
    at: 1 as Instant,
  };
  const seen = (task: Task, branch: Partial<Extract<Input, { kind: "branch-seen" }>["branch"]>, map = MAP) =>
    settled(
      task,
      {
        kind: "branch-seen",
        task: task.id,
        branch: { head: HEAD, change: CHANGE, pr: "open", merged: null, ...branch },
      },
      { map },
    );
  /** nobody verifies on this one */
  const UNVERIFIED = mapOf([
    aPhase("implement", AGENT, { onPass: "await-review" }),
    ...["await-review", "mark-ready", "merge"].map((name) => MAP.phases[name]!),
  ]);

  it("merged by hand completes a task at its gate, and stops a worker first", () => {
    expect(seen(GATE, { merged: OTHER, pr: "merged" }).row).toMatchObject({
      status: "completed",
      merged: OTHER,
      synced: true,
    });
    expect(seen(WORK, { merged: OTHER, pr: "merged" }).row).toMatchObject({
      status: "in-progress",
      doing: { stopping: "merged" },
    });
  });
  it("closed by hand holds, but what is held keeps its reason", () => {
    expect(seen(GATE, { pr: "closed" }).row).toMatchObject({ pr: null, doing: { on: { code: "pr-closed" } } });
    expect(seen(HELD, { pr: "closed" }).row).toMatchObject({ pr: null, doing: { on: { code: "blocked" } } });
  });
  it("a push voids the approval and goes back to the verifier, or to the gate where there is none; what is held stays held", () => {
    const infra = waiting({ code: "effect", owner: "forge", until: 5 as Instant });
    const at = (doing: Task["doing"]) => atPhase("merge", { approvals: [OPEN], doing });
    const back = { head: OTHER, approvals: [], counts: { conflicts: 1 }, round: 0 };
    expect(seen(at(infra), { head: OTHER }).row).toMatchObject({ ...back, phase: "verify" });
    expect(seen(GATE, { head: OTHER }).row).toMatchObject({ ...back, phase: "verify" });
    expect(seen(at(infra), { head: OTHER }, UNVERIFIED).row).toMatchObject({ ...back, phase: "await-review" });
    expect(seen(at(waiting({})), { head: OTHER }).row).toMatchObject({
      phase: "merge",
      head: OTHER,
      approvals: [OPEN],
      doing: { kind: "waiting" },
    });
  });
  it("a head of somebody else's is verified before anything but a worker goes on with it", () => {
    const theirs = atPhase("merge", { head: OTHER, published: OTHER, foreign: true });
    const next = (task: Task) => nextOf(task, MAP, DEFAULT_LIMITS);
    expect(next(theirs)).toEqual({ kind: "back", to: "verify", why: "foreign" });
    expect(next({ ...theirs, phase: "verify" as PhaseName })).toMatchObject({ kind: "slot" });
    expect(next({ ...theirs, phase: "resolve" as PhaseName })).toMatchObject({ kind: "slot" });
    const verified = settled({ ...theirs, phase: "verify" as PhaseName, doing: running() }, ended(verdict("PASS"))).row;
    expect(verified).toMatchObject({ phase: "await-review", foreign: false });
  });
  it("what a pushed commit brings is counted when it is known", () => {
    const uncounted = { ...GATE, change: { ...CHANGE, patchId: null } };
    const change = { ...CHANGE, commits: 3, patchId: "patch-2" };
    expect(seen(uncounted, { change }).row).toMatchObject({ change, phase: GATE.phase, foreign: false });
    expect(seen(GATE, { change }).facts).toEqual([]);
  });
  it("a push during work is for the publish to find", () => {
    expect(seen(WORK, { head: OTHER }).facts).toEqual([]);
  });
});

describe("task files", () => {
  const terms = { ...aSeed("task-1").terms, title: "another", deps: ["task-0" as TaskId], base: "next" };
  const read = (task: Task, t = terms) =>
    settled(task, { kind: "spec-read", task: task.id, spec: SEED.spec, terms: t });
  it("before pickup everything counts; under way not what branch and dependants were made from", () => {
    expect(read(SEED).row.terms).toEqual(terms);
    expect(read(WORK).row.terms).toMatchObject({ title: "another", deps: [], base: "main" });
  });
  it("the same words twice say nothing the second time, also where a part of them does not count", () => {
    expect(read(read(WORK).row).facts).toEqual([]);
  });
  it("a task that is over is not touched", () => {
    expect(read({ ...WORK, status: "completed" }).facts).toEqual([]);
  });
  it("a deleted file is said, and cancels nothing", () => {
    const { row } = settled(WORK, { kind: "spec-gone", task: WORK.id });
    expect(row).toMatchObject({ gone: true, status: "in-progress" });
  });
});
