import type { test } from "vitest";
import { type FaultyBridge, faulty } from "./faulty-bridge.ts";
import type { OpenStage, Stage } from "./stage.ts";

/** What the scenarios run on: one stage for all, as it is at first for each. */
export interface Scene {
  readonly it: typeof test;
  stage(): Stage;
  fresh(): Promise<{ readonly bridge: FaultyBridge; readonly places: Stage["places"] }>;
}

export function sceneOn(
  open: () => OpenStage,
  it: typeof test,
): Scene & { begin(): Promise<void>; end(): Promise<void> } {
  let stage: Stage;
  return {
    it,
    stage: () => stage,
    async fresh() {
      await stage.reset();
      return { bridge: faulty(stage.bridge), places: stage.places };
    },
    begin: async () => {
      stage = await open()();
    },
    end: async () => stage?.close(),
  };
}
