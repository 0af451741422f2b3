import type { DeviceAction } from "../ports/device-action.ts";
import type { PastStep } from "../ports/vision-agent.ts";
import { isInvalid } from "./device-action.ts";
import type { FrameRef } from "./event.ts";
import { pixelOf } from "./pixels.ts";
import type { DeviceRun } from "./run-state.ts";
import type { StepResult, TrajStep } from "./trajectory.ts";

/** Where a frame lies in a trajectory's folder. */
export const frameName = (hash: string): string => `screenshots/${hash}.png`;

/** The step in progress as the trajectory has it (DEV-6.1). */
export function stepOf(run: DeviceRun, result: StepResult): TrajStep {
  const { pending, frame, after } = run;
  if (pending === null || frame === null) throw new RangeError("no step is in progress");
  const at = pointsOf(pending.action, frame);
  return {
    step: run.steps.length + 1,
    screenshot: frameName(frame.hash),
    size: [frame.width, frame.height],
    ...(after === null ? {} : { screenshot_after: frameName(after.hash) }),
    thinking: pending.thinking,
    action: { ...pending.action },
    result: { ...result, ...(at.length === 0 ? {} : { at }) },
    timestamp: new Date(pending.saidAt).toISOString(),
    duration: Math.max(0, Math.round(run.lastMono - run.stepMono)) / 1000,
  };
}

function pointsOf(action: DeviceAction | { readonly error: string }, frame: FrameRef): (readonly [number, number])[] {
  const coordinates =
    "coordinate" in action ? [action.coordinate] : "start" in action ? [action.start, action.end] : [];
  return coordinates.map((one) => pixelOf(one, frame)).map(({ x, y }) => [x, y] as const);
}

/** A recorded step as the agent is told of it. */
export const pastStep = ({ thinking, result }: TrajStep, action: PastStep["action"]): PastStep => ({
  thinking,
  action,
  ok: result.outcome === "done" || result.outcome === "finished",
  note: [result.error?.message, result.note].filter((part) => part !== undefined).join("; "),
});

/**
 * What two steps have in common that are one and the same, done on the same picture: the action, its coordinates to a
 * hundredth, a wait however long (known from agents that wait 1 s, 2 s, 3 s …).
 */
export function sameness(action: PastStep["action"], frame: FrameRef): string {
  if (isInvalid(action)) return "";
  const told = action.action === "wait" ? { action: "wait" } : action;
  const rough = JSON.stringify(told, (key, value: unknown) =>
    key === "duration" ? undefined : typeof value === "number" ? Math.round(value * 100) / 100 : value,
  );
  return `${frame.hash} ${rough}`;
}
