import { openAdbBridge } from "../../../src/adapters/bridges/adb/bridge.ts";
import { trajectoryFolder } from "../../../src/app/device/trajectory-folder.ts";
import { type DeviceRunEnd, runOnDevice } from "../../../src/device/run-on-device.ts";
import { DEVICE_DEFAULTS } from "../../../src/device/settings.ts";
import type { TrajStep } from "../../../src/device/trajectory.ts";
import type { DeviceAction } from "../../../src/ports/device-action.ts";
import type { VisionAgent } from "../../../src/ports/vision-agent.ts";
import { type Android, startAndroid } from "../../support/android/android.ts";
import type { Deed } from "../../support/android/phone.ts";
import { type Chance, chance } from "../../support/chance.ts";
import { TROUBLES, type Trouble } from "./faults.ts";
import { hurriedClock } from "./hurried-clock.ts";

export interface Soaked {
  readonly end: DeviceRunEnd;
  readonly steps: readonly SoakedStep[];
}
/** A step as it was wanted, what went wrong with it, what was told of it, and what was done at the far end. */
export interface SoakedStep {
  readonly action: DeviceAction;
  readonly trouble: Trouble | null;
  readonly told: TrajStep;
  readonly deeds: readonly Deed[];
}

/** So many steps of a seeded agent on a simulated phone with which something goes wrong every few steps. */
export async function soak(of: { seed: number; steps: number; folder: string }): Promise<Soaked> {
  const android = await startAndroid();
  try {
    return await drive(android, of);
  } finally {
    await android.close();
  }
}

async function drive(android: Android, { seed, steps, folder }: Parameters<typeof soak>[0]): Promise<Soaked> {
  const signal = new AbortController().signal;
  const wanted: Omit<SoakedStep, "told" | "deeds">[] = [];
  const told: TrajStep[] = [];
  const landed: Deed[][] = [];
  android.phone.open(android.phone.shop);
  const bridge = await openAdbBridge({
    target: android.target,
    env: android.server.env,
    signal,
    // a command that is not answered costs this much of the test's own time
    commandMs: 400,
    treeMs: 400,
  });
  const end = await runOnDevice(
    {
      goal: "wear it out",
      taskId: "soak",
      settings: { ...DEVICE_DEFAULTS, maxSteps: steps + 1, useAccessibilityTree: true, reconnectTimeoutMs: 200_000 },
    },
    {
      bridge,
      agent: agentOf({ android, steps, wanted, landed, of: chance(seed) }),
      tools: { names: [], call: async () => ({ ok: false, text: "there is none" }) },
      ask: null,
      folder: trajectoryFolder(folder),
      clock: hurriedClock(20),
      on: (event) => {
        if (event.kind === "step-recorded") told.push(event.step);
      },
    },
    signal,
  );
  return {
    end,
    steps: wanted.map((one, i) => ({ ...one, told: told[i]!, deeds: landed[i]! })),
  };
}

interface Soaking {
  readonly android: Android;
  readonly steps: number;
  readonly wanted: Omit<SoakedStep, "told" | "deeds">[];
  /** what was done in each step */
  readonly landed: Deed[][];
  readonly of: Chance;
}

/** Says one action after the other, and lets something go wrong before some of them. */
function agentOf({ android, steps, wanted, landed, of }: Soaking): VisionAgent {
  const { phone } = android;
  return {
    name: "seeded",
    predict: async () => {
      if (wanted.length > 0) landed.push(phone.deeds.splice(0));
      phone.deeds.length = 0;
      phone.faults.clear();
      if (wanted.length === steps) return { thinking: "", action: { action: "FINISH", reason: "worn out" } };
      const action = actionOf(of);
      const trouble = of.percent(40) ? of.pick(TROUBLES.filter(({ ofInput }) => !ofInput || isInput(action))) : null;
      wanted.push({ action, trouble });
      trouble?.plan(android, of);
      return { thinking: "", action };
    },
  };
}

const isInput = ({ action }: DeviceAction): boolean => !["open", "wait"].includes(action);

function actionOf(of: Chance): DeviceAction {
  const place = () => [(5 + of.below(90)) / 100, (10 + of.below(80)) / 100] as const;
  const action = of.pick([
    "tap",
    "tap",
    "tap",
    "double_tap",
    "long_press",
    "swipe",
    "type",
    "back",
    "home",
    "enter",
    "open",
    "wait",
  ] as const);
  switch (action) {
    case "tap":
    case "double_tap":
      return { action, coordinate: place() };
    case "long_press":
      return { action, coordinate: place(), duration: 40 };
    case "swipe":
      return { action, start: place(), end: place(), duration: 30 };
    case "type":
      return { action, text: `kettle ${of.below(1000)}` };
    case "open":
      return { action, app: of.pick(["com.example.shop", "com.android.settings", "com.example.bank"]) };
    case "wait":
      return { action, seconds: 1 };
    default:
      return { action };
  }
}

/** What lands at the far end when an action is done once. */
export function onceDone(action: DeviceAction): number {
  return action.action === "wait" ? 0 : action.action === "double_tap" ? 2 : 1;
}
