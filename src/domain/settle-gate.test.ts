import { describe, expect, it, test } from "vitest";
import {
  AGENT,
  aPhase,
  atPhase,
  boardOf,
  effect,
  ended,
  endOf,
  LEG,
  MAP,
  mapOf,
  NOW,
  notices,
  running,
  settled,
  turn,
  verdict,
} from "../../test/support/rows.ts";
import { add, NOTHING } from "./budget.ts";
import { explain } from "./explain.ts";
import type { AtGate, GateSaid, OpenRun } from "./gate.ts";
import type { Command, Input, Sighting } from "./input.ts";
import type { SpawnWish } from "./intent.ts";
import type { BlobHash, EffectKey, HostName, Instant, LegKey, PhaseName, RunKey, TaskId } from "./names.ts";
import type { Task } from "./task.ts";

const RUN = "task-1/1/1" as RunKey;
const RESERVE = { microUsd: 2, tokens: 3, wallMs: 60_000, spawns: 1 };
const WISH: SpawnWish = {
  run: RUN,
  leg: LEG,
  purpose: "agent",
  phase: "implement" as PhaseName,
  who: "implementer",
  round: 0,
  place: { kind: "worktree", branch: "pawl/task-1", base: "main", start: null, contains: [], merge: null },
  wallMs: 60_000,
  reserve: RESERVE,
};
const OPEN: OpenRun = { wish: WISH, brief: "sha256-brief" as BlobHash, legs: 1, leftMs: 60_000, answer: null };
const SUBMISSION = "sha256-plan" as BlobHash;

const at = (change: Partial<Task> = {}): Task =>
  atPhase("implement", {
    attempt: 1,
    n: 1,
    run: OPEN,
    doing: running({ ended: false, since: (NOW - 20_000) as Instant, deadline: (NOW + 40_000) as Instant }),
    ledger: { ...atPhase("implement").ledger, reserved: { [RUN]: RESERVE } },
    ...change,
  });
const GATE: AtGate = {
  kind: "at-gate",
  leg: LEG,
  host: "here" as HostName,
  gate: "GO",
  seq: 1,
  submission: SUBMISSION,
  head: null,
  alive: true,
  since: (NOW - 1_000) as Instant,
  until: (NOW + 1_000_000) as Instant,
  owners: ["rules"],
  stopping: null,
};
const atGate = (doing: Partial<AtGate> = {}, change: Partial<Task> = {}): Task =>
  at({ doing: { ...GATE, ...doing }, run: { ...OPEN, leftMs: 40_000 }, ...change });

const seen = (sighting: Partial<Extract<Sighting, { kind: "gate" }>> = {}): Input => ({
  kind: "run-seen",
  task: "task-1" as TaskId,
  leg: LEG,
  sighting: { kind: "gate", gate: "GO", seq: 1, submission: SUBMISSION, head: null, alive: true, ...sighting },
});
const said = (word: GateSaid["word"], of: Partial<Extract<Input, { kind: "gate-said" }>> = {}): Input => ({
  kind: "gate-said",
  task: "task-1" as TaskId,
  leg: LEG,
  seq: 1,
  owner: "rules",
  said: { word, issues: word === "FEEDBACK" ? [{ id: "P1", text: "no test", about: "plan" }] : [], reason: null },
  ...of,
});
const asked = (command: Command): Input => ({
  kind: "command-received",
  id: "c1",
  by: "lead",
  task: "task-1" as TaskId,
  command,
});
const delivered = ({ chores }: Task) =>
  chores.flatMap((chore) => (chore.kind === "deliver" ? [[chore.name, JSON.parse(chore.message)]] : []));

it("a worker that is spawned opens a run, and its next leg goes on with the same one", () => {
  const spawning = (wish: SpawnWish, run: OpenRun | null) =>
    at({ run, doing: effect({ kind: "spawn", wish, brief: OPEN.brief }) });
  const done = (leg: LegKey): Input => ({
    kind: "effect-ended",
    task: "task-1" as TaskId,
    key: "task-1/1/spawn/1" as EffectKey,
    result: { kind: "done", made: { what: "leg", leg, host: "here" as HostName, at: NOW }, found: false },
  });
  expect(settled(spawning(WISH, null), done(LEG)).row.run).toEqual(OPEN);
  const second = `${RUN}.2` as LegKey;
  const { row } = settled(spawning({ ...WISH, leg: second }, OPEN), done(second));
  expect(row.run).toEqual({ ...OPEN, legs: 2 });
});

it("a later leg that certainly was not started keeps its run and what is reserved for it", () => {
  const wish = { ...WISH, leg: `${RUN}.2` as LegKey };
  const { row } = settled(at({ run: OPEN, doing: effect({ kind: "spawn", wish, brief: OPEN.brief }) }), {
    kind: "effect-ended",
    task: "task-1" as TaskId,
    key: "task-1/1/spawn/1" as EffectKey,
    result: { kind: "later", until: null, owner: "host", detail: "no disk" },
  });
  expect(row).toMatchObject({ run: OPEN, doing: { kind: "waiting" }, ledger: { reserved: { [RUN]: RESERVE } } });
});

