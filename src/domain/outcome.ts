import type { Commit, PhaseName } from "./names.ts";
import type { Waiting } from "./task.ts";

/** A finding as a worker, a signal or an action says it. `key` is the reporter's own id for it. */
export interface Reported {
  readonly key?: string;
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/** The specification's three outcomes (processor.md, "Three Outcomes"), and four moves that are nobody's fault. */
export type Move =
  | { readonly kind: "ADVANCE"; readonly note: string | null }
  | {
      readonly kind: "RETRY";
      readonly cause: "verdict" | "crash" | "signal" | "action";
      readonly source: string;
      readonly findings: readonly Reported[];
      /** every open finding of this source that is not said again is fixed */
      readonly complete: boolean;
      /** instead of the map's on_fail, where that could not put it right */
      readonly to?: PhaseName;
    }
  /** `stays`: not the map's on_wait (held, budget, rate limit and host stay in the phase) */
  | { readonly kind: "WAIT"; readonly on: Waiting; readonly stays: boolean }
  /** a merge conflict: on_conflict costs no round, without it RETRY */
  | { readonly kind: "CONFLICT"; readonly tip: Commit | null; readonly findings: readonly Reported[] }
  /** back to the gate that approved another head; no round */
  | { readonly kind: "VOID"; readonly gate: PhaseName; readonly head: Commit }
  /** back to a phase that has to come first: `foreign`, a head that no verifier saw; `draft`, a pull request that is none yet; no round */
  | { readonly kind: "BACK"; readonly to: PhaseName; readonly why: "foreign" | "draft" }
  /** a passed timeout; no round */
  | { readonly kind: "ESCALATE"; readonly to: PhaseName };
