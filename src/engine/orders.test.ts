import { describe, expect, it, test } from "vitest";
import {
  aPhase,
  aSettings,
  atPhase,
  boardOf,
  finding,
  HEAD,
  MAP,
  MERGE,
  mapOf,
  wardrobeOf,
} from "../../test/support/rows.ts";
import { aFile } from "../../test/support/task-file.ts";
import type { SpawnWish, WantedIntent } from "../domain/intent.ts";
import type { EffectKey, LegKey, MapHash, PhaseName, RunKey, TaskId } from "../domain/names.ts";
import type { Purpose, Task } from "../domain/task.ts";
import type { Brief } from "../ports/runtime.ts";
import type { Settings } from "../ports/settings.ts";
import type { Unread } from "../ports/source.ts";
import { assignmentSchema } from "../protocol/assignment.ts";
import type { TaskFile } from "../protocol/task-file.ts";
import { dress } from "./orders.ts";
import { composePrompt, PROMPT_BUDGET } from "./prompt.ts";
import { newsOf } from "./reading.ts";

const TASK = atPhase("implement", {
  findings: [
    finding({ text: "missing timeout", file: "src/a.ts", line: 4 }),
    finding({ label: "F2", state: "fixed", text: "old" }),
  ],
  notes: [{ from: "lead", text: "mind the clock", phase: "await-review" as PhaseName }],
});
const spawn = (change: Partial<SpawnWish> = {}): WantedIntent => ({
  kind: "spawn",
  key: "task-1/1/spawn/1" as EffectKey,
  task: "task-1" as TaskId,
  wish: {
    run: "task-1/1/1" as RunKey,
    leg: "task-1/1/1.1" as LegKey,
    purpose: "agent",
    phase: "implement" as PhaseName,
    who: "implementer",
    round: 0,
    place: { kind: "worktree", branch: "pawl/task-1", base: "main", start: HEAD, contains: [], merge: null },
    wallMs: 60_000,
    reserve: { microUsd: 2_500_000, tokens: 9, wallMs: 60_000, spawns: 1 },
    ...change,
  },
});
const briefOf = async (
  wish: Partial<SpawnWish> = {},
  { task = TASK, file = {}, maps = [MAP] }: { task?: Task; file?: Partial<TaskFile>; maps?: (typeof MAP)[] } = {},
) => {
  const wardrobe = wardrobeOf(boardOf({ rows: [task], maps }), { file: async () => aFile("task-1", file) });
  const { blob } = await dress(spawn(wish), wardrobe, new Map());
  return JSON.parse(new TextDecoder().decode(blob!.bytes)) as Brief;
};

