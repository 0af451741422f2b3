import { describe, expect, it, test } from "vitest";
import {
  AGENT,
  aPhase,
  aSeed,
  asking,
  aTask,
  at,
  atPhase,
  boardOf,
  CHANGE,
  command,
  done,
  effect,
  effectEnded,
  ended,
  endOf,
  finding,
  GATE,
  HEAD,
  LEG,
  MAP,
  MERGE,
  MERGED,
  mapOf,
  NOW,
  notices,
  OTHER,
  READY,
  running,
  SIGNAL,
  TIP,
  turn,
  verdict,
  waiting,
} from "../../test/support/rows.ts";
import { NOTHING, UNLIMITED } from "./budget.ts";
import { explain } from "./explain.ts";
import type { Input } from "./input.ts";
import type { BlobHash, EffectKey, Instant, LegKey, PhaseName, TaskId } from "./names.ts";
import type { Step } from "./phase.ts";
import { nextOf } from "./step.ts";
import type { Approval, Seed, Task, Waiting } from "./task.ts";
import { overlap } from "./touches.ts";

const id = (task: string) => task as TaskId;
const seed = (name: string, terms: Partial<Seed["terms"]> = {}, deps: readonly string[] = []): Seed => {
  const made = aSeed(name, deps);
  return { ...made, terms: { ...made.terms, ...terms } };
};
const named = (task: Task, name: string): Task => ({
  ...task,
  id: id(name),
  terms: { ...task.terms, branch: `pawl/${name}` },
});
const busy = (name: string, purpose: "agent" | "action" = "agent"): Task =>
  aTask(name, { doing: running({ ended: false, purpose, leg: `${name}/1/1.1` as LegKey }) });
const approval = (head = HEAD): Approval => ({
  phase: "await-review" as PhaseName,
  by: "lead",
  head,
  patchId: "patch-1",
  at: 1 as Instant,
});

it("nothing to put into a pull request is for a worker to mend, wherever it comes out", async () => {
  const empty = atPhase("mark-ready", { pr: null, ready: false, change: null, published: null });
  const board = boardOf({ rows: [empty] });
  await turn(board);
  expect(board.task(empty.id)).toMatchObject({ phase: "implement", round: 1, findings: [{ key: "nothing-to-do" }] });
});

