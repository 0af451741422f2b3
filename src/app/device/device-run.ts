import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../adapters/system/clock.ts";
import type { AskPerson, DeviceTools } from "../../device/device-parts.ts";
import type { DeviceEvent } from "../../device/event.ts";
import { type DeviceRunEnd, runOnDevice } from "../../device/run-on-device.ts";
import type { DeviceRun } from "../../device/run-state.ts";
import type { DeviceSettings } from "../../device/settings.ts";
import type { Bridge } from "../../ports/bridge.ts";
import type { ToolSpec } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import type { TrajectoryFolder } from "../../ports/trajectory-folder.ts";
import { openVisionAgent } from "../vision/open-vision-agent.ts";
import { openBridge } from "./open-bridge.ts";
import { trajectoryFolder } from "./trajectory-folder.ts";

export interface DeviceRunOrder {
  readonly goal: string;
  readonly taskId: string;
  /** absolute; it is made */
  readonly folder: string;
  readonly target: string;
  readonly settings: DeviceSettings;
  readonly model: string | undefined;
  readonly models: Readonly<Record<string, ModelSpec>>;
  readonly marks: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tools: DeviceTools & { readonly specs: readonly ToolSpec[] };
  readonly ask: AskPerson | null;
  readonly told: (event: DeviceEvent, run: DeviceRun) => void;
}

/** The events of a run, one line each: what the trajectory leaves out, like tries, stacks, times. */
export const EVENTS = "events.jsonl";

/** Introduces a run to this machine. Throws what opening the bridge or the model does, before anything was done. */
export async function deviceRun(order: DeviceRunOrder, signal: AbortSignal): Promise<DeviceRunEnd> {
  const { target, env, model, models, marks, tools, ask } = order;
  const eyes = openVisionAgent({ name: model, known: models, env, tools: tools.specs, marks });
  try {
    const by = `the run ${order.taskId} in ${order.folder}`;
    const bridge = await openBridge({ target, env, signal, by });
    const folder = await folderOf(order, bridge);
    const log = join(order.folder, EVENTS);
    const on = (event: DeviceEvent, run: DeviceRun): void => {
      appendFileSync(log, `${JSON.stringify(event)}\n`);
      order.told(event, run);
    };
    const parts = { bridge, agent: eyes.agent, tools, ask, folder, clock: systemClock(), on };
    return await runOnDevice(order, parts, signal);
  } finally {
    await eyes.close();
  }
}

async function folderOf(order: DeviceRunOrder, bridge: Bridge): Promise<TrajectoryFolder> {
  try {
    return trajectoryFolder(order.folder);
  } catch (error) {
    await bridge.close();
    throw error;
  }
}