describe("a gate opens", () => {
  it("with the time that is left standing, and costs no slot when its worker is parked", () => {
    const { row } = settled(at(), seen({ alive: false }));
    expect(row.doing).toMatchObject({ kind: "at-gate", gate: "GO", seq: 1, alive: false, owners: ["rules"] });
    expect(row.run).toMatchObject({ leftMs: 40_000, legs: 1 });
    expect(row.round).toBe(0);
    const board = boardOf({ rows: [row], maps: [MAP] });
    expect(board.holders("worker")).toEqual([]);
    expect(explain(row, board)).toMatchObject({ code: "gate", owner: "processor", reason: "GO: its plan (001)" });
  });

  it("of a living worker holds its slot; when that ends it is free", () => {
    const { row } = settled(at(), seen());
    expect(boardOf({ rows: [row], maps: [MAP] }).holders("worker")).toHaveLength(1);
    const parked = settled(row, seen({ alive: false }));
    expect(parked.facts.map(({ kind }) => kind)).toEqual(["worker-parked"]);
    expect(parked.row.doing).toMatchObject({ kind: "at-gate", alive: false });
    expect(settled(row, seen()).facts).toEqual([]);
  });

  it("for a person, who is told with the commands", () => {
    const gates = { go: ["human" as const], next: ["human" as const], timeoutMs: 1_000 };
    const { row, facts } = settled(at(), seen({ alive: false }), { limits: { gates } });
    expect(notices(facts)[0]).toContain("pawl go task-1 | pawl feedback task-1");
    expect(explain(row, boardOf({ rows: [row], maps: [MAP] }))).toMatchObject({ owner: "human" });
  });
});

describe("an answer", () => {
  it("to a living worker is delivered, and it goes on where it is with the time it had left", () => {
    const { row } = settled(atGate(), said("GO"));
    expect(row.doing).toMatchObject({ kind: "running", leg: LEG, deadline: NOW + 40_000 });
    expect(delivered(row)).toEqual([
      [
        "001-GO.json",
        expect.objectContaining({ message_type: "GO", in_reply_to: "001-PLAN_SUBMISSION.json", by: "rules" }),
      ],
    ]);
  });

  it("to a parked one is delivered, and a new leg of the same attempt goes on with it; no round, no spawn of the budget", async () => {
    const { row } = settled(atGate({ alive: false }), said("FEEDBACK"));
    expect(row).toMatchObject({ doing: { kind: "nothing" }, round: 0, visit: 1, attempt: 1 });
    const [, message] = delivered(row)[0]!;
    expect(message).toMatchObject({ message_type: "FEEDBACK", issues: [{ id: "P1", text: "no test" }] });
    const board = boardOf({
      rows: [row],
      maps: [MAP],
      limits: { budget: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 } },
    });
    const { started, facts } = await turn(board, [], {});
    const spawn = started.find(({ kind }) => kind === "spawn");
    expect(spawn).toMatchObject({
      brief: "sha256-brief",
      wish: { run: RUN, leg: `${RUN}.2`, wallMs: 40_000, answer: { name: "001-FEEDBACK.json" } },
    });
    expect(facts.map(({ kind }) => kind)).not.toContain("budget-reserved");
    expect(board.task("task-1" as TaskId)).toMatchObject({ attempt: 1, doing: { kind: "effect" } });
  });

  it("is taken once: a second one, a late one, and one of another gate change nothing", () => {
    const { row } = settled(atGate(), said("GO"));
    expect(settled(row, said("FEEDBACK")).facts.map(({ kind }) => kind)).toEqual(["input-ignored"]);
    expect(settled(atGate(), said("GO", { seq: 2 })).facts.map(({ kind }) => kind)).toEqual(["input-ignored"]);
    expect(settled(atGate(), said("NEXT")).facts.map(({ kind }) => kind)).toEqual(["input-ignored"]);
  });

  it("that lies there unread when its worker has ended is read by the next leg; the owner is not asked again", () => {
    const { row } = settled(atGate(), said("GO"));
    expect(settled(row, seen({ alive: true })).facts, "it has not taken it yet").toEqual([]);
    const parked = settled(row, seen({ alive: false }));
    expect(parked.facts.map(({ kind }) => kind)).toEqual(["worker-parked"]);
    expect(parked.row.doing).toEqual({ kind: "nothing" });
  });

  it.each([
    ["GO", "FEEDBACK", "after 2 plan revisions the owner still says: no test"],
    ["NEXT", "FIX", "after 2 fix attempts the owner still says: no test"],
  ] as const)(
    "at %s sends its worker back twice; the third %s is BLOCKED, whoever the worker is",
    (gate, word, reason) => {
      let run: OpenRun = { ...OPEN, leftMs: 40_000 };
      const issues = [{ id: "P1", text: "no test", about: "plan" as const }];
      const words = [1, 2, 3].map((seq) => {
        const no = said(word, { seq, said: { word, issues, reason: null } });
        const { row } = settled(at({ doing: { ...GATE, gate, seq }, run }), no);
        run = row.run!;
        return run.answer!.word;
      });
      expect(words).toEqual([word, word, "BLOCKED"]);
      expect(JSON.parse(run.answer!.message)).toMatchObject({ message_type: "BLOCKED", reason });
      expect(run.answer!.name).toBe("003-BLOCKED.json");
    },
  );

  it("yes of the first owner asks the second; a no is the answer at once", () => {
    const both = atGate({ owners: ["rules", "human"], alive: false });
    const passed = settled(both, said("GO"));
    expect(passed.row.doing).toMatchObject({ kind: "at-gate", owners: ["human"] });
    expect(notices(passed.facts)[0]).toContain("pawl go task-1");
    expect(delivered(passed.row)).toEqual([]);
    expect(delivered(settled(both, said("FEEDBACK")).row)).toHaveLength(1);
  });
});

