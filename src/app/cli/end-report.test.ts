import { expect, it } from "vitest";
import { ago, row, type SceneOf, sceneOf, seed } from "../../../test/support/scenes.ts";
import type { HostName, LegKey, PhaseName } from "../../domain/names.ts";
import type { Running } from "../../domain/task.ts";
import { codeOf } from "./end-report.ts";

const running: Running = {
  kind: "running",
  purpose: "agent",
  leg: "task-1/1/1.1" as LegKey,
  host: "h" as HostName,
  since: ago(9),
  deadline: ago(-9),
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
};
const asking = { kind: "asking", signal: "human-approval", since: ago(9) } as const;
const gate = { phase: "await-review" as PhaseName, doing: asking };
const done = row("task-0", "x", { status: "completed", synced: true });

it.each<readonly [string, SceneOf, number]>([
  ["everything is completed", { rows: [done] }, 0],
  ["workers are at work after --once", { rows: [done, row("task-1", "x", { doing: running })] }, 0],
  [
    "what is left was not asked for, or is a draft",
    { rows: [done], seeds: [seed("task-2", "x"), seed("task-3", "x", [], { draft: true })] },
    0,
  ],
  [
    "a person has to answer, and another works",
    { rows: [row("task-1", "x", { doing: running }), row("task-2", "x", gate)] },
    5,
  ],
  [
    "something failed, and a person has to answer",
    { rows: [row("task-1", "x", { status: "failed", why: "x" }), row("task-2", "x", gate)] },
    1,
  ],
])("a run ends with the code that says that %s", (_what, of, code) => {
  expect(codeOf({ kind: "ended", rest: "idle" }, sceneOf(of))).toBe(code);
});
