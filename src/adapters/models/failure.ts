import type { Instant } from "../../domain/names.ts";

/** Why an asking gave no answer: it may pass, or it will not. No text in it holds a key. */
export type Failure =
  | {
      readonly kind: "passes";
      /** what happened, as a clause: "it answers 529 (overloaded)" */
      readonly why: string;
      /** it says that too much was asked of it, not that it is ill */
      readonly limit: boolean;
      /** when the provider wants to be asked again; null: it does not say */
      readonly until: Instant | null;
      readonly next?: string;
    }
  | { readonly kind: "stays"; readonly code: FinalCode; readonly why: string; readonly next?: string };

export type FinalCode = "MODEL_KEY_REFUSED" | "MODEL_UNKNOWN" | "MODEL_REFUSED" | "MODEL_TOO_LONG";

/** Carries a failure out of the provider packages' streams; it is never seen outside this room. */
export class AskFailed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.why);
    this.name = "AskFailed";
    this.failure = failure;
  }
}

export const passes = (why: string, next?: string): AskFailed =>
  new AskFailed({ kind: "passes", why, limit: false, until: null, ...(next === undefined ? {} : { next }) });

/** The failure that an error stands for, however deep a package wrapped it; null: it is of another kind. */
export function failureIn(error: unknown): Failure | null {
  for (let one = error, depth = 0; one instanceof Error && depth < 8; one = one.cause, depth++)
    if (one instanceof AskFailed) return one.failure;
  return null;
}
