import { expect, it } from "vitest";
import { ago, MAP, plainInk, row, sceneOf } from "../../../../test/support/scenes.ts";
import type { PhaseMap } from "../../../domain/phase.ts";
import { endLines } from "./end.ts";
import { showLines } from "./show.ts";

const LOOK: PhaseMap = { ...MAP, phases: { implement: { ...MAP.phases.implement!, onPass: "done" } } };
const bare = row("task-1", "find a kettle", { noChange: "found it", trajectory: "runs/task-1/t.json" });
const onScreen = { ...bare, terms: { ...bare.terms, environment: "device" as const } };
const done = { ...onScreen, status: "completed" as const };
const ALONE = "on the model's word alone: found it: runs/task-1/t.json";

it("what is done on a screen, and judged by nobody, says so in the table at the end and in show", () => {
  const scene = sceneOf({ rows: [done], map: LOOK });
  expect(endLines(scene, ago(9), plainInk).join("\n")).toMatch(/on the model's word alone: f/);
  const shown = showLines({ task: done, history: [], file: null }, scene, plainInk).join(" ");
  expect(shown).toContain(ALONE);
});

it("show says it before it is completed, too", () => {
  const scene = sceneOf({ rows: [onScreen], map: LOOK });
  const shown = showLines({ task: onScreen, history: [], file: null }, scene, plainInk).join(" ").replace(/\s+/g, " ");
  expect(shown).toContain("judged by nobody: the model's own word completes it");
});

it("a judge on its map, or work in a worktree, makes it none", () => {
  const judged = sceneOf({ rows: [done] });
  const commits = { ...done, terms: bare.terms };
  const unjudged = sceneOf({ rows: [commits], map: LOOK });
  for (const [scene, task] of [
    [judged, done],
    [unjudged, commits],
  ] as const) {
    const shown = showLines({ task, history: [], file: null }, scene, plainInk).join(" ");
    expect(shown).not.toMatch(/word/);
  }
});
