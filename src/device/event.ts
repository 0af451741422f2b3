import type { Instant, Ms } from "../domain/names.ts";
import type { ActionValidationError, DeviceAction } from "../ports/device-action.ts";
import type { DeviceSettings } from "./settings.ts";
import type { RunStatus, TrajStep } from "./trajectory.ts";

/** A frame without its bytes. `hash`: of the PNG, so equal hashes are equal pictures. */
export interface FrameRef {
  readonly hash: string;
  readonly width: number;
  readonly height: number;
  readonly isBlack: boolean;
}

/** What happened, in order: the run is folded from it, and people and logs are told of it. `at`: milliseconds since 1970. */
export type DeviceEvent = { readonly at: Instant; readonly mono: Ms } & Happening;

export type Happening =
  | {
      readonly kind: "run-began";
      readonly goal: string;
      readonly taskId: string;
      readonly target: string;
      readonly agent: string;
      readonly settings: DeviceSettings;
    }
  /** `focused`: the text of the focused field, where somebody wanted to know and it could be had */
  | { readonly kind: "frame-captured"; readonly frame: FrameRef; readonly focused?: string }
  | { readonly kind: "capture-failed"; readonly code: string; readonly message: string }
  | {
      readonly kind: "prediction-made";
      readonly thinking: string;
      readonly action: DeviceAction | ActionValidationError;
      readonly tokens: number;
      readonly microUsd: number | null;
    }
  | {
      readonly kind: "prediction-failed";
      readonly code: string;
      readonly message: string;
      readonly stack: string;
      /** asking again may help */
      readonly retryable: boolean;
    }
  | { readonly kind: "action-done" }
  /** refused: nothing happened; unsure: it may have; impossible: this screen has no such thing, so it is not tried again */
  | {
      readonly kind: "action-failed";
      readonly how: "refused" | "unsure" | "impossible";
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: "connection-lost"; readonly message: string }
  | { readonly kind: "connection-back" }
  | { readonly kind: "connection-gone"; readonly advice: string }
  | { readonly kind: "pause-over" }
  /** a question or a tool call begins; `timeoutMs` is what is left for it */
  | { readonly kind: "question-asked"; readonly question: string; readonly timeoutMs: Ms }
  | { readonly kind: "question-answered"; readonly answer: string | null; readonly timedOut: boolean }
  | { readonly kind: "tool-called"; readonly tool: string }
  | { readonly kind: "tool-answered"; readonly ok: boolean; readonly text: string; readonly code?: string }
  | { readonly kind: "step-recorded"; readonly step: TrajStep }
  | { readonly kind: "trajectory-saved"; readonly steps: number }
  | { readonly kind: "run-interrupted" }
  | { readonly kind: "run-crashed"; readonly message: string; readonly stack: string }
  /** the screen could not be given back as it was, like a phone's keyboard; `next` says what to do */
  | { readonly kind: "release-failed"; readonly message: string; readonly next: string }
  | { readonly kind: "run-ended"; readonly status: RunStatus; readonly reason: string };