describe("what comes next, first missing first", () => {
  it("a draft at the merge goes back to the phase that marks it ready", () => {
    expect(nextOf(atPhase("merge", { ready: false }), MAP, boardOf({}).backlog.limits)).toEqual({
      kind: "back",
      to: "mark-ready",
      why: "draft",
    });
  });

  const one = (step: Step, lines = {}) => mapOf([aPhase("implement", step, lines)]);
  test.each<[string, Step, Partial<Task>, object]>([
    [
      "a worker in its own worktree needs nothing published",
      AGENT,
      { published: OTHER, pr: null },
      { kind: "slot", pool: "worker" },
    ],
    ["a gate: publish", GATE, { published: null, pr: null }, { kind: "publish" }],
    ["a gate: then the pull request", GATE, { pr: null }, { kind: "open-pr" }],
    ["a gate: then the question", GATE, {}, { kind: "ask", signal: "human-approval" }],
    ["nothing to put into a pull request", GATE, { pr: null, change: null, published: null }, { kind: "empty" }],
    ["no change: a person is asked without one", GATE, { pr: null, noChange: "none", change: null }, { kind: "ask" }],
    [
      "no change: pr-approved is passed over",
      SIGNAL,
      { pr: null, noChange: "none", change: null },
      { kind: "skip", note: "no change" },
    ],
    ["no change: mark-ready is passed over", READY, { pr: null, noChange: "none", change: null }, { kind: "skip" }],
    ["no change: merge is passed over", MERGE, { pr: null, noChange: "none", change: null }, { kind: "skip" }],
    [
      "no change: so is an action that needs a pull request",
      command({ pr: true }),
      { pr: null, noChange: "none", change: null },
      { kind: "skip" },
    ],
    [
      "no change: any other action runs",
      command(),
      { pr: null, noChange: "none", change: null },
      { kind: "slot", pool: "run", purpose: "action" },
    ],
    [
      "an action whose end a crash hid is asked for",
      command({ canAsk: true }),
      { unsure: 1 },
      { kind: "slot", purpose: "ask" },
    ],
    ["of this visit only", command({ canAsk: true }), { unsure: 1, visit: 2 }, { kind: "slot", purpose: "action" }],
    ["ready: mark-ready", READY, { ready: false }, { kind: "mark-ready" }],
    ["ready already", READY, {}, { kind: "skip" }],
    ["a draft is not merged", MERGE, { ready: false }, { kind: "hold", on: { code: "denied" } }],
    ["merge: a candidate first", MERGE, {}, { kind: "prepare-merge" }],
    [
      "merge: then it lands",
      MERGE,
      { candidate: { tip: TIP, commit: OTHER, head: HEAD, checked: false } },
      { kind: "land" },
    ],
    ["the limit of rounds", AGENT, { round: 50 }, { kind: "end", how: "rounds" }],
    ["one below it", AGENT, { round: 49 }, { kind: "slot" }],
    ["the task's own limit", AGENT, { round: 2, terms: { ...aSeed("task-1").terms, maxRounds: 2 } }, { kind: "end" }],
    [
      "max_conflicts",
      AGENT,
      { counts: { crashes: 0, infra: 0, conflicts: 5, tips: 0 } },
      { kind: "hold", on: { code: "conflicts" } },
    ],
    ["a finding that circles", AGENT, { findings: [finding({ seen: 3 })] }, { kind: "hold", on: { code: "findings" } }],
    ["a cancelled task goes before all", AGENT, { cancelling: "x", round: 50 }, { kind: "end", how: "cancelled" }],
  ])("%s", (_, step, change, wanted) => {
    expect(nextOf(atPhase("implement", change), one(step), boardOf({}).backlog.limits)).toMatchObject(wanted);
  });

  it("the check runs on the candidate, once, before it lands", () => {
    const map = one(MERGE, { check: "npm test" });
    const candidate = { tip: TIP, commit: OTHER, head: HEAD, checked: false };
    const { limits } = boardOf({}).backlog;
    expect(nextOf(atPhase("implement", { candidate }), map, limits)).toMatchObject({
      kind: "slot",
      pool: "run",
      purpose: "check",
    });
    expect(nextOf(atPhase("implement", { candidate: { ...candidate, checked: true } }), map, limits)).toMatchObject({
      kind: "land",
    });
  });

  it("an approval of another head, by head or by patch", () => {
    const task = atPhase("merge", { approvals: [approval(OTHER)] });
    const { limits } = boardOf({}).backlog;
    expect(nextOf(task, MAP, limits)).toMatchObject({ kind: "void", gate: "await-review" });
    expect(nextOf(task, MAP, { ...limits, approval: "patch" })).toMatchObject({ kind: "prepare-merge" });
    const moved = { ...task, change: { ...CHANGE, patchId: "patch-2" } };
    expect(nextOf(moved, MAP, { ...limits, approval: "patch" })).toMatchObject({ kind: "void" });
  });
});

