import type { BranchState, EffectResult, Made } from "../domain/input.ts";
import type { ReadIntent, TraceIntent } from "../domain/intent.ts";
import type { Commit, Ms, TaskId } from "../domain/names.ts";
import type { Permit } from "./permit.ts";

export type ForgeTrace = Extract<TraceIntent, { kind: "publish" | "open-pr" | "mark-ready" | "land" }>;
export type ForgeIntent = ForgeTrace | Extract<ReadIntent, { kind: "prepare-merge" }>;

export interface BranchQuestion {
  readonly task: TaskId;
  readonly branch: string;
  readonly base: string;
  readonly pr: string | null;
}

/** Answers to many questions, and when the source may be asked again. */
export interface Batch<T> {
  readonly seen: readonly T[];
  readonly againAfterMs: Ms;
}

/**
 * Where branches, pull requests and merges live. Contract: `find` answers for every intent of an earlier life, by its
 * key or by what it would have made; `unknown` where the forge cannot be asked now. Every write is compare-and-swap on
 * what it expects: `publish` and `land` prove fast-forward, name the old commit, and refuse with `head-moved` or
 * `tip-moved` and what is there instead. `later` only if certainly not done. A title is cut to 256 characters, a body
 * to 60,000, and both say so. `body` is the bytes of an open-pr's blob (null for the others).
 */
export interface Forge {
  find(
    intent: ForgeTrace,
    permit: Permit,
  ): Promise<
    | { readonly kind: "done"; readonly made: Made }
    | { readonly kind: "absent" }
    | { readonly kind: "unknown"; readonly why: string }
  >;
  perform(intent: ForgeIntent, body: string | null, permit: Permit): Promise<EffectResult>;
  branches(
    questions: readonly BranchQuestion[],
    permit: Permit,
  ): Promise<Batch<{ readonly task: TaskId; readonly branch: BranchState }>>;
  /** which of these commits the base branch holds, at the forge, now */
  contains(base: string, commits: readonly Commit[], permit: Permit): Promise<ReadonlySet<Commit>>;
  /** a hint to look now at branches and base; ends when the signal aborts */
  rung?(signal: AbortSignal): AsyncIterable<void>;
}