describe("an order", () => {
  test("names of key variables go to the agent that has them, and to no other run", async () => {
    const keys = ["ANTHROPIC_API_KEY"];
    const settings = { ...aSettings, agents: { any: { ...aSettings.agents.any!, passes: keys } } };
    const wardrobe = wardrobeOf(boardOf({ rows: [TASK], maps: [MAP] }), { settings });
    const envOf = async (wish: Partial<SpawnWish>) => {
      const { blob } = await dress(spawn(wish), wardrobe, new Map());
      return (JSON.parse(new TextDecoder().decode(blob!.bytes)) as Brief).env;
    };
    expect(await envOf({})).toEqual([...settings.env, ...keys]);
    const merging = aPhase("merge", MERGE, { check: "npm test" });
    const checked = boardOf({ rows: [{ ...TASK, phase: merging.name }], maps: [mapOf([merging])] });
    const { blob } = await dress(
      spawn({ purpose: "check", phase: merging.name, who: "merge" }),
      wardrobeOf(checked, { settings }),
      new Map(),
    );
    expect((JSON.parse(new TextDecoder().decode(blob!.bytes)) as Brief).env).toEqual(settings.env);
  });

  it("has an assignment that the protocol takes, with the open findings alone", async () => {
    const { assignment } = await briefOf();
    expect(assignmentSchema.parse(assignment)).toMatchObject({
      agent_id: "implementer-task-1/1/1",
      timeout_minutes: 1,
      findings: [{ id: "F1", text: "missing timeout", file: "src/a.ts", line: 4 }],
      notes: ["mind the clock"],
      budget: { cost_usd: 2.5, tokens: 9, wall_ms: 60_000 },
    });
  });
  test.each<[Purpose, string, string]>([
    ["agent", "implementer", "true"],
    ["action", "deploy", "deploy"],
    ["ask", "deploy", "deployed?"],
  ])("for %s runs the command of %s", async (purpose, who, wanted) => {
    const brief = await briefOf({ purpose, who });
    expect(brief.program.command).toBe(wanted);
    expect(brief.prompt === "").toBe(purpose !== "agent");
    assignmentSchema.parse(brief.assignment);
  });
  it("for a check runs the one of the task's own map, also where a newer one has another", async () => {
    const of = (hash: string, check: string) => ({
      ...mapOf([aPhase("merge", MERGE, { check })], hash),
      name: "default",
    });
    const task = atPhase("merge", { map: "map-1" as MapHash });
    const maps = [of("map-1", "old check"), of("map-2", "new check")];
    expect(
      (await briefOf({ purpose: "check", phase: "merge" as PhaseName, who: "merge" }, { task, maps })).program.command,
    ).toBe("old check");
  });
  test.each([
    [{ purpose: "agent", who: "nobody" }, { agents: {}, cast: {} }, "AGENT_MISSING"],
    [{ purpose: "action", who: "gone" }, {}, "ACTION_MISSING"],
    [{ purpose: "check", who: "x" }, {}, "CHECK_MISSING"],
  ] as const)("%j with what is not configured is a PawlError", async (wish, settings, code) => {
    const wardrobe = wardrobeOf(boardOf({ rows: [TASK] }), { settings: { ...aSettings, ...settings } });
    await expect(dress(spawn(wish as Partial<SpawnWish>), wardrobe, new Map())).rejects.toMatchObject({ code });
  });
  it("the same row and files give the same bytes, and so the same hash", async () => {
    const once = () => dress(spawn(), wardrobeOf(boardOf({ rows: [TASK] })), new Map());
    expect((await once()).blob!.hash).toBe((await once()).blob!.hash);
  });
  it("a task's own agent goes before the cast", async () => {
    const settings = {
      ...aSettings,
      agents: { ...aSettings.agents, mine: { ...aSettings.agents.any!, command: "mine" } },
    };
    const wardrobe = wardrobeOf(boardOf({ rows: [TASK] }), {
      settings,
      file: async () => aFile("task-1", { agents: { implementer: "mine" } }),
    });
    const { blob } = await dress(spawn(), wardrobe, new Map());
    expect(JSON.parse(new TextDecoder().decode(blob!.bytes)).program.command).toBe("mine");
  });
});

