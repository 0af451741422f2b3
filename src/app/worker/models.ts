import { createModel, type ModelParts, mustHaveKey } from "../../adapters/models/create.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Model } from "../../ports/model.ts";
import { type ModelSpec, PROVIDERS, providerAndModel } from "../../ports/model-spec.ts";
import type { Asked } from "../../tactics/record.ts";
import { nearest } from "../config/nearest.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Which model answers whom: names below `models:` of pawl.yaml, or PROVIDER/MODEL. What is not said is `model`'s. */
export interface ModelChoice extends Partial<Readonly<Record<Asked, string>>> {
  readonly model?: string;
}

/**
 * The models of a worker. `way`: another one to the providers than the network. Throws MODEL_MISSING where none is named,
 * MODEL_NAME where a name is not known, MODEL_KEY_MISSING: nothing is begun that could not go on.
 */
export function modelsFor(
  choice: ModelChoice,
  known: Readonly<Record<string, ModelSpec>>,
  env: Env,
  way: Pick<ModelParts, "fetch" | "keyless"> = {},
): Readonly<Record<Asked, Model>> {
  const usual = choice.model ?? env.PAWL_MODEL ?? Object.keys(known)[0];
  const made = new Map<string, Model>();
  const of = (name: string | undefined): Model => {
    if (name === undefined) throw noModel();
    const model = made.get(name) ?? modelOf(specNamed(name, known), { clock: systemClock(), env, ...way });
    made.set(name, model);
    return model;
  };
  return {
    planner: of(choice.planner ?? usual),
    executor: of(choice.executor ?? usual),
    compaction: of(choice.compaction ?? usual),
  };
}

function modelOf(spec: ModelSpec, parts: ModelParts): Model {
  mustHaveKey(spec, parts);
  return createModel(spec, parts);
}

/** The model of this name below `models:`, or `PROVIDER/MODEL`; none named: MODEL_MISSING. Throws MODEL_NAME. */
export function specNamed(name: string | undefined, known: Readonly<Record<string, ModelSpec>>): ModelSpec {
  if (name === undefined) throw noModel();
  return Object.hasOwn(known, name) ? known[name]! : specOf(name, known);
}

/** `PROVIDER/MODEL` with nothing else said. */
function specOf(name: string, known: Readonly<Record<string, ModelSpec>>): ModelSpec {
  const said = providerAndModel(name);
  if (said === null) throw unknown(name, Object.keys(known));
  return {
    name,
    ...said,
    baseUrl: null,
    keyEnv: null,
    context: null,
    maxOutput: null,
    temperature: null,
    price: null,
    api: null,
    tools: true,
    stream: true,
  };
}

const noModel = (): PawlError =>
  new PawlError("MODEL_MISSING", "no model is named: the worker thinks with one", {
    next: "pawl work TICKET.md --model anthropic/claude-sonnet-4-5  |  --model ollama/qwen3-coder:30b  |  models: in pawl.yaml",
  });

function unknown(name: string, known: readonly string[]): PawlError {
  const meant = nearest(name, known);
  const named = meant === null ? known.map((one, at) => (at === 0 ? `one of ${one}` : one)) : [meant];
  return new PawlError("MODEL_NAME", `"${name}" is no model of pawl.yaml, and no PROVIDER/MODEL`, {
    next: `write ${named.length > 0 ? `${named.join(", ")}, or ` : ""}PROVIDER/MODEL; providers are ${PROVIDERS.join(", ")}.`,
  });
}
