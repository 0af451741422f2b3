import { afterAll, beforeAll, test } from "vitest";
import { type Android, startAndroid } from "../support/android/android.ts";
import { suiteNeeding } from "../support/needs.ts";
import { actScenarios } from "./scenarios-act.ts";
import { faultScenarios } from "./scenarios-fault.ts";
import { loopScenarios } from "./scenarios-loop.ts";
import { adbHere } from "./support/adb-here.ts";
import { androidStage } from "./support/android-stage.ts";
import { sceneOn } from "./support/scene.ts";

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
  loopScenarios(scene);
  actScenarios(scene);
  faultScenarios(scene, () => androidStage(android));
});
