import { describe, expect, test } from "vitest";
import type { Instant } from "../domain/names.ts";
import type { FrameRef } from "./event.ts";
import { afterCapture } from "./evolve-look.ts";
import { type DeviceRun, newRun, type Stage } from "./run-state.ts";
import { DEVICE_DEFAULTS } from "./settings.ts";

const at = { at: 0 as Instant, mono: 0 };
const picture = (hash: string, isBlack = false): FrameRef => ({ hash, width: 10, height: 10, isBlack });

/** A tap that failed, or whose answer never came, on a screen that was seen so; and what is seen now. */
function looked(why: Extract<Stage, { at: "looking" }>["why"], before: FrameRef, now: FrameRef): DeviceRun {
  const began = { kind: "run-began", goal: "g", taskId: "t", target: "adb:x", agent: "a" } as const;
  const run: DeviceRun = {
    ...newRun({ ...began, settings: DEVICE_DEFAULTS, ...at }),
    frame: before,
    pending: {
      thinking: "",
      action: { action: "tap", coordinate: [0.5, 0.5] },
      saidAt: 0 as Instant,
      attempts: 1,
      error: { code: "SCREEN_REFUSED", message: "no" },
    },
    stage: { at: "looking", why, tries: 0 },
  };
  return afterCapture(run, { kind: "frame-captured", frame: now, ...at });
}

describe("a screen that changed shows that an action happened all the same", () => {
  test.each(["retry", "unsure"] as const)("%s: another picture is taken for it", (why) => {
    expect(looked(why, picture("a"), picture("b")).stage).toMatchObject({
      at: "recording",
      result: { outcome: "done", changed: true },
    });
  });

  test.each([
    ["retry", "before", { at: "acting" }],
    ["retry", "now", { at: "acting" }],
    ["unsure", "before", { at: "pausing" }],
    ["again", "now", { at: "recording", result: { outcome: "unsure" } }],
  ] as const)("%s: not where the picture %s is all black and hides it", (why, when, stage) => {
    const [before, now] = [picture("a", when === "before"), picture("b", when === "now")];
    expect(looked(why, before, now).stage).toMatchObject(stage);
  });
});
