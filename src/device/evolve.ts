import { isInvalid } from "./device-action.ts";
import type { DeviceEvent } from "./event.ts";
import { afterAction, afterAnswer, afterConnection, afterTool } from "./evolve-action.ts";
import { afterCapture, captureFailed } from "./evolve-look.ts";
import { type DeviceRun, newRun, type Stage } from "./run-state.ts";
import { pastStep, sameness, stepOf } from "./step.ts";
import { retryMs } from "./timing.ts";
import type { StepResult, TrajStep } from "./trajectory.ts";

/** The run after an event; null before the first. Pure; an event that does not fit the stage changes the time alone. */
export function evolve(before: DeviceRun | null, event: DeviceEvent): DeviceRun | null {
  if (before === null) return event.kind === "run-began" ? newRun(event) : null;
  const run = { ...before, lastAt: event.at, lastMono: event.mono };
  switch (event.kind) {
    case "frame-captured":
      return afterCapture(run, event);
    case "capture-failed":
      return captureFailed(run, event);
    case "prediction-made":
      return afterAnswer(run, event);
    case "prediction-failed":
      return predictionFailed(run, event);
    case "action-done":
    case "action-failed":
      return afterAction(run, event);
    case "connection-lost":
    case "connection-back":
    case "connection-gone":
      return afterConnection(run, event);
    case "pause-over":
      return run.stage.at === "pausing" ? { ...run, stage: run.stage.next } : run;
    case "question-answered":
    case "tool-answered":
      return afterTool(run, event);
    case "step-recorded":
      return run.stage.at === "recording" ? recorded(run, event.step, run.stage.next) : run;
    case "trajectory-saved":
      return { ...run, savedSteps: event.steps };
    case "run-interrupted":
      return cutOff(run, { status: "interrupted", reason: interruption(run) }, { outcome: "interrupted", attempts: 1 });
    case "run-crashed":
      return cutOff(run, { status: "failed", reason: `a fault: ${event.message}` }, crashed(event.message));
    case "run-ended":
      return { ...run, ended: { status: event.status, reason: event.reason, at: event.at } };
    default:
      return run;
  }
}

/** Asked again with the same observation, but where asking again is of no use. */
function predictionFailed(run: DeviceRun, event: Extract<DeviceEvent, { kind: "prediction-failed" }>): DeviceRun {
  if (run.stage.at !== "thinking") return run;
  const tries = run.stage.tries + 1;
  if (event.retryable && tries <= run.settings.maxRetries)
    return { ...run, stage: { at: "pausing", ms: retryMs(tries, run.settings), next: { at: "thinking", tries } } };
  const times = tries === 1 ? "" : `, asked ${tries} times`;
  return closing(run, `the agent did not answer${times}: ${event.code}: ${event.message}`);
}

const closing = (run: DeviceRun, reason: string): DeviceRun => ({
  ...run,
  stage: { at: "closing", status: "failed", reason },
});

/** The step is in the trajectory; what was looked at behind a done action is the next observation. */
function recorded(run: DeviceRun, step: TrajStep, next: Stage): DeviceRun {
  const action = run.pending!.action;
  const of = sameness(action, run.frame!);
  const length = of !== "" && of === run.streak.of ? run.streak.length + 1 : 1;
  return {
    ...run,
    steps: [...run.steps, step],
    history: [...run.history, pastStep(step, action)],
    streak: { of, length },
    frame: step.result.outcome === "failed" || run.after === null ? run.frame : run.after,
    after: null,
    pending: null,
    stepMono: run.lastMono,
    stage: next,
  };
}

/** Ended from outside: a step in progress is kept, as far as it came. */
function cutOff(
  run: DeviceRun,
  end: { readonly status: "interrupted" | "failed"; readonly reason: string },
  result: StepResult,
): DeviceRun {
  if (run.ended) return run;
  const at = run.lastAt;
  const stage: Stage = { at: "closing", ...end };
  if (run.pending === null || run.frame === null) return { ...run, stage, ended: { ...end, at } };
  // What was concluded already stands: only its writing down was cut off.
  const told = run.stage.at === "recording" ? run.stage.result : withAttempts(result, run.pending.attempts);
  return { ...recorded(run, stepOf(run, told), stage), ended: { ...end, at } };
}

const withAttempts = (result: StepResult, attempts: number): StepResult => ({
  ...result,
  attempts: Math.max(1, attempts),
});
const crashed = (message: string): StepResult => ({
  outcome: "failed",
  attempts: 1,
  error: { code: "FAULT", message },
});
const interruption = ({ lastAt, steps, pending }: DeviceRun): string => {
  const where = pending && !isInvalid(pending.action) ? `during ${pending.action.action}` : "between steps";
  return `stopped from outside at ${new Date(lastAt).toISOString()}, after ${steps.length} steps, ${where}`;
};
