import { PawlError } from "../domain/errors.ts";
import type { Model, ModelRequest } from "../ports/model.ts";
import { isMisread, type Read } from "./decision.ts";

const TRIES = 3;

/** What asking cost so far: tokens, and millionths of a US dollar, null where a price is not known. */
export interface Cost {
  tokens: number;
  microUsd: number | null;
}

/**
 * Asks a model for one JSON object; an answer that cannot be read is asked for again, twice, with what was wrong; then
 * MODEL_MISREAD. Throws as the model does. `cost` is added to with each answer.
 */
export async function askForJson<T>(
  model: Model,
  of: {
    readonly system: string;
    readonly text: string;
    readonly read: (text: string) => Read<T>;
    readonly cost: Cost;
    readonly signal: AbortSignal;
  },
): Promise<T> {
  let why = "";
  for (let n = 0; n < TRIES; n++) {
    const answer = await model.ask(requestFor(of, why), { signal: of.signal });
    of.cost.tokens += answer.usage.input + answer.usage.output;
    of.cost.microUsd =
      of.cost.microUsd === null || answer.microUsd === null ? null : of.cost.microUsd + answer.microUsd;
    const read = of.read(answer.text);
    if (!isMisread(read)) return read.decision;
    why = read.misread;
  }
  throw new PawlError("MODEL_MISREAD", `${model.id} gave no answer that can be read: ${why}`, {
    next: "let another model do it, or none.",
  });
}

function requestFor({ system, text }: { readonly system: string; readonly text: string }, why: string): ModelRequest {
  const again = why === "" ? "" : `\nYour last answer could not be read: ${why}. Answer with the JSON object alone.`;
  return {
    system,
    turns: [{ role: "user", text: text + again }],
    tools: [],
    choice: "auto",
    maxOutput: null,
    temperature: null,
  };
}
