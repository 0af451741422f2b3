import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scratch } from "../../../test/support/scratch.ts";
import type { LegKey } from "../../domain/names.ts";
import { said } from "./by-rule.ts";
import type { Conclusion } from "./conclude.ts";
import type { Drive } from "./leg.ts";
import { heldToScreen } from "./screen-work.ts";

const step = (outcome: string, more: object = {}) => ({
  step: 1,
  screenshot: "screenshots/1.png",
  size: [4, 4],
  thinking: "",
  action: { action: "FINISH" },
  result: { outcome, attempts: 1 },
  timestamp: "2026-11-29T00:00:00.000Z",
  duration: 1,
  ...more,
});

const whole = {
  version: 1,
  task_goal: "find it",
  task_id: "task-1",
  status: "success",
  reason: "found it",
  total_steps: 1,
  duration: 1,
  target: "adb:x",
  agent: "m",
  screenshots: "files",
  settings: {},
  started_at: "2026-11-29T00:00:00.000Z",
  ended_at: "2026-11-29T00:00:01.000Z",
  steps: [step("finished")],
};

/** A PASS of a worker that left this as its trajectory.json, and these pictures. */
function held(left: unknown, { pictures = ["1.png"], isOnScreen = true, end = said("PASS", "found it") } = {}) {
  const state = scratch();
  const run = join(state, "runs/task-1/01-look-a1");
  mkdirSync(join(run, "device/screenshots"), { recursive: true });
  const text = typeof left === "string" ? left : JSON.stringify(left);
  if (left !== null) writeFileSync(join(run, "device/trajectory.json"), text);
  for (const name of pictures) writeFileSync(join(run, "device/screenshots", name), "PNG");
  const drive = { program: isOnScreen ? { isOnScreen } : {} } as unknown as Drive;
  const at = { leg: "task-1/1/1.1" as LegKey, run, folder: join(run, "leg-1") };
  const ended = heldToScreen(end as Conclusion, drive, { at, state });
  rmSync(state, { recursive: true });
  return ended;
}

test("6.10 a PASS on a screen counts with a whole trajectory that FINISH ended, and names it", () => {
  const trajectory = "runs/task-1/01-look-a1/device/trajectory.json";
  expect(held(whole)).toMatchObject({ verdict: "PASS", detail: "found it", trajectory });
  expect(held({ ...whole, screenshots: "base64" }, { pictures: [] })).toMatchObject({ verdict: "PASS", trajectory });
});

describe("6.10 a PASS on a screen is a FAIL with a finding where its trajectory", () => {
  test.each([
    ["is not there", null, /there is no device\/trajectory.json/],
    ["is no JSON", "{", /it is no JSON/],
    ["is none", "{}", /version: /],
    ["ended otherwise", { ...whole, status: "timeout", reason: "9 of 9" }, /it ended as timeout: 9 of 9/],
    ["lacks steps", { ...whole, total_steps: 2 }, /it has 1 of 2 steps/],
    ["has no steps", { ...whole, total_steps: 0, steps: [] }, /its last step is no FINISH/],
    ["ends with another action", { ...whole, steps: [step("done")] }, /its last step is no FINISH/],
  ])("%s", (_, left, text) => {
    const end = held(left);
    expect(end).toMatchObject({
      verdict: "FAIL",
      findings: [{ key: "trajectory", text: expect.stringMatching(text) }],
    });
    expect(end).not.toHaveProperty("trajectory");
  });

  test("lacks a picture that it names", () => {
    expect(held(whole, { pictures: [] })).toMatchObject({ verdict: "FAIL", detail: /./ });
    const after = { ...whole, steps: [step("finished", { screenshot_after: "screenshots/2.png" })] };
    expect((held(after) as { detail: string }).detail).toContain("its picture screenshots/2.png is missing");
  });
});

test("other verdicts, and workers in the repository, are not asked for one", () => {
  expect(held(null, { isOnScreen: false })).toMatchObject({ verdict: "PASS" });
  expect(held(null, { end: said("BLOCKED", "no phone") })).toMatchObject({ verdict: "BLOCKED" });
});
