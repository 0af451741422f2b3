import { PawlError } from "../../domain/errors.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Model } from "../../ports/model.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";
import { askAgain } from "./ask-again.ts";
import { askOnce } from "./ask-once.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { HOMES, preload } from "./dialect.ts";
import { knownOf } from "./known.ts";
import { idOf } from "./prompt.ts";
import { redactor } from "./secret.ts";
import type { Fetch } from "./wire.ts";

export interface ModelParts {
  readonly clock: Clock;
  /** where keys are; read at each asking */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** another way to the provider, like a cassette; none: the network */
  readonly fetch?: Fetch;
  /** what plays a cassette needs no key */
  readonly keyless?: boolean;
  readonly bounds?: Partial<Bounds>;
  /** 0 to 1, for the pauses */
  readonly chance?: () => number;
}

/** A model at its provider. Nothing is loaded and nobody is asked before the first `ask`. */
export function createModel(spec: ModelSpec, parts: ModelParts): Model {
  const known = knownOf(spec);
  const bounds = boundsOf(spec, parts.bounds);
  const chance = parts.chance ?? Math.random;
  return {
    name: spec.name,
    id: idOf(spec),
    context: spec.context ?? known?.context ?? USUAL_CONTEXT[spec.provider] ?? 128_000,
    hasTools: spec.tools,
    warm: () => preload(spec.provider),
    async ask(request, on) {
      on.signal.throwIfAborted();
      const key = keyOf(spec, parts);
      const hide = redactor([...(key === null ? [] : [key]), ...credentialsIn(spec.baseUrl)]);
      const maxOutput = spec.maxOutput ?? known?.maxOutput ?? null;
      const to = { spec, key, hide, bounds, maxOutput, clock: parts.clock, fetch: parts.fetch ?? globalThis.fetch };
      return askAgain((news) => askOnce(to, request, { signal: on.signal, news }), { ...on, ...to, chance });
    },
  };
}

/** Ollama cuts what does not fit without a word; this is what its larger models are usually started with. */
const USUAL_CONTEXT: Readonly<Partial<Record<ModelSpec["provider"], number>>> = { ollama: 32_000 };

/** Throws MODEL_KEY_MISSING before anything is begun with that model. */
export const mustHaveKey = (spec: ModelSpec, parts: Pick<ModelParts, "env" | "keyless">): void =>
  void keyOf(spec, parts);

function keyOf(spec: ModelSpec, { env, keyless = false }: Pick<ModelParts, "env" | "keyless">): string | null {
  const home = HOMES[spec.provider];
  const names = spec.keyEnv === null ? home.keyEnvs : [spec.keyEnv];
  const key = names.map((name) => env[name]?.trim()).find((value) => value !== undefined && value !== "");
  if (key !== undefined || keyless) return key ?? "no-key-needed";
  const [name] = names;
  if (name === undefined || (spec.keyEnv === null && !home.needsKey)) return null;
  throw new PawlError(
    "MODEL_KEY_MISSING",
    `model "${spec.name}" (${spec.provider}) needs a key, and ${name} is not set`,
    {
      next: `export ${name}=…  |  pawl work TICKET.md --model ollama/qwen3-coder:30b (no key)  |  npm run demo`,
      data: { model: spec.name, variable: name },
    },
  );
}

/** A password in an address is a key too. */
function credentialsIn(url: string | null): readonly string[] {
  const found = url === null ? null : /^[a-z]+:\/\/([^/@]+)@/i.exec(url);
  return found ? [found[1]!, ...found[1]!.split(":").slice(1)] : [];
}
