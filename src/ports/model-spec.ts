/** Whose API is spoken. `ollama` is `openai-compatible` with an address and a price of its own. */
export type Provider = "anthropic" | "openai" | "google" | "openai-compatible" | "ollama";

/** US dollars per million tokens, which is millionths of a dollar per token. */
export interface Price {
  readonly input: number;
  /** for what was read from the provider's cache */
  readonly cached: number;
  /** for what was written to it */
  readonly written: number;
  readonly output: number;
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
}
