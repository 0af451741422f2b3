import { invalidAction } from "../../device/device-action.ts";
import { type Reading, readAnswer } from "../../device/parse/read-answer.ts";
import type { Model, ModelAnswer } from "../../ports/model.ts";
import type { Eyes } from "../../ports/model-spec.ts";
import type { Prediction, VisionAgent } from "../../ports/vision-agent.ts";
import { readCalls } from "./action-tools.ts";
import { dialectRequest } from "./dialect-request.ts";
import { lookOf, type VisionAgentParts } from "./look.ts";
import { toolsRequest } from "./tools-request.ts";

/** Which text of prompts/device a model is asked with. */
export function promptName({ dialect }: Eyes, { hasTools }: Pick<Model, "hasTools">): string {
  if (dialect === null) return hasTools ? "tools" : "pawl";
  return dialect === "mai-ui" || dialect === "qwen" ? "mobile-use" : dialect;
}

/**
 * A model that looks at a screen and says what to do next: by calling tools, or in the dialect that it was trained on.
 * What it says in another way, and what was cut at a limit of tokens, is an action that cannot be read.
 */
export function createVisionAgent(parts: VisionAgentParts): VisionAgent {
  const { model, eyes } = parts;
  const calls = eyes.dialect === null && model.hasTools;
  return {
    name: `${model.name} (${model.id})`,
    async predict(observation, signal) {
      const look = await lookOf(observation, { parts, signal });
      const request = calls ? toolsRequest(look, parts) : dialectRequest(look, parts);
      const answer = await model.ask(request, { signal });
      return predictionOf(answer, { reading: look.reading, calls });
    },
  };
}

function predictionOf(answer: ModelAnswer, { reading, calls }: { reading: Reading; calls: boolean }): Prediction {
  const { usage, microUsd, text } = answer;
  const cut = CUT[answer.stop];
  const read = cut
    ? { thinking: text.trim().slice(0, 10_000), action: invalidAction(cut, text) }
    : calls
      ? readCalls(answer, reading)
      : readAnswer(asSaid(answer), reading);
  return { ...read, usage, microUsd };
}

/** Some servers take a call out of the text of a model that was told of no tools: it is put back. */
const asSaid = ({ text, calls }: ModelAnswer): string =>
  [
    ...(text.trim() === "" ? [] : [text]),
    ...calls.map(({ name, args }) => {
      const written = "json" in args ? args.json : args.text;
      return `<tool_call>\n${JSON.stringify({ name, arguments: written })}\n</tool_call>`;
    }),
  ].join("\n");

const CUT: Readonly<Partial<Record<ModelAnswer["stop"], string>>> = {
  length: "the answer was cut at its limit of tokens; say less before the action",
  refused: "the provider's filter let no answer through",
};