describe("a person's answer", () => {
  test.each<[Command, Partial<AtGate>, string | null]>([
    [{ do: "go", seq: 1, message: null }, {}, "001-GO.json"],
    [{ do: "feedback", seq: null, message: "keep the flag" }, {}, "001-FEEDBACK.json"],
    [{ do: "block", seq: null, message: "not now" }, {}, "001-BLOCKED.json"],
    [{ do: "next", seq: 3, message: "fine" }, { gate: "NEXT", seq: 3 }, "003-NEXT.json"],
    [{ do: "fix", seq: null, message: "no test" }, { gate: "NEXT", seq: 3 }, "003-FIX.json"],
    [{ do: "next", seq: null, message: null }, {}, null],
    [{ do: "go", seq: 2, message: null }, {}, null],
  ])("%o", (command, gate, name) => {
    const { row, facts } = settled(atGate(gate), asked(command));
    expect(facts).toContainEqual(expect.objectContaining({ kind: "command-answered", accepted: name !== null }));
    expect(delivered(row).map(([one]) => one)).toEqual(name === null ? [] : [name]);
  });

  it("of a task at no gate is refused", () => {
    const { facts } = settled(at(), asked({ do: "go", seq: null, message: null }));
    expect(facts).toContainEqual(
      expect.objectContaining({ accepted: false, reply: expect.stringContaining("no gate") }),
    );
  });
});

describe("a run at its gate that is not answered", () => {
  it("is given up when its phase escalates; what it may have spent counts, once", async () => {
    const map = mapOf([aPhase("implement", AGENT, { escalate: "ask" }), aPhase("ask", AGENT)]);
    const board = boardOf({ rows: [atGate({ alive: false, until: NOW })], maps: [map] });
    const { facts } = await turn(board, [], { now: NOW });
    const row = board.task("task-1" as TaskId);
    expect(row).toMatchObject({ phase: "ask", round: 0, run: null });
    expect(row.ledger.reserved).not.toHaveProperty(RUN);
    expect(facts.filter(({ kind }) => kind === "budget-settled")).toHaveLength(1);
  });

  it("is told once where its phase does not say, and waits on", async () => {
    const board = boardOf({ rows: [atGate({ alive: false, until: NOW, owners: ["human"] })], maps: [MAP] });
    const { facts } = await turn(board, [], { now: NOW });
    expect(notices(facts)).toHaveLength(1);
    expect((await turn(board, [], { now: NOW + 100_000_000 })).facts).toEqual([]);
    expect(board.task("task-1" as TaskId).doing).toMatchObject({ kind: "at-gate", until: null });
  });

  it("ends with a verdict or by cancel; its reservation is settled", () => {
    const row = settled(atGate(), { ...seen(), sighting: { kind: "ended", driver: "ended" } } as Input).row;
    expect(row.doing).toMatchObject({ kind: "running", ended: true });
    const over = settled(row, ended(verdict("BLOCKED")));
    expect(over.row).toMatchObject({ run: null, doing: { kind: "waiting" } });
    const cancelled = settled(atGate({ alive: false }), asked({ do: "cancel", message: "no need" })).row;
    expect(cancelled).toMatchObject({ status: "failed", run: null });
    expect(cancelled.ledger.spent).toEqual(add(NOTHING, { ...RESERVE, wallMs: 20_000 }));
    const alive = settled(atGate(), asked({ do: "cancel", message: "no need" })).row;
    expect(settled(alive, seen({ alive: false })).row.doing).toMatchObject({ kind: "running", ended: true });
  });

  it("is given more time by extend, whether somebody works or not", () => {
    const more = asked({ do: "extend", timeMs: 5_000, add: NOTHING });
    const { row } = settled(atGate({ alive: false }), more);
    expect(row.run).toMatchObject({ leftMs: 45_000 });
    expect(delivered(row)[0]![0]).toContain("EXTEND");
  });
});

it("a crash in a later leg is a crash like any other", () => {
  const resumed = at({ run: { ...OPEN, legs: 2 }, doing: running({ leg: `${RUN}.2` as LegKey }) });
  const { row } = settled(resumed, { ...ended(endOf("no-verdict")), leg: `${RUN}.2` } as Input);
  expect(row).toMatchObject({ round: 1, visit: 2, run: null });
});
