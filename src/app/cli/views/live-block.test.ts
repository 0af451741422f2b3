import { expect, it } from "vitest";
import { ago, asciiInk, NOW, plainInk, row, sceneOf, seed } from "../../../../test/support/scenes.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName, TaskId } from "../../../domain/names.ts";
import type { Running, Task } from "../../../domain/task.ts";
import { type LiveState, liveBlock } from "./live-block.ts";

const HEAD = "4f2c1abc00000000000000000000000000000000" as Commit;
const running = (since: number): Running => ({
  kind: "running",
  purpose: "agent",
  leg: "task-003/3/1.1" as LegKey,
  host: "h" as HostName,
  since: ago(since),
  deadline: (NOW + 60_000) as Instant,
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
});
const spent = (usd: number): Partial<Task> => ({
  ledger: {
    spent: { microUsd: usd * 1e6, tokens: 1, wallMs: 1, spawns: 1 },
    reserved: {},
    extra: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 },
    estimated: [],
    moneyKnown: true,
  },
});
const state: LiveState = {
  heading: { repo: "acme/shop", base: "main", map: "default", epoch: 7, since: ago(761) },
  ended: [
    { id: "task-001" as TaskId, status: "completed", synced: true, merged: HEAD },
    { id: "task-002" as TaskId, status: "failed", synced: false, merged: null },
  ],
  seeds: 1,
  workers: 2,
  scene: sceneOf({
    spentUsd: 1.84,
    limits: { budget: { microUsd: 50e6, tokens: null, wallMs: null, spawns: null } },
    rows: [
      row("task-003", "Search by colour", { round: 1, doing: running(242), ...spent(0.38) }),
      row("task-004", "Export as CSV, 漢字 and 🚀, with everything that anybody ever asked for in it", {
        phase: "verify" as PhaseName,
        doing: running(75),
        ...spent(0.22),
      }),
      row("task-005", "Dark mode", {
        phase: "await-review" as PhaseName,
        head: HEAD,
        doing: { kind: "asking", signal: "human-approval", since: ago(1_320) },
        ...spent(0.4),
      }),
      row("task-006", "Bulk import", {
        doing: {
          kind: "waiting",
          on: { code: "blocked", owner: "human", reason: "BLOCKED: no key", since: ago(180), until: null },
        },
      }),
    ],
    seeds: [seed("task-007", "Theme picker", ["task-005"])],
    sights: {
      "task-003": {
        pid: 4188,
        lastSign: ago(1),
        progress: { status: "implementing", percent: 62, activity: "editing src/search.ts" },
        ended: false,
      },
    },
  }),
};

it("the live block shows bars of those at work, then what waits for whom, then what has not started", () => {
  expect(liveBlock(state, 24, plainInk)).toEqual([
    "pawl run · acme/shop on main · map default · epoch 7                                          12m41s",
    "workers 2 of 4 · 7 tasks: 1 completed, 1 failed, 4 in-progress, 1 not-started · $1.84 of $50.00",
    "",
    "● task-003  Search by colour      implement r1  ██████░░░░ 62 %  editing src/search.ts  4m02s  $0.38",
    "● task-004  Export as CSV, 漢字…  verify        running                                 1m15s  $0.22",
    "◷ task-005  Dark mode             await-review  you              pawl approve task-005    22m  $0.40",
    "◷ task-006  Bulk import           implement     you: BLOCKED     pawl why task-006         3m      –",
    "○ task-007  Theme picker          not-started   task-005",
    "1 completed: task-001 4f2c1ab",
    "1 failed: task-002",
  ]);
});

it("has ASCII for every mark", () => {
  const lines = liveBlock(state, 24, asciiInk).map((line) => line.replace(/[漢字🚀]/gu, ""));
  for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]*$/);
  expect(lines[3]).toContain("[#####   ] 62 %");
});

it("is never higher than the terminal, and says how many tasks are not shown", () => {
  const lines = liveBlock(state, 10, plainInk);
  expect(lines.length).toBeLessThan(10);
  expect(lines).toContain("2 more tasks: pawl status");
});
