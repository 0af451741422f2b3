import type { Frame, ScreenNode } from "./bridge.ts";
import type { ActionValidationError, DeviceAction } from "./device-action.ts";
import type { Usage } from "./model.ts";

/** What came of a step, as the agent is told of it. */
export interface PastStep {
  readonly thinking: string;
  readonly action: DeviceAction | ActionValidationError;
  readonly ok: boolean;
  /** one line: the fault, or what is to be known; "" where there is nothing to say */
  readonly note: string;
}

/** What an agent knows when it is asked. On the wire the specification's names: screenshot, accessibility_tree, step_count … */
export interface Observation {
  readonly goal: string;
  /** what is on the screen; after an action that failed the same one again (DEV-2.3) */
  readonly screenshot: Frame;
  /** only where it is wanted and could be had */
  readonly accessibilityTree?: ScreenNode;
  /** steps done so far, and how many there may be: only where `include_step_info` says so */
  readonly stepCount?: number;
  readonly maxSteps?: number;
  /** to the question that was asked in the step before; null: none came in time */
  readonly userResponse?: { readonly question: string; readonly answer: string | null; readonly timedOut: boolean };
  readonly toolResult?:
    | { readonly tool: string; readonly ok: true; readonly content: string }
    | { readonly tool: string; readonly ok: false; readonly error: string };
  /** what is to be known of this very screen: black pictures, probably of a window that forbids them; a failed step */
  readonly notes: readonly string[];
  /** oldest first, without pictures */
  readonly history: readonly PastStep[];
}

export interface Prediction {
  /** what it thought aloud; "" where it said nothing */
  readonly thinking: string;
  /** an answer that cannot be read is one too: it is told to the agent, and costs a step */
  readonly action: DeviceAction | ActionValidationError;
  readonly usage?: Usage;
  /** millionths of a US dollar; null: no price is known */
  readonly microUsd?: number | null;
}

/**
 * Looks at a screen and says what to do next.
 *
 * Contract: nothing is kept between calls that an observation does not hold, so an agent can be asked again after a
 * crash. It never throws for what the model said. It throws what the asking itself may (see Model): what is retryable is
 * asked again by the executor. An aborted signal ends it at once with the signal's reason. Source: DEV-1.1, 5.2.
 */
export interface VisionAgent {
  /** as it is called in pawl.yaml, and what it is */
  readonly name: string;
  predict(observation: Observation, signal: AbortSignal): Promise<Prediction>;
}
