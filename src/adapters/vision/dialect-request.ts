import { isInvalid } from "../../device/device-action.ts";
import { type Reading, writeAnswer } from "../../device/parse/read-answer.ts";
import type { ModelRequest, Turn } from "../../ports/model.ts";
import type { PastStep } from "../../ports/vision-agent.ts";
import type { Look, VisionAgentParts } from "./look.ts";
import { pictureOf } from "./picture.ts";
import { systemText } from "./system-text.ts";
import { nowText, outcome, stepsText } from "./told.ts";

/** Steps that are turns of their own; those before them are told in words. */
const TURNS = 10;
const MOST_STEPS = 40;

/**
 * What a model is asked that writes actions: its last steps as it wrote them, what came of each, and the picture of now.
 */
export function dialectRequest(look: Look, { prompt, tools, drawMarks }: VisionAgentParts): ModelRequest {
  const { observation, reading, marks, png } = look;
  const { history, goal } = observation;
  const turns = history.slice(-TURNS);
  const before = history.slice(0, history.length - turns.length);
  return {
    system: systemText(prompt, {
      space: reading.space,
      tools,
      marks: drawMarks !== null && reading.dialect === "pawl",
    }),
    turns: [
      { role: "user", text: `Goal: ${goal}${earlier(before, reading)}` },
      ...turns.flatMap((step) => turnsOf(step, reading)),
      { role: "user", text: nowText(observation, reading, marks), pictures: [pictureOf(png)] },
    ],
    tools: [],
    choice: "auto",
    maxOutput: null,
    temperature: null,
  };
}

function earlier(steps: readonly PastStep[], reading: Reading): string {
  const from = Math.max(0, steps.length - MOST_STEPS);
  return steps.length === 0 ? "" : `\n\nThe first steps were:\n${stepsText(steps.slice(from), reading, from + 1)}`;
}

function turnsOf(step: PastStep, reading: Reading): readonly Turn[] {
  const { action, thinking } = step;
  const text = isInvalid(action) ? action.given : writeAnswer({ thinking, action }, reading);
  return [
    { role: "assistant", text, calls: [] },
    { role: "user", text: `That was ${outcome(step)}.` },
  ];
}