describe("slots", () => {
  it("go to the lowest ids in natural order, and no further", async () => {
    const board = boardOf({
      seeds: ["task-10", "task-2", "task-3", "task-1", "task-11"].map((name) => seed(name)),
      limits: { maxWorkers: 3 },
    });
    expect((await turn(board)).kinds).toEqual(["task-1 spawn", "task-2 spawn", "task-3 spawn"]);
    expect((await turn(board)).kinds).toEqual([]);
  });
  it("workers and commands have slots of their own", async () => {
    const map = mapOf([aPhase("implement", AGENT, { onPass: "deploy" }), aPhase("deploy", command())]);
    const deploy = (name: string) => aTask(name, { phase: "deploy" as PhaseName });
    const board = boardOf({
      maps: [map],
      rows: [busy("task-1"), deploy("task-2"), deploy("task-3"), deploy("task-4")],
      limits: { maxWorkers: 1, maxRuns: 2 },
    });
    expect((await turn(board)).kinds).toEqual(["task-2 spawn", "task-3 spawn"]);
    expect(explain(board.task(id("task-4")), board)).toMatchObject({
      code: "slot",
      reason: "no free slot: 2 of 2 commands are at work",
    });
  });
  it("a dependency has to be completed and synced; its merge goes into the order", async () => {
    const over = { id: id("task-1"), status: "completed" as const, merged: MERGED };
    const of = (synced: boolean) => boardOf({ ended: [{ ...over, synced }], seeds: [seed("task-2", {}, ["task-1"])] });
    expect((await turn(of(false))).kinds).toEqual([]);
    const [spawn] = (await turn(of(true))).started;
    expect(spawn).toMatchObject({ kind: "spawn", wish: { place: { contains: [MERGED], start: null } } });
  });
  it("a draft is listed and not started; a first phase that needs no worker is entered without a slot", async () => {
    expect((await turn(boardOf({ seeds: [seed("task-1", { draft: true })] }))).kinds).toEqual([]);
    const map = mapOf([aPhase("implement", { run: "signal", name: "window", pr: false, answeredBy: "command" })]);
    const board = boardOf({ maps: [map], seeds: [seed("task-1")], limits: { maxWorkers: 1 }, rows: [] });
    await turn(board);
    await turn(board);
    expect(board.task(id("task-1"))).toMatchObject({ status: "in-progress", doing: { kind: "asking" } });
  });

  test.each([
    [["src/**"], ["src/a.ts"], true],
    [["src/a/**"], ["src/b/**"], false],
    [["**"], ["docs/x"], true],
    [["src/a"], ["src/ab"], true],
    [[], ["src/**"], false],
  ])("touches %j and %j overlap: %s", (a, b, wanted) => {
    expect([overlap(a, b), overlap(b, a)]).toEqual([wanted, wanted]);
  });
  it("overlapping tasks do not run side by side, also within one tick", async () => {
    const touches = ["src/**"];
    const board = boardOf({ seeds: [seed("task-1", { touches }), seed("task-2", { touches }), seed("task-3")] });
    expect((await turn(board)).kinds).toEqual(["task-1 spawn", "task-3 spawn"]);
    expect(explain(board.task(id("task-2")), board)).toMatchObject({ code: "touches", tasks: ["task-1"] });
  });
});

describe("budgets", () => {
  const spawns = (n: number) => ({ ...UNLIMITED, spawns: n });
  it("are reserved with the spawn, shared among those of one tick", async () => {
    const board = boardOf({
      seeds: ["task-1", "task-2", "task-3"].map((name) => seed(name)),
      limits: { budget: spawns(2) },
    });
    expect((await turn(board)).kinds).toEqual(["task-1 spawn", "task-2 spawn"]);
    expect(board.backlog.reserved).toMatchObject({ spawns: 2, wallMs: 7_200_000 });
    expect(explain(board.task(id("task-3")), board)).toMatchObject({
      code: "backlog-budget",
      owner: "processor",
      tasks: ["task-1", "task-2"],
    });
  });
  it("of a task: nothing left waits for a person, or fails it", async () => {
    const spent = aTask("task-1", {
      ledger: { ...aTask("x").ledger, spent: { ...NOTHING, spawns: 1 } },
      terms: { ...aSeed("task-1").terms, limit: spawns(1) },
    });
    const held = boardOf({ rows: [spent] });
    const { facts } = await turn(held);
    expect(held.task(id("task-1")).doing).toMatchObject({ on: { code: "budget", owner: "human" } });
    expect(notices(facts)).toEqual(["budget of the task is used up: spawns; pawl extend task-1"]);
    const failed = boardOf({ rows: [spent], limits: { onLimit: "fail" } });
    await turn(failed);
    expect(failed.statusOf(id("task-1"))).toBe("failed");
  });
  it("of the backlog: what is only reserved may come back, and asks nobody", async () => {
    const rows = [busy("task-1"), aTask("task-2")];
    const backlog = { reserved: { ...NOTHING, wallMs: 3_600_000, spawns: 1 } };
    const limits = { budget: { ...UNLIMITED, wallMs: 3_600_000 } };
    const board = boardOf({ rows, backlog, limits });
    expect((await turn(board)).facts).toEqual([]);
    expect(explain(board.task(id("task-2")), board)).toMatchObject({ code: "backlog-budget", owner: "processor" });
    const spent = boardOf({ rows, limits, backlog: { spent: backlog.reserved } });
    await turn(spent);
    expect(spent.task(id("task-2")).doing).toMatchObject({ on: { code: "backlog-budget", owner: "human" } });
    const raised = { ...spent.backlog.limits, budget: { ...UNLIMITED, wallMs: 9_000_000 } };
    const { facts } = await turn(spent, [{ kind: "settings-read", limits: raised }]);
    expect(facts.map(({ kind }) => kind)).toContain("task-released");
    expect(spent.task(id("task-2")).doing).toMatchObject({ kind: "effect", intent: { kind: "spawn" } });
  });
  it("a user's command takes none of it while it runs", async () => {
    const map = mapOf([aPhase("implement", command())]);
    const board = boardOf({ maps: [map], rows: [aTask("task-1")] });
    const [spawn] = (await turn(board)).started;
    expect(spawn).toMatchObject({ wish: { wallMs: 60_000, reserve: NOTHING } });
    expect(board.backlog.reserved).toEqual(NOTHING);
  });
});

