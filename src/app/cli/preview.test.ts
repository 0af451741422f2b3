import { expect, it } from "vitest";
import { ago, row, sceneOf } from "../../../test/support/scenes.ts";
import type { Command } from "../../domain/input.ts";
import type { MapHash, PhaseName } from "../../domain/names.ts";
import { refusalOf } from "./preview.ts";

const NOTHING = { microUsd: 0, tokens: 0, wallMs: 0, spawns: 1 };

// A map that no live task is on is not in what a look at the store gives.
const ended = (status: "completed" | "failed") =>
  row("task-1", "One", {
    status,
    phase: null,
    map: "not-loaded" as MapHash,
    finished: ago(60),
    doing: { kind: "nothing" },
  });

const COMMANDS: readonly (readonly [string, Command, RegExp])[] = [
  ["retry", { do: "retry", from: null }, /^task-1 is completed; a new task is a new file$/],
  ["retry --from", { do: "retry", from: "verify" as PhaseName }, /^task-1 is completed; a new task is a new file$/],
  ["cancel", { do: "cancel", message: "no" }, /^task-1 is completed already$/],
  ["approve", { do: "approve", message: null, head: null }, /^task-1 does not wait for an answer \(completed\)/],
  ["extend", { do: "extend", timeMs: 0, add: NOTHING }, /^task-1 is completed; a new task is a new file$/],
  ["waive", { do: "waive", finding: "F1", message: "fine" }, /^task-1 has no finding F1; it has none$/],
];

it.each(COMMANDS)("%s of a completed task is refused at once where nobody ticks", (_, command, words) => {
  const task = ended("completed");
  expect(refusalOf(task, command, sceneOf({ rows: [task], quiet: true }))).toMatch(words);
});

it("retry of a failed task is left to the processor, which knows its map", () => {
  const task = ended("failed");
  const scene = sceneOf({ rows: [task], quiet: true });
  expect(refusalOf(task, { do: "retry", from: null }, scene)).toBe(null);
  expect(refusalOf(task, { do: "cancel", message: "no" }, scene)).toBe("task-1 is failed already");
});
