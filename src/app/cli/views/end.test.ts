import { expect, it } from "vitest";
import { ago, plainInk, row, sceneOf, seed } from "../../../../test/support/scenes.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import { endJson, endLines, goingOnLines } from "./end.ts";

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
const scene = sceneOf({
  spentUsd: 3.91,
  rows: [
    row("task-003", "Search by colour", {
      status: "completed",
      phase: null,
      round: 1,
      merged: HEAD,
      pr: "pawl://pr/3",
      synced: true,
      ...spent(0.77, 552_000),
    }),
    row("task-005", "Dark mode", {
      status: "failed",
      round: 50,
      why: "exceeded max rounds (50 of 50)",
      ...spent(1.02, 840_000),
    }),
  ],
  seeds: [seed("task-007", "Theme picker", ["task-005"])],
});

it("the table at the end of a run names what proves each result, and what to do about what failed", () => {
  expect(endLines(scene, ago(1_867), plainInk)).toEqual([
    "Ended after 31m07s: 1 completed, 1 failed, 1 not-started. $3.91, 4 spawns.",
    "task      title          result       rounds  crashes    time   cost  evidence",
    "task-003  Search by co…  completed         1        0   9m12s  $0.77  c41d09e, pr 3",
    "task-005  Dark mode      failed           50        0  14m00s  $1.02  exceeded max rounds (50 of 50)",
    "task-007  Theme picker   not-started       0        0       –      –  cannot start: task-005 failed",
    "next: pawl show task-005 --findings; pawl retry task-005",
  ]);
});

it("in JSON the table has the same rows", () => {
  expect(endJson(scene, { ending: "ended", since: ago(60) })).toMatchObject({
    ended: "ended",
    wall_ms: 60_000,
    cost_usd: 3.91,
    tasks: [{ task: "task-003", status: "completed", evidence: "c41d09e, pr 3" }, {}, {}],
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