describe("the merge queue", () => {
  const merging = (name: string, entered: number, change: Partial<Task> = {}) =>
    named(atPhase("merge", { entered: at(entered), ...change }), name);
  it("is worked on one at a time per base, by order of entry, then of ids", async () => {
    const next = { terms: { ...aSeed("x").terms, base: "next" } };
    const board = boardOf({
      rows: [merging("task-1", 9), merging("task-3", 5), merging("task-2", 5), { ...merging("task-4", 7), ...next }],
    });
    expect((await turn(board)).kinds).toEqual(["task-2 prepare-merge", "task-4 prepare-merge"]);
    expect(board.ahead(id("task-1"))).toEqual(["task-2", "task-3"]);
    expect(explain(board.task(id("task-1")), board)).toMatchObject({
      code: "queue",
      reason: "merge queue: behind task-2 on main, place 3",
    });
    expect((await turn(board)).kinds).toEqual([]);
  });
  it("is not held up by who waits, and the end of a notice does not end the read of a candidate", async () => {
    const chore = {
      kind: "notify" as const,
      key: "task-2/1/notify/1" as EffectKey,
      task: id("task-2"),
      event: "waiting" as const,
      text: "x",
    };
    const board = boardOf({
      rows: [
        merging("task-1", 1, { doing: waiting({ code: "base-dirty" }) }),
        merging("task-2", 2, { chores: [chore] }),
      ],
    });
    expect((await turn(board)).kinds).toEqual(["task-2 prepare-merge"]);
    const over: Input = { kind: "effect-ended", task: id("task-2"), key: chore.key, result: done({ what: "nothing" }) };
    expect((await turn(board, [over])).kinds).toEqual([]);
  });
  it("a candidate lands in the tick that hears of it", async () => {
    const board = boardOf({ rows: [atPhase("merge")] });
    await turn(board);
    const made = effectEnded("task-1/1/prepare-merge/1", done({ what: "candidate", tip: TIP, commit: OTHER }));
    const { started } = await turn(board, [made]);
    expect(started).toMatchObject([{ kind: "land", head: HEAD, tip: TIP, candidate: OTHER }]);
  });
});

