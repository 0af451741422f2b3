import type { Bridge } from "../ports/bridge.ts";
import type { Clock } from "../ports/clock.ts";
import type { TrajectoryFolder } from "../ports/trajectory-folder.ts";
import type { VisionAgent } from "../ports/vision-agent.ts";
import type { DeviceEvent } from "./event.ts";
import type { DeviceRun } from "./run-state.ts";

/** Tools beside the screen (`mcp_call`). A call that fails is a result; it throws only when its signal aborts. */
export interface DeviceTools {
  readonly names: readonly string[];
  call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<{ readonly ok: boolean; readonly text: string }>;
}

/** Asks a person. null: there will be no answer. An aborted signal ends it at once, and gives a terminal back as it was. */
export type AskPerson = (question: string, timeoutMs: number, signal: AbortSignal) => Promise<string | null>;

export interface DeviceParts {
  /** closed at the end, however that comes */
  readonly bridge: Bridge;
  readonly agent: VisionAgent;
  readonly tools: DeviceTools;
  /** null: nobody can be asked */
  readonly ask: AskPerson | null;
  readonly folder: TrajectoryFolder;
  readonly clock: Clock;
  /** told of everything that happens, in order, with the run as it is then */
  readonly on: (event: DeviceEvent, run: DeviceRun) => void;
}
