import { isInvalid } from "../../device/device-action.ts";
import { DIALECTS, type Reading } from "../../device/parse/read-answer.ts";
import { inSpace, seenSize } from "../../device/parse/space.ts";
import type { Observation, PastStep } from "../../ports/vision-agent.ts";
import type { Mark } from "./marks.ts";
import { treeText } from "./tree-text.ts";

/** What is known of the screen beside its picture, in words. */
export function nowText(observation: Observation, reading: Reading, marks: readonly Mark[]): string {
  const { screenshot, accessibilityTree: tree, stepCount, maxSteps, userResponse, toolResult, notes } = observation;
  const size = seenSize(reading);
  return [
    ...(stepCount === undefined ? [] : [`${stepCount} of at most ${maxSteps} steps are done.`]),
    ...(userResponse ? [responseText(userResponse)] : []),
    ...(toolResult
      ? [
          toolResult.ok
            ? `Result of ${toolResult.tool}:\n${toolResult.content}`
            : `${toolResult.tool} failed: ${toolResult.error}`,
        ]
      : []),
    ...notes,
    ...(marks.length > 0
      ? [
          `Elements by the numbers that are drawn on them:\n${marks.map(({ number, name }) => `${number} ${name}`).join("\n")}`,
        ]
      : []),
    ...(tree && marks.length === 0
      ? [`What is on the screen:\n${treeText(tree, screenshot, (at) => inSpace(at, reading))}`]
      : []),
    `This is the screen now${size === null ? "" : `; the picture is ${size[0]} x ${size[1]} pixels`}.`,
  ].join("\n\n");
}

function responseText({ question, answer, timedOut }: NonNullable<Observation["userResponse"]>): string {
  if (answer !== null) return `You asked: ${question}\nThe user says: ${answer}`;
  return `You asked: ${question}\nThere is no answer${timedOut ? " in time" : ""}: go on as well as you can.`;
}

/** Steps, one a line, as a model of this dialect would have written them; `from`: the number of the first. */
export const stepsText = (steps: readonly PastStep[], reading: Reading, from: number): string =>
  steps.map((step, i) => `${from + i}. ${stepText(step, reading)}`).join("\n");

const stepText = (step: PastStep, reading: Reading): string => `${written(step, reading)}: ${outcome(step)}`;

export const outcome = ({ action, ok, note }: PastStep): string => {
  if (isInvalid(action)) return `refused: ${action.message}`;
  return `${ok ? "done" : "failed"}${note === "" ? "" : ` (${note})`}`;
};

/** an action without its thought; of an answer that was none, how it began */
const written = ({ action }: PastStep, reading: Reading): string =>
  isInvalid(action)
    ? JSON.stringify(action.given.slice(0, 120))
    : DIALECTS[reading.dialect].write(action, (at) => inSpace(at, reading));