describe("what falls due", () => {
  const gate = (lines: object) => mapOf([aPhase("implement", GATE, lines), aPhase("other", AGENT)]);
  const asked = (change: Partial<Task> = {}) =>
    atPhase("implement", { doing: asking(), waitingSince: at(NOW - 100), ...change });
  const due = async (board: ReturnType<typeof boardOf>, now: number = NOW) => ({
    ...(await turn(board, [], { now })),
    row: board.task(id("task-1")),
  });

  it("a timeout escalates without a round, at its time", async () => {
    const board = boardOf({ maps: [gate({ timeoutMs: 100, escalate: "other" })], rows: [asked()] });
    expect((await due(board, NOW - 1)).facts).toEqual([]);
    expect((await due(board)).row).toMatchObject({ phase: "other", round: 0 });
  });
  it("without escalate it is told once, and goes on waiting", async () => {
    const board = boardOf({ maps: [gate({ timeoutMs: 100 })], rows: [asked()] });
    expect(notices((await due(board)).facts)).toHaveLength(1);
    expect((await due(board, NOW + 500)).facts).toEqual([]);
  });
  it("work and the time for a slot do not count", () => {
    const on = (since: number): Waiting => ({
      code: "action-wait",
      owner: "processor",
      reason: "x",
      since: at(since),
      until: null,
    });
    const steps: readonly [number, "waits" | "goes on"][] = [
      [0, "waits"],
      [30, "goes on"],
      [500, "waits"],
      [530, "goes on"],
      [900, "waits"],
    ];
    const row = steps.reduce<Task>((task, [ms, what]) => {
      const now = NOW + ms;
      if (what === "goes on") return boardRow(task, { kind: "task-released", task: task.id, at: at(now) });
      return boardRow(task, { kind: "task-waiting", task: task.id, on: on(now) });
    }, atPhase("implement"));
    expect(row.waitingSince, "waited 60 of 900").toBe(NOW + 840);
  });
  it("infra back-off does not run into a timeout", async () => {
    const doing = waiting({ code: "effect", owner: "forge", until: at(NOW + 9_000) });
    expect(
      (await due(boardOf({ maps: [gate({ timeoutMs: 100, escalate: "other" })], rows: [asked({ doing })] }))).facts,
    ).toEqual([]);
  });
  it("a wait that ends goes on in the same tick", async () => {
    const board = boardOf({
      rows: [atPhase("implement", { doing: waiting({ code: "rate-limited", owner: "provider", until: NOW }) })],
    });
    expect((await due(board)).kinds).toEqual(["task-1 spawn"]);
  });
  it("a verdict beside a live process counts after 30 s; a deadline a minute after its driver's; each once", async () => {
    const at30 = (now: number, change: object) =>
      due(boardOf({ rows: [atPhase("implement", { doing: running({ ended: false, ...change }) })] }), now);
    expect((await at30(NOW + 29_999, { verdictSince: NOW })).kinds).toEqual([]);
    expect((await at30(NOW + 30_000, { verdictSince: NOW })).started).toMatchObject([
      { kind: "stop", why: "verdict-written" },
    ]);
    expect((await at30(NOW + 59_999, { deadline: NOW })).kinds).toEqual([]);
    expect((await at30(NOW + 60_000, { deadline: NOW })).started).toMatchObject([{ kind: "stop", why: "timeout" }]);
    expect((await at30(NOW + 60_000, { deadline: NOW, stopping: "timeout" })).kinds).toEqual([]);
  });
  it("after a sleep nothing is judged by the time that nobody lived through", async () => {
    const board = boardOf({
      rows: [
        atPhase("implement", { doing: running({ ended: false, deadline: at(NOW + 5), verdictSince: at(NOW - 5) }) }),
      ],
    });
    const { kinds } = await turn(board, [{ kind: "clock-gap", ms: 3_600_000 }], { now: NOW + 3_600_000 });
    expect(kinds).toEqual([]);
  });
  it("the limit of rounds fails the task when it is evaluated", async () => {
    const { row, facts } = await due(boardOf({ rows: [atPhase("implement", { round: 50 })] }));
    expect(row).toMatchObject({ status: "failed", why: "exceeded max rounds (50 of 50)" });
    expect(notices(facts)).toEqual(["exceeded max rounds (50 of 50)"]);
  });
});

