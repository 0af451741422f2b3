import type { Ms } from "../domain/names.ts";
import type { DeviceRun } from "./run-state.ts";

/** How far a run is (DEV-1.4). */
export interface Progress {
  /** steps done, and how many there may be */
  readonly step: number;
  readonly maxSteps: number;
  readonly lastAction: Readonly<Record<string, unknown>> | null;
  readonly thinking: string;
  readonly elapsedMs: Ms;
  /** at most: as if every step were needed and took as long as the average so far; null before the first */
  readonly remainingMs: Ms | null;
}

export function progressOf(run: DeviceRun): Progress {
  const { steps, settings } = run;
  const last = steps.at(-1);
  const elapsedMs = run.lastMono - run.startedMono;
  const left = settings.maxSteps - steps.length;
  return {
    step: steps.length,
    maxSteps: settings.maxSteps,
    lastAction: last?.action ?? null,
    thinking: last?.thinking ?? "",
    elapsedMs,
    remainingMs: last === undefined ? null : Math.round((elapsedMs / steps.length) * left),
  };
}
