import type { Reading } from "../../device/parse/read-answer.ts";
import type { Model, ToolSpec } from "../../ports/model.ts";
import type { Eyes } from "../../ports/model-spec.ts";
import type { Observation } from "../../ports/vision-agent.ts";
import { type Mark, marksOf } from "./marks.ts";

export interface VisionAgentParts {
  readonly model: Model;
  readonly eyes: Eyes;
  /** the text of prompts/device/NAME.md: `promptName` says which */
  readonly prompt: string;
  /** tools beside the screen */
  readonly tools: readonly ToolSpec[];
  /** draws numbers on a picture; null: places are told as coordinates alone */
  readonly drawMarks: ((png: Uint8Array, marks: readonly Mark[], signal: AbortSignal) => Promise<Uint8Array>) | null;
}

/** An observation, with the picture as the model is shown it. */
export interface Look {
  readonly observation: Observation;
  readonly reading: Reading;
  readonly marks: readonly Mark[];
  readonly png: Uint8Array;
}

export async function lookOf(
  observation: Observation,
  { parts: { eyes, drawMarks }, signal }: { parts: VisionAgentParts; signal: AbortSignal },
): Promise<Look> {
  const { screenshot: frame, accessibilityTree: tree } = observation;
  // the models of other dialects were never shown any
  const takesMarks = drawMarks !== null && (eyes.dialect === null || eyes.dialect === "pawl");
  const marks = takesMarks && tree ? marksOf(tree, frame) : [];
  const png = drawMarks !== null && marks.length > 0 ? await drawMarks(frame.png, marks, signal) : frame.png;
  const reading: Reading = {
    dialect: eyes.dialect ?? "pawl",
    space: eyes.coordinates,
    frame,
    marks: marks.map(({ at }) => at),
  };
  return { observation, reading, marks, png };
}
