import type { Ms } from "../../domain/names.ts";
import type { ModelSpec } from "../../ports/model-spec.ts";

/** How often and how long a model is asked again before its caller is told. */
export interface Bounds {
  /** tries in all, at least 1 */
  readonly attempts: number;
  /** all waits between tries together; one that would make them longer is not begun */
  readonly patienceMs: Ms;
  /** the first pause where the provider names none; each one after it is twice as long, up to a minute */
  readonly pauseMs: Ms;
  /** how long it may say nothing while it writes its answer */
  readonly quietMs: Ms;
  /** how long it may say nothing before: many think in silence, and local ones are loaded first */
  readonly thinkingMs: Ms;
}

/** Anthropic sends a sign of life while its models think; the others say nothing. */
export const boundsOf = (spec: ModelSpec, own: Partial<Bounds> = {}): Bounds => ({
  attempts: 6,
  patienceMs: 180_000,
  pauseMs: 1_000,
  quietMs: 60_000,
  thinkingMs: spec.provider === "anthropic" && spec.stream ? 60_000 : 300_000,
  ...own,
});

const LONGEST_PAUSE_MS = 60_000;

/** The pause after the n-th try (1-based). `chance` (0 to 1) spreads those who were all refused at once. */
export const pauseAfter = (n: number, { pauseMs }: Bounds, chance: number): Ms =>
  Math.round(Math.min(pauseMs * 2 ** (n - 1), LONGEST_PAUSE_MS) * (0.75 + chance / 2));
