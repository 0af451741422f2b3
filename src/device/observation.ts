import type { Observation } from "../ports/vision-agent.ts";
import type { Desk } from "./desk.ts";
import type { DeviceRun } from "./run-state.ts";

/** What the agent is given (DEV-2): the picture that is held, and what came of the step before. */
export function observationOf(desk: Desk): Observation {
  const { run } = desk;
  const { frame, tree } = desk.held(run.frame!);
  return {
    goal: run.goal,
    screenshot: frame,
    ...(tree === null ? {} : { accessibilityTree: tree }),
    ...(run.settings.includeStepInfo ? { stepCount: run.steps.length, maxSteps: run.settings.maxSteps } : {}),
    ...run.told,
    notes: notesOf(run),
    history: run.history,
  };
}

/** The loop signal: known from agents that tap the same place for ever. */
export const SAME_AGAIN = 3;

function notesOf(run: DeviceRun): readonly string[] {
  const last = run.history.at(-1);
  return [
    ...(last && !last.ok && last.note !== "" ? [`The last step failed: ${last.note}`] : []),
    ...(last?.ok && last.note !== "" ? [`Of the last step: ${last.note}`] : []),
    ...(run.streak.length >= SAME_AGAIN
      ? [`You did the same on the same picture ${run.streak.length} times in a row: do something else, or FINISH.`]
      : []),
    ...(run.frame?.isBlack
      ? ["The picture is all black: this window probably forbids pictures. What is on it can still be there."]
      : []),
  ];
}
