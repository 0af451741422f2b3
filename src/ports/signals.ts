import type { SignalAnswer } from "../domain/input.ts";
import type { Commit, Instant, TaskId } from "../domain/names.ts";
import type { Batch } from "./forge.ts";
import type { Permit } from "./permit.ts";

/** One task that waits for an answer. */
export interface Question {
  readonly task: TaskId;
  readonly signal: string;
  readonly title: string;
  readonly head: Commit | null;
  readonly branch: string;
  readonly base: string;
  readonly pr: string | null;
  readonly since: Instant;
}

/**
 * Who answers a signal (processor.md, SignalPort). Contract: one call for many questions; says itself when it may be
 * asked again; pending answers may be left out. The same answer has the same id until `taken` was called with it;
 * `taken` may be called again, and for ids it does not know.
 */
export interface Signals {
  ask(
    questions: readonly Question[],
    permit: Permit,
  ): Promise<Batch<{ readonly task: TaskId; readonly answer: SignalAnswer }>>;
  /** the answer is durable in the store: it may be forgotten at its source */
  taken?(ids: readonly string[]): Promise<void>;
  /** a hint to ask now; ends when the signal aborts */
  rung?(signal: AbortSignal): AsyncIterable<void>;
}