describe("a prompt", () => {
  const compose = (change: Partial<Parameters<typeof composePrompt>[0]> = {}) =>
    composePrompt({
      role: "implementer",
      roleText: "You implement.",
      file: aFile("task-1"),
      task: TASK,
      authorized: ["src/**"],
      protect: ["ci/**"],
      checks: ["npm test"],
      ...change,
    });

  it("is role, task, criteria, open findings, notes, constraints, in this order, the same every time", () => {
    const text = compose();
    const places = [
      "You implement.",
      "# Task task-1",
      "What task-1",
      "AC-001",
      "F1 (src/a.ts:4), from verify: missing timeout",
      "mind the clock",
      "change only files that match: src/**",
      "never change: ci/**",
      "`npm test` must pass",
      "round 0",
    ].map((part) => text.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text).not.toContain("old");
    expect(compose()).toBe(text);
  });
  it("has a budget; each part is cut where it says so, and none pushes out the constraints", () => {
    const long = "x".repeat(200_000);
    const notes = Array.from({ length: 50 }, (_, i) => ({
      from: "lead",
      text: `${i} ${"y".repeat(900)}`,
      phase: "implement" as PhaseName,
    }));
    const findings = Array.from({ length: 100 }, (_, i) =>
      finding({ id: `${i}`, label: `F${i}`, text: "z".repeat(900) }),
    );
    const criteria = Array.from({ length: 100 }, (_, i) => ({ id: `AC-${i}`, text: "w".repeat(900) }));
    const text = compose({
      roleText: long,
      file: aFile("task-1", { body: long, acceptanceCriteria: criteria }),
      task: { ...TASK, notes, findings },
    });
    expect(text.length).toBeLessThanOrEqual(PROMPT_BUDGET + 200);
    for (const what of ["the role text", "the task's text", "the acceptance criteria", "the findings", "the notes"])
      expect(text).toContain(`[${what} was cut here:`);
    expect(text).toContain("never change: ci/**");
    expect(text, "the newest note is kept").toContain("- lead, at implement: 49 ");
    expect(text).not.toContain("[the prompt was cut here");
  });
  it("never ends in half a character", () => {
    const text = compose({ roleText: "x".repeat(15_999) + "😀".repeat(9) });
    expect(text).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });
});

describe("what files say that is news", () => {
  const spec = (id: string, change: Partial<Task["terms"]> = {}) => ({
    id: id as TaskId,
    spec: TASK.spec,
    bytes: new Uint8Array(),
    terms: { ...TASK.terms, ...change },
  });
  const reading = (specs: ReturnType<typeof spec>[], errors: never[] = []) => ({
    settings: null as Settings | null,
    specs,
    unread: [] as Unread[],
    errors,
    warnings: [],
  });
  const said = (board: ReturnType<typeof boardOf>, what: ReturnType<typeof reading>) =>
    newsOf(what, board).map(({ input }) => input.kind);

  it("a new, a changed and a deleted file; not what is known, nor what is over", () => {
    expect(said(boardOf({}), reading([spec("task-1")]))).toEqual(["spec-read"]);
    expect(said(boardOf({ rows: [TASK] }), reading([spec("task-1")]))).toEqual([]);
    expect(said(boardOf({ rows: [TASK] }), reading([spec("task-1", { title: "x" })]))).toEqual(["spec-read"]);
    expect(
      said(boardOf({ rows: [TASK] }), reading([spec("task-1", { deps: ["task-0" as TaskId] })])),
      "does not count under way",
    ).toEqual([]);
    expect(said(boardOf({ rows: [TASK] }), reading([]))).toEqual(["spec-gone"]);
    expect(
      said(
        boardOf({ ended: [{ id: TASK.id, status: "completed", synced: true, merged: null }] }),
        reading([spec("task-1", { title: "x" })]),
      ),
    ).toEqual([]);
  });
  it("a file with a fault hides no other that was deleted, where it is certain whose it is", () => {
    const board = () => boardOf({ rows: [TASK, { ...TASK, id: "task-2" as TaskId }] });
    const whole = { limits: board().backlog.limits, maps: [] } as unknown as Settings;
    const broken = (...unread: Unread[]) => ({ ...reading([], [new Error("x") as never]), settings: whole, unread });
    const gone = (what: ReturnType<typeof reading>) =>
      newsOf(what, board()).flatMap(({ input }) => (input.kind === "spec-gone" ? [input.task] : []));
    expect(gone(broken({ id: "task-1", isSure: true }))).toEqual(["task-2"]);
    expect(gone(broken({ id: "task-1", isSure: false }))).toEqual(["task-2"]);
    expect(gone(broken({ id: "new", isSure: true }))).toEqual(["task-1", "task-2"]);
    expect(gone(broken({ id: "new", isSure: false })), "it may be any task's").toEqual([]);
  });
  it("with a fault of pawl.yaml no file is taken for deleted", () => {
    expect(said(boardOf({ rows: [TASK] }), reading([], [new Error("x") as never]))).toEqual([]);
  });
});
