import type { Instant } from "../domain/names.ts";

/** A tool as a model is told of it. `input` is a JSON Schema of an object. Names match `[a-z][a-z0-9_]{0,63}`. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call that a model wants. `args` is what it wrote, parsed where it is JSON, else the text as it came. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly args: { readonly json: unknown } | { readonly text: string };
}

/** A picture that a model looks at. JSON like all of a turn. */
export interface Picture {
  readonly mediaType: "image/png";
  /** the file's bytes */
  readonly base64: string;
}

export type Turn =
  | {
      readonly role: "user";
      readonly text: string;
      /** shown behind the text, in this order; a model that has no eyes refuses them (MODEL_REFUSED) */
      readonly pictures?: readonly Picture[];
    }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly calls: readonly ModelCall[];
      /** what the provider wants to see again as it was (signed thoughts); JSON, kept and never read */
      readonly opaque?: unknown;
    }
  | {
      readonly role: "results";
      /** one for each call of the turn before, in its order */
      readonly results: readonly {
        readonly id: string;
        readonly name: string;
        readonly text: string;
        readonly failed: boolean;
      }[];
    };

export interface ModelRequest {
  /** stays the same over a task's turns: providers cache by the longest prefix that they saw before */
  readonly system: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly ToolSpec[];
  /** auto: it may answer in words; any: it has to call one of the tools */
  readonly choice: "auto" | "any";
  /** tokens; null: the model's own limit */
  readonly maxOutput: number | null;
  /** 0 to 2; null: the provider's default */
  readonly temperature: number | null;
}

/** Tokens. `cached` and `written` are parts of `input`: read from, and written to, the provider's cache. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  /** length: cut by a limit of tokens; refused: by the provider's filter */
  readonly stop: "end" | "calls" | "length" | "refused";
  readonly usage: Usage;
  /** millionths of a US dollar; null: no price is known */
  readonly microUsd: number | null;
  readonly opaque?: unknown;
}

/** How the asking goes on: parts of the answer, and waits before it is asked again; the text before a wait counts no more. */
export type ModelNews =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "waiting"; readonly until: Instant; readonly why: string };

/**
 * A language model at a provider.
 *
 * Contract: `ask` resolves with a whole answer, or throws; a stream that was cut is no answer. What may pass (429, 5xx,
 * a cut stream, no connection) is asked again within the bounds that the adapter was made with, after the time that
 * the provider names, else with growing pauses; then it throws MODEL_RATE_LIMITED (`data.until`) or MODEL_DOWN, both
 * retryable. What will not pass throws at once: MODEL_KEY_MISSING, MODEL_KEY_REFUSED, MODEL_UNKNOWN, MODEL_REFUSED
 * (the request is not what the provider takes), MODEL_TOO_LONG (does not fit the context). No message, error or log
 * holds a key. An aborted `signal` ends it at once with the signal's reason.
 */
export interface Model {
  /** as it is called in pawl.yaml, and `PROVIDER/MODEL` */
  readonly name: string;
  readonly id: string;
  /** tokens that fit in, answer included */
  readonly context: number;
  /** it takes tools natively; else calls are JSON in its text */
  readonly hasTools: boolean;
  /** loads what asking needs, beside whatever else is done; asking works without it */
  warm?(): void;
  ask(
    request: ModelRequest,
    on: { readonly signal: AbortSignal; readonly news?: (news: ModelNews) => void },
  ): Promise<ModelAnswer>;
}
