import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { trajectoryFolder } from "../../../src/app/device/trajectory-folder.ts";
import type { DeviceParts } from "../../../src/device/device-parts.ts";
import type { DeviceEvent } from "../../../src/device/event.ts";
import { next } from "../../../src/device/next.ts";
import { type DeviceRunEnd, runOnDevice } from "../../../src/device/run-on-device.ts";
import type { DeviceRun } from "../../../src/device/run-state.ts";
import { DEVICE_DEFAULTS, type DeviceSettings } from "../../../src/device/settings.ts";
import { type Trajectory, trajectorySchema } from "../../../src/device/trajectory.ts";
import type { Bridge } from "../../../src/ports/bridge.ts";
import type { VisionAgent } from "../../../src/ports/vision-agent.ts";
import { pushedClock } from "../../support/pushed-clock.ts";

export interface Drive extends Partial<Omit<DeviceParts, "bridge" | "agent">> {
  readonly bridge: Bridge;
  readonly agent: VisionAgent;
  readonly settings?: Partial<DeviceSettings>;
  readonly signal?: AbortSignal;
  readonly goal?: string;
  readonly saw?: (event: DeviceEvent, run: DeviceRun) => void;
}

/** A run that is under way, its pauses over as soon as they begin. */
export interface Driven {
  readonly end: Promise<DeviceRunEnd>;
  readonly folder: string;
  readonly events: readonly DeviceEvent[];
  /** the pauses, in ms */
  readonly waits: readonly number[];
  /** time that goes by while something outside is waited for */
  push(ms: number): void;
  trajectory(): Trajectory;
  of<K extends DeviceEvent["kind"]>(kind: K): readonly Extract<DeviceEvent, { kind: K }>[];
}

/** Runs the executor over a clock that is pushed through its pauses; the trajectory is on the real disk. */
export function drive({ bridge, agent, settings, signal, goal = "buy a kettle", saw, ...parts }: Drive): Driven {
  const home = mkdtempSync(join(tmpdir(), "pawl-device-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }));
  const folder = join(home, "task-7");
  const clock = pushedClock();
  const events: DeviceEvent[] = [];
  const waits: number[] = [];
  const on = (event: DeviceEvent, run: DeviceRun): void => {
    events.push(event);
    const deed = run.ended ? null : next(run);
    if (deed?.do === "pause" && event.kind !== "run-interrupted") {
      waits.push(deed.ms);
      setImmediate(() => clock.push(deed.ms));
    }
    saw?.(event, run);
  };
  const order = { goal, taskId: "task-7", settings: { ...DEVICE_DEFAULTS, ...settings } };
  const whole: DeviceParts = {
    tools: NO_TOOLS,
    ask: null,
    folder: trajectoryFolder(folder),
    clock,
    ...parts,
    bridge,
    agent,
    on,
  };
  return {
    end: runOnDevice(order, whole, signal ?? new AbortController().signal),
    folder,
    events,
    waits,
    push: (ms) => clock.push(ms),
    trajectory: () => trajectorySchema.parse(JSON.parse(readFileSync(join(folder, "trajectory.json"), "utf8"))),
    of: (kind) => events.filter((event) => event.kind === kind) as never,
  };
}

const NO_TOOLS: DeviceParts["tools"] = {
  names: [],
  call: async () => ({ ok: false, text: "there are none" }),
};
