import { expect, it } from "vitest";
import { ago, plainInk, row, sceneOf, seed } from "../../../../test/support/scenes.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName } from "../../../domain/names.ts";
import type { Finding, Task } from "../../../domain/task.ts";
import { paletteOf } from "../palette.ts";
import { endJson, endLines, goingOnLines } from "./end.ts";
import { inkOf } from "./scene.ts";

const HEAD = "c41d09ec00000000000000000000000000000000" as Commit;
const spent = (usd: number, wallMs: number): Partial<Task> => ({
  ledger: {
    spent: { microUsd: usd * 1e6, tokens: 1, wallMs, spawns: 1 },
    reserved: {},
    extra: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 },
    estimated: [],
    moneyKnown: true,
  },
});
const F1: Finding = {
  id: "x",
  label: "F1",
  text: "no test",
  source: "verify",
  state: "open",
  seen: 1,
  reopened: 0,
  firstRound: 0,
  lastRound: 0,
};
const scene = sceneOf({
  spentUsd: 3.91,
  rows: [
    row("task-003", "Search by colour", {
      status: "completed",
      phase: null,
      round: 1,
      merged: HEAD,
      pr: "pawl://pr/3",
      head: HEAD,
      criteria: { met: 2, of: 2, head: HEAD },
      synced: true,
      ...spent(0.77, 552_000),
    }),
    row("task-005", "Dark mode", {
      status: "failed",
      round: 50,
      why: "exceeded max rounds (50 of 50)",
      findings: [F1],
      ...spent(1.02, 840_000),
    }),
  ],
  seeds: [seed("task-007", "Theme picker", ["task-005"])],
});

it("the table at the end of a run names what proves each result, and what to do about what failed", () => {
  expect(endLines(scene, ago(1_867), plainInk)).toEqual([
    "Ended after 31m07s: 1 completed, 1 failed, 1 not-started. $3.91, 4 spawns.",
    "task      title          result       rounds  crashes    time   cost  evidence",
    "task-003  Search by co…  completed         1        0   9m12s  $0.77  c41d09e, pr 3, 2 of 2 criteria",
    "task-005  Dark mode      failed           50        0  14m00s  $1.02  exceeded max rounds (50 of 50)",
    "task-007  Theme picker   not-started       0        0       –      –  cannot start: task-005 failed",
    "next: pawl show task-005 --findings; pawl retry task-005, or edit deps of task-007",
  ]);
});

it("names first what others hang on, says nothing twice, and how to see the rest; a draft asks for nothing", () => {
  const failed = (id: string): Task => row(id, "x", { status: "failed", why: "enough" });
  const short = { budget: { microUsd: 1, tokens: null, wallMs: null, spawns: null } };
  const lines = endLines(
    sceneOf({
      rows: ["task-001", "task-002", "task-003", "task-004"].map(failed),
      seeds: [
        seed("task-010", "x", ["task-004"]),
        seed("task-011", "x", ["task-010"]),
        seed("task-012", "x", [], { draft: true }),
        seed("task-013", "x"),
        seed("task-014", "x"),
      ],
      spentUsd: 1,
      limits: short,
    }),
    ago(9),
    plainInk,
  );
  expect(lines.slice(lines.findIndex((line) => line.startsWith("next: ")))).toEqual([
    "next: pawl show task-004; pawl retry task-004, or edit deps of task-010",
    "      pawl show task-001; pawl retry task-001",
    "      pawl show task-002; pawl retry task-002",
    "      1 more failed: pawl status --failed",
    "      raise budgets.backlog in pawl.yaml; it goes on by itself",
  ]);
});

it("criteria that were counted at another head are no evidence", () => {
  const older = "0000000000000000000000000000000000000000" as Commit;
  const done = row("task-1", "x", { status: "completed", head: HEAD, criteria: { met: 2, of: 2, head: older } });
  expect(endLines(sceneOf({ rows: [done], seeds: [] }), ago(9), plainInk).join("\n")).not.toContain("criteria");
});

it("says after --once which workers go on", () => {
  const doing = {
    kind: "running",
    purpose: "agent",
    leg: "task-001/1/1.1" as LegKey,
    host: "h" as HostName,
    since: ago(9),
    deadline: ago(-9) as Instant,
    ended: false,
    verdictSince: null,
    unseen: null,
    stopping: null,
  } as const;
  const lines = endLines(sceneOf({ rows: [row("task-001", "x", { doing })] }), ago(9), plainInk);
  expect(lines.at(-1)).toBe("1 worker goes on: task-001. pawl run adopts it.");
});

it("in a pipe nothing is cut", () => {
  const title = "漢".repeat(200);
  const text = "why ".repeat(200).trim();
  const long = sceneOf({ rows: [row("task-001", title, { status: "failed", why: text })] });
  const whole = endLines(long, ago(9), inkOf(paletteOf(false, true), 100, { cuts: false })).join("\n");
  expect(whole).toContain(title);
  expect(whole).toContain(text);
});

it("in JSON the table has the same rows", () => {
  expect(endJson(scene, { ending: "ended", since: ago(60) })).toMatchObject({
    ended: "ended",
    wall_ms: 60_000,
    cost_usd: 3.91,
    tasks: [{ task: "task-003", status: "completed", evidence: "c41d09e, pr 3, 2 of 2 criteria" }, {}, {}],
  });
});

it("Ctrl+C says which workers go on, and how to end them", () => {
  const running = {
    kind: "running",
    purpose: "agent",
    leg: "task-003/1/1.1" as LegKey,
    host: "h" as HostName,
    since: ago(9),
    deadline: ago(-9) as Instant,
    ended: false,
    verdictSince: null,
    unseen: null,
    stopping: null,
  } as const;
  const one = row("task-003", "Search", { phase: "implement" as PhaseName, doing: running });
  expect(
    goingOnLines(
      sceneOf({ rows: [one], sights: { "task-003": { pid: 4188, lastSign: null, progress: null, ended: false } } }),
    ),
  ).toEqual([
    "Stopped; all state is saved. 1 worker goes on: task-003 (pid 4188).",
    "next: pawl run (adopts them)   |   pawl stop --workers (ends them, keeps their worktrees)",
  ]);
  expect(goingOnLines(sceneOf({}))[0]).toBe("Stopped; all state is saved. No worker is at work.");
});
