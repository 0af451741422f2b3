import type { Instant, Ms } from "../domain/names.ts";
import type { ActionValidationError, DeviceAction } from "../ports/device-action.ts";
import type { Observation, PastStep } from "../ports/vision-agent.ts";
import type { FrameRef, Happening } from "./event.ts";
import type { DeviceSettings } from "./settings.ts";
import type { RunStatus, StepResult, TrajStep } from "./trajectory.ts";

/**
 * Where a run is. One step goes observing → thinking → acting → pausing (to settle) → looking → recording, and from there
 * to thinking again, with the picture that was looked at. Questions and tools take the place of acting; pausing and
 * reconnecting come between where something failed; closing is the last.
 */
export type Stage =
  /** a fresh picture is needed; `tries`: captures that failed */
  | { readonly at: "observing"; readonly tries: number }
  | { readonly at: "thinking"; readonly tries: number }
  | { readonly at: "acting" }
  | { readonly at: "asking" }
  | { readonly at: "calling" }
  | { readonly at: "pausing"; readonly ms: Ms; readonly next: Stage }
  /** at the screen, behind an action: to see what came of it (after), whether it may be repeated (retry), or whether it happened (unsure, a second time: again) */
  | { readonly at: "looking"; readonly why: "after" | "retry" | "unsure" | "again"; readonly tries: number }
  | { readonly at: "reconnecting"; readonly next: Stage }
  | { readonly at: "recording"; readonly result: StepResult; readonly next: Stage }
  | { readonly at: "closing"; readonly status: RunStatus; readonly reason: string };

/** A step that is not recorded yet. */
export interface Pending {
  readonly thinking: string;
  readonly action: DeviceAction | ActionValidationError;
  readonly saidAt: Instant;
  /** how often it was done or tried */
  readonly attempts: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** All that a run is, folded from its events. */
export interface DeviceRun {
  readonly goal: string;
  readonly taskId: string;
  readonly target: string;
  readonly agent: string;
  readonly settings: DeviceSettings;
  readonly startedAt: Instant;
  readonly startedMono: Ms;
  readonly lastAt: Instant;
  readonly lastMono: Ms;
  readonly stage: Stage;
  /** what the agent sees: kept until an action has succeeded */
  readonly frame: FrameRef | null;
  /** what the screen showed after the action of the step in progress */
  readonly after: FrameRef | null;
  readonly pending: Pending | null;
  /** when the step in progress began */
  readonly stepMono: Ms;
  readonly steps: readonly TrajStep[];
  readonly history: readonly PastStep[];
  /** what the next observation carries beside the picture */
  readonly told: Pick<Observation, "userResponse" | "toolResult">;
  /** how often in a row the same was done on the same picture */
  readonly streak: { readonly of: string; readonly length: number };
  /** when the connection was lost that is not back yet; null: it is there */
  readonly lostMono: Ms | null;
  readonly tokens: number;
  /** null: of some answer no price is known */
  readonly microUsd: number | null;
  readonly savedSteps: number;
  readonly ended: { readonly status: RunStatus; readonly reason: string; readonly at: Instant } | null;
}

type Began = Extract<Happening, { kind: "run-began" }> & { readonly at: Instant; readonly mono: Ms };

export const newRun = (began: Began): DeviceRun => ({
  goal: began.goal,
  taskId: began.taskId,
  target: began.target,
  agent: began.agent,
  settings: began.settings,
  startedAt: began.at,
  startedMono: began.mono,
  lastAt: began.at,
  lastMono: began.mono,
  stage: { at: "observing", tries: 0 },
  frame: null,
  after: null,
  pending: null,
  stepMono: began.mono,
  steps: [],
  history: [],
  told: {},
  streak: { of: "", length: 0 },
  lostMono: null,
  tokens: 0,
  microUsd: 0,
  savedSteps: 0,
  ended: null,
});