describe("many ends at once", () => {
  const gone = (name: string): Input => ({
    kind: "run-seen",
    task: id(name),
    leg: `${name}/1/1.1` as LegKey,
    sighting: { kind: "ended", driver: "gone" },
  });
  const names = (n: number) => Array.from({ length: n }, (_, i) => `task-${i + 1}`);
  test.each([
    [4, 4, 0],
    [5, 10, 5],
    [5, 11, 0],
    [6, 6, 6],
  ])("%i of %i unseen: %i held", async (ended, all, held) => {
    const board = boardOf({ rows: names(all).map((name) => busy(name)) });
    const { of } = await turn(board, names(ended).map(gone));
    expect(of("task-waiting").filter((fact) => fact.on.code === "mass-end")).toHaveLength(held);
  });
});

describe("deadlock", () => {
  const failed = { ...aTask("task-1", { status: "failed", why: "x" }) };
  const over = [{ id: id("task-1"), status: "failed" as const, synced: false, merged: null }];
  const seeds = [seed("task-2", {}, ["task-1"]), seed("task-3", {}, ["task-2"]), seed("task-4")];

  it("is told once per chain, also of a root that failed long ago", async () => {
    const board = boardOf({ ended: over, seeds });
    const { of, facts } = await turn(board, [], { rows: [failed] });
    expect(of("deadlock-found").map((fact) => fact.chain)).toEqual([["task-1", "task-2", "task-3"]]);
    expect(notices(facts)[0]).toMatch(/task-2, task-3 cannot start, because task-1 failed/);
    expect((await turn(board, [], { rows: [failed] })).of("deadlock-found")).toEqual([]);
    expect(explain(board.task(id("task-2")), board)).toMatchObject({
      code: "stranded",
      owner: "human",
      tasks: ["task-1"],
    });
  });
  it("is told again when nothing goes on by itself any more, once", async () => {
    const board = boardOf({ rows: [busy("task-5"), failed], seeds: seeds.slice(0, 2) });
    expect(notices((await turn(board)).facts)).toHaveLength(1);
    board.apply({ kind: "task-completed", task: id("task-5"), evidence: "x", at: NOW });
    board.apply({ kind: "task-synced", task: id("task-5") });
    const still = await turn(board);
    expect(still.of("standstill-found")).toMatchObject([{ stranded: ["task-2", "task-3"] }]);
    expect(notices(still.facts)).toEqual([
      "nothing goes on by itself: task-2, task-3 cannot start, because task-1 failed",
    ]);
    expect((await turn(board)).of("standstill-found")).toEqual([]);
  });
  it("and not a second time where its failure was the last thing that went on", async () => {
    const board = boardOf({ rows: [failed], seeds: seeds.slice(0, 2) });
    const { of, facts } = await turn(board);
    expect(of("standstill-found")).toHaveLength(1);
    expect(notices(facts)).toHaveLength(1);
  });
  it("is told again when its root was retried and failed again", async () => {
    const board = boardOf({ ended: over, seeds });
    await turn(board, [], { rows: [failed] });
    const ask = { kind: "command-received" as const, id: "r", by: "lead", task: id("task-1") };
    await turn(board, [{ ...ask, command: { do: "retry", from: null } }], { rows: [failed] });
    expect(board.statusOf(id("task-1"))).toBe("in-progress");
    board.apply({ kind: "task-failed", task: id("task-1"), why: "again", at: NOW });
    expect((await turn(board)).of("deadlock-found")).toHaveLength(1);
  });
  it("is told of a task that comes to hang on a failed one later", async () => {
    const board = boardOf({ ended: over, seeds: [] });
    await turn(board, [], { rows: [failed] });
    const late = seed("task-9", {}, ["task-1"]);
    const first = await turn(board, [{ kind: "spec-read", task: late.id, spec: late.spec, terms: late.terms }], {
      rows: [failed],
    });
    const next = await turn(board, [], { rows: [failed] });
    expect([...first.of("deadlock-found"), ...next.of("deadlock-found")]).toHaveLength(1);
  });
  it("a task behind a failed one never starts by way of cancel and retry", async () => {
    const board = boardOf({ ended: over, seeds });
    const ask = { kind: "command-received" as const, by: "lead", task: id("task-2") };
    await turn(board, [{ ...ask, id: "a", command: { do: "cancel", message: "x" } }], { rows: [failed] });
    const { of } = await turn(board, [{ ...ask, id: "b", command: { do: "retry", from: null } }], { rows: [failed] });
    expect(of("command-answered")).toMatchObject([{ accepted: false }]);
  });
});

