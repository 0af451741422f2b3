import { describe, expect, it } from "vitest";
import { ago, asciiInk, NOW, plainInk, row, sceneOf, seed } from "../../../../test/support/scenes.ts";
import type { Commit, HostName, LegKey, PhaseName } from "../../../domain/names.ts";
import type { Running, Task } from "../../../domain/task.ts";
import { paletteOf } from "../palette.ts";
import { width } from "../printable.ts";
import { inkOf } from "./scene.ts";
import { statusJson, statusLines } from "./status.ts";

const HEAD = "9be21f0c00000000000000000000000000000000" as Commit;
const running = (leg: string): Running => ({
  kind: "running",
  purpose: "agent",
  leg: leg as LegKey,
  host: "birch" as HostName,
  since: ago(240),
  deadline: (NOW + 1_380_000) as Running["deadline"],
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
});
const spent = (usd: number): Partial<Task> => ({
  ledger: {
    spent: { microUsd: usd * 1e6, tokens: 1, wallMs: 60_000, spawns: 1 },
    reserved: {},
    extra: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 },
    estimated: [],
    moneyKnown: true,
  },
});
const scene = sceneOf({
  spentUsd: 1.84,
  limits: { budget: { microUsd: 50e6, tokens: null, wallMs: null, spawns: null } },
  rows: [
    row("task-001", "Read the catalogue", {
      status: "completed",
      phase: null,
      merged: HEAD,
      synced: true,
      finished: ago(3_600),
    }),
    row("task-003", "Search by colour", { round: 1, doing: running("task-003/3/1.1"), ...spent(0.38) }),
    row("task-005", "Dark mode", {
      phase: "await-review" as PhaseName,
      head: HEAD,
      doing: { kind: "asking", signal: "human-approval", since: ago(1_320) },
      ...spent(0.4),
    }),
    row("task-010", "Delete accounts", {
      status: "failed",
      why: "exceeded max rounds (50 of 50)",
      finished: ago(90_000),
    }),
  ],
  seeds: [seed("task-007", "Theme picker", ["task-005"])],
  sights: {
    "task-003": {
      pid: 4188,
      lastSign: ago(8),
      progress: { status: "implementing", percent: 62, activity: "edit" },
      ended: false,
    },
  },
});

describe("pawl status", () => {
  it("says all of it in one line, then a line for each task in natural order, then what waits for you", () => {
    expect(statusLines(scene, {}, plainInk)).toEqual([
      "5 tasks: 1 completed, 1 failed, 2 in-progress, 1 not-started · $1.84 of $50.00 · pid 4121 ticked 1s ago",
      "task      title            status       phase         round  waits for                  since   cost",
      "task-001  Read the catal…  completed    –                 0  9be21f0                    08:53      –",
      "task-003  Search by colo…  in-progress  implement         1  its worker, 62 %           09:49  $0.38",
      "task-005  Dark mode        in-progress  await-review      0  you: approve 9be21f0       09:31  $0.40",
      "task-007  Theme picker     not-started  –                 –  task-005                       –      –",
      "task-010  Delete accounts  failed       implement         0  exceeded max rounds (50…  27 Nov      –",
      "waiting for you: task-005",
    ]);
  });
  it.each([
    ["--waiting", { waiting: true }, ["task-005"]],
    ["--failed", { failed: true }, ["task-010"]],
    ["both", { waiting: true, failed: true }, ["task-005", "task-010"]],
  ])("%s shows only those", (_name, filter, ids) => {
    expect(statusJson(scene, filter).tasks.map(({ task }) => task)).toEqual(ids);
  });
  it("says that nobody ticks, and what an empty backlog needs", () => {
    expect(statusLines(sceneOf({ quiet: true }), {}, plainInk)).toEqual([
      "0 tasks · – · nobody ticks; pawl run",
      'next: pawl add "TITLE", then pawl run',
    ]);
  });
  it("leaves out columns where a terminal is narrow, and cuts no id and no command", () => {
    const lines = statusLines(scene, {}, inkOf(paletteOf(false, true), 60));
    expect(lines.slice(1, -1)).toEqual([
      "task      title       phase         waits for",
      "task-001  Read the …  –             9be21f0",
      "task-003  Search by…  implement     its worker, 62 %",
      "task-005  Dark mode   await-review  you: approve 9be21f0",
      "task-007  Theme pic…  –             task-005",
      "task-010  Delete ac…  implement     exceeded max rounds (50…",
    ]);
    for (const line of lines.slice(1)) expect([line, width(line) <= 60]).toEqual([line, true]);
  });
  it("a long reason in a pipe is whole, and makes no other line longer", () => {
    const reason = `spawn: ${"a very long reason ".repeat(20)}`.trim();
    const on = { code: "effect", owner: "human", reason, since: ago(60), until: null } as const;
    const rows = [
      row("task-001", "Short", { doing: { kind: "waiting", on } }),
      row("task-002", "Other", { status: "failed", why: reason, finished: ago(60) }),
      row("task-003", "Third", { doing: running("task-003/3/1.1") }),
    ];
    const lines = statusLines(sceneOf({ rows }), {}, inkOf(paletteOf(false, true), 100, { cuts: false }));
    expect(lines.filter((line) => line.includes(reason))).toHaveLength(2);
    for (const line of [lines[1]!, lines.find((one) => one.startsWith("task-003"))!])
      expect([line, width(line) < 120]).toEqual([line, true]);
  });
  it("is ASCII alone where nothing else can be shown", () => {
    for (const line of statusLines(scene, {}, asciiInk)) expect(line).toMatch(/^[\x20-\x7e]*$/);
  });
});
