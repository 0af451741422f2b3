import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { VisionAgent } from "../../src/ports/vision-agent.ts";
import { type Android, startAndroid } from "../support/android/android.ts";
import { suiteNeeding } from "../support/needs.ts";
import { actScenarios } from "./scenarios-act.ts";
import { faultScenarios } from "./scenarios-fault.ts";
import { loopScenarios } from "./scenarios-loop.ts";
import { adbHere } from "./support/adb-here.ts";
import { androidStage } from "./support/android-stage.ts";
import { drive } from "./support/drive.ts";
import { sceneOn } from "./support/scene.ts";

setFlagsFromString("--expose-gc");

suiteNeeding({ program: "adb", debianPackage: "adb", works: adbHere() }, "the executor on a phone", () => {
  let android: Android;
  const scene = sceneOn(() => androidStage(android), test);
  beforeAll(async () => {
    android = await startAndroid();
    await scene.begin();
  });
  afterAll(async () => {
    await scene.end();
    await android?.close();
  });
  test("of 60 pictures none but the last two stays in memory", async () => {
    const { bridge, places } = await scene.fresh();
    const seen: WeakRef<Uint8Array>[] = [];
    const agent: VisionAgent = {
      name: "looks",
      async predict({ screenshot }) {
        seen.push(new WeakRef(screenshot.png));
        const action = { action: "tap", coordinate: places.find } as const;
        return { thinking: "", action: seen.length > 60 ? { action: "FINISH", reason: "" } : action };
      },
    };
    let alive = 0;
    const collect = runInNewContext("gc") as () => void;
    const saw = ({ kind }: { kind: string }): void => {
      if (kind !== "prediction-made" || seen.length !== 61) return;
      collect();
      alive = seen.filter((one) => one.deref() !== undefined).length;
    };
    const run = drive({ bridge, agent, settings: { maxSteps: 100 }, saw });
    expect(await run.end).toMatchObject({ status: "success", steps: 61 });
    expect(new Set(run.trajectory().steps.map(({ screenshot }) => screenshot)).size).toBeGreaterThan(10);
    // a few are still on their way to the disk
    expect(alive).toBeLessThan(10);
  });
  loopScenarios(scene);
  actScenarios(scene);
  faultScenarios(scene, () => androidStage(android));
});
