import type { ModelRequest } from "../../ports/model.ts";
import { actionTools } from "./action-tools.ts";
import type { Look, VisionAgentParts } from "./look.ts";
import { pictureOf } from "./picture.ts";
import { systemText } from "./system-text.ts";
import { nowText, stepsText } from "./told.ts";

/** Steps of which a model is told; those before them are counted. */
const MOST_STEPS = 40;

/**
 * What a model that calls tools is asked: one turn with the goal, the steps so far in words, and the picture. Earlier
 * calls are no turns of their own, as some providers want their signed thoughts back, and an observation holds none.
 */
export function toolsRequest(look: Look, { prompt, tools, drawMarks }: VisionAgentParts): ModelRequest {
  const { observation, reading, marks, png } = look;
  return {
    system: systemText(prompt, { space: reading.space, tools, marks: drawMarks !== null }),
    turns: [
      {
        role: "user",
        text: [`Goal: ${observation.goal}`, stepsSoFar(look), nowText(observation, reading, marks)].join("\n\n"),
        pictures: [pictureOf(png)],
      },
    ],
    tools: actionTools({ marks: drawMarks !== null, tools: tools.length > 0 }),
    choice: "any",
    maxOutput: null,
    temperature: null,
  };
}

function stepsSoFar({ observation: { history }, reading }: Look): string {
  const from = Math.max(0, history.length - MOST_STEPS);
  if (history.length === 0) return "Steps so far: none";
  return `Steps so far:\n${stepsText(history.slice(from), reading, from + 1)}`;
}