describe("stop", () => {
  it("lets workers go on, or ends them, and starts nothing", async () => {
    const stop = (workers: boolean): Input => ({
      kind: "command-received",
      id: "s",
      by: "lead",
      task: null,
      command: { do: "stop", workers },
    });
    const rows = [busy("task-1"), aTask("task-2")];
    expect((await turn(boardOf({ rows, seeds: [seed("task-3")] }), [stop(false)])).kinds).toEqual([]);
    const board = boardOf({ rows });
    expect((await turn(board, [stop(true)])).kinds).toEqual(["task-1 stop"]);
    expect((await turn(board)).kinds).toEqual([]);
    const over = { ...(ended(endOf("stopped"), LEG) as Extract<Input, { kind: "run-ended" }>) };
    await turn(board, [over]);
    expect(board.task(id("task-1"))).toMatchObject({ round: 0, doing: { kind: "nothing" } });
    expect((await turn(board, [{ kind: "processor-started", pid: 1, host: "h" }])).kinds).toEqual([
      "task-1 spawn",
      "task-2 spawn",
    ]);
  });
});

describe("one tick", () => {
  it("the end of a run, the next phase and its first effect are one", async () => {
    const board = boardOf({ rows: [atPhase("implement", { published: null, doing: running() })] });
    const { kinds } = await turn(board, [ended(verdict("PASS"))]);
    expect(kinds).toEqual(["task-1 publish"]);
  });
  it("a run that ended is read once", async () => {
    const board = boardOf({ rows: [atPhase("implement", { doing: running() })] });
    expect((await turn(board)).kinds).toEqual(["task-1 reap"]);
    expect((await turn(board)).kinds).toEqual([]);
  });
  it("a file that was read just before its task ended adds nothing", async () => {
    const row = aTask("task-1", { status: "completed", synced: true });
    const board = boardOf({ ended: [{ id: id("task-1"), status: "completed", synced: true, merged: null }] });
    const news: Input = { kind: "spec-read", task: id("task-1"), spec: "sha256-new" as BlobHash, terms: row.terms };
    const { facts } = await turn(board, [news], { rows: [row] });
    expect(facts).toEqual([]);
    expect([...board.seeds.keys()]).toEqual([]);
  });
  it("a role that the configuration has no more holds its task, and nobody else", async () => {
    const settings = {
      agents: {},
      cast: {},
      roles: {},
      actions: {},
      checks: [],
      worktree: { setup: null, copy: [] },
      env: [],
      protect: [],
    } as never;
    const map = mapOf([aPhase("implement", AGENT, { onPass: "ask" }), aPhase("ask", { ...GATE, pr: false } as Step)]);
    const board = boardOf({ maps: [map], rows: [aTask("task-1"), aTask("task-2", { phase: "ask" as PhaseName })] });
    await turn(board, [], { wardrobe: { settings } });
    expect(board.task(id("task-1"))).toMatchObject({
      ledger: { reserved: {} },
      doing: { on: { owner: "human", reason: expect.stringMatching(/no agent plays.*pawl retry task-1/) } },
    });
    expect(board.task(id("task-2")).doing.kind).toBe("asking");
  });
});

it("a task whose effect is refused after its row was published elsewhere starts a worker, not another publish", async () => {
  const board = boardOf({
    rows: [atPhase("verify", { published: null, doing: effect({ kind: "publish", to: HEAD }) })],
  });
  const { kinds } = await turn(board, [
    effectEnded("task-1/1/publish/1", { kind: "refused", code: "head-moved", detail: "x", files: [], actual: OTHER }),
  ]);
  expect(kinds).toEqual(["task-1 spawn"]);
});

function boardRow(task: Task, fact: Parameters<ReturnType<typeof boardOf>["apply"]>[0]): Task {
  const board = boardOf({ rows: [task] });
  board.apply(fact);
  return board.task(task.id);
}
