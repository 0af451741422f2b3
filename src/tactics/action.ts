import type { Instant } from "../domain/names.ts";
import type { ModelCall } from "../ports/model.ts";
import type { WorkerStatus } from "../protocol/progress.ts";

/**
 * What a worker does next: a value, computed from its state alone. Each ends as a record, and most in one line of the
 * journal; only `call` writes one before it begins.
 */
export type Action =
  /** goes to a step by itself */
  | { readonly do: "move"; readonly status: WorkerStatus; readonly activity: string }
  /** reads ticket, specification and code, without a model */
  | { readonly do: "research" }
  /** runs the regression suites on the untouched base, once */
  | { readonly do: "baseline" }
  /** opens a task of this type; what it is about is in the plan, or in the planner's decision */
  | { readonly do: "open"; readonly type: string; readonly goals: readonly string[]; readonly reasoning: string }
  | { readonly do: "ask"; readonly who: "planner" | "executor" | "compaction" }
  /** tells it what was wrong with its last answer */
  | { readonly do: "tell"; readonly who: "planner" | "executor"; readonly text: string }
  | {
      readonly do: "call";
      readonly call: ModelCall;
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly do: "refuse"; readonly call: ModelCall; readonly tool: string; readonly why: string }
  | { readonly do: "mark-unknown"; readonly id: string }
  | { readonly do: "close"; readonly how: "done" | "escalated" | "steps" | "stuck"; readonly words: string }
  /** runs the suites on the files as they are */
  | { readonly do: "validate" }
  | { readonly do: "commit" }
  | { readonly do: "submit"; readonly what: "PLAN_SUBMISSION" | "COMPLETION_REPORT" }
  /** waits for the owner's answer to that submission */
  | { readonly do: "await"; readonly seq: number }
  | { readonly do: "warn"; readonly what: "time"; readonly text: string }
  | { readonly do: "finish"; readonly verdict: "PASS" | "FAIL" | "BLOCKED" | "NO_CHANGE"; readonly detail: string }
  /** nothing: it has ended */
  | { readonly do: "stop" };

/** What bounds a worker beside its assignment; the defaults are the specifications' and the design's numbers. */
export interface WorkerLimits {
  /** planner's decisions in one round of work */
  readonly iterations: number;
  /** ESCALATEs of the executor to the planner in one round of work; one more is BLOCKED */
  readonly escalations: number;
  /** answers in a row that lead nowhere */
  readonly fruitless: number;
  /** DONEs or COMPLETEs in a row that are refused */
  readonly refused: number;
  /** questions to models in all */
  readonly hops: number;
  readonly tokens: number | null;
  readonly microUsd: number | null;
  /** tokens of conversation at which it is made shorter */
  readonly compactAt: number;
}
export const WORKER_LIMITS: WorkerLimits = {
  iterations: 10,
  escalations: 2,
  fruitless: 5,
  refused: 3,
  hops: 300,
  tokens: null,
  microUsd: null,
  compactAt: 60_000,
};

export interface Look {
  readonly now: Instant;
  readonly limits: WorkerLimits;
  /** tools that there are, by the specification's names */
  readonly tools: ReadonlySet<string>;
}
