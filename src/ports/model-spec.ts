/** Whose API is spoken. `ollama` is `openai-compatible` with an address and a price of its own. */
export const PROVIDERS = ["anthropic", "openai", "google", "openai-compatible", "ollama"] as const;
export type Provider = (typeof PROVIDERS)[number];

/** PROVIDER/MODEL in its parts; a model's own name may hold further slashes. Null: it is no such thing. */
export function providerAndModel(written: string): { readonly provider: Provider; readonly model: string } | null {
  const [name = "", ...rest] = written.split("/");
  const provider = PROVIDERS.find((one) => one === name);
  const model = rest.join("/").trim();
  return provider === undefined || model === "" ? null : { provider, model };
}

/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface Price {
  readonly input: number;
  /** for what was read from the provider's cache */
  readonly cached: number;
  /** for what was written to it */
  readonly written: number;
  readonly output: number;
}

/**
 * How a model that looks at screens writes what it wants done: the JSON of the specification (pawl), or the format that a
 * family of GUI models was trained on.
 */
export type AnswerDialect = "pawl" | "autoglm" | "ui-tars" | "mai-ui" | "qwen";

/**
 * What a model's coordinates count: shares of width and height (0-1), thousandths of them (0-1000), pixels of the picture
 * that it was sent (pixel), or pixels of that picture after both its sides were brought to the nearest multiple of 28,
 * as the image processor of Qwen2.5-VL and its kin does before the model sees it (pixel-28).
 */
export type CoordinateSpace = "0-1" | "0-1000" | "pixel" | "pixel-28";

/** How a model says what it wants done on a screen. */
export interface Eyes {
  /** null: it calls tools where it takes them, else it writes the JSON of the specification */
  readonly dialect: AnswerDialect | null;
  readonly coordinates: CoordinateSpace;
}

/** A model as pawl.yaml names it, defaults not filled in. */
export interface ModelSpec {
  /** the key below `models:` */
  readonly name: string;
  readonly provider: Provider;
  /** the provider's own name of it */
  readonly model: string;
  /** without a slash at its end; null: the provider's own address */
  readonly baseUrl: string | null;
  /** the variable that holds the key; null: the provider's usual one, or none where none is needed */
  readonly keyEnv: string | null;
  /** tokens, answer included; null: as known for this model */
  readonly context: number | null;
  /** tokens; null: as known for this model */
  readonly maxOutput: number | null;
  /** 0 to 2; null: the provider's default */
  readonly temperature: number | null;
  /** null: as the dated price file has it */
  readonly price: Price | null;
  /** of OpenAI: which API; null: Responses */
  readonly api: "responses" | "chat" | null;
  /** it takes tools natively */
  readonly tools: boolean;
  /** it is asked for a stream, not for the whole answer at once */
  readonly stream: boolean;
  /** left out: it calls tools, or writes the JSON of the specification, with shares from 0 to 1 */
  readonly eyes?: Eyes;
}
