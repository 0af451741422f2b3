import type { Gate, GateOwner, GateSaid } from "../domain/gate.ts";
import type { LegKey, TaskId } from "../domain/names.ts";
import type { Batch } from "./forge.ts";
import type { Permit } from "./permit.ts";
import type { Brief } from "./runtime.ts";

/** A worker that waits at a gate for this owner. */
export interface GateQuestion {
  readonly task: TaskId;
  readonly leg: LegKey;
  readonly gate: Gate;
  readonly seq: number;
  /** who is asked */
  readonly owner: GateOwner;
  /** the submission as its worker wrote it (JSON) */
  readonly submission: string;
  /** what the worker was given */
  readonly brief: Brief;
}

/**
 * An owner of gates that is asked (architecture 5.8). Contract: one call for many questions; it does not wait for what
 * takes long, but says when to ask again, and rings when there is something; an answer may be asked for again until it is
 * taken, and stays the same; who is not in `seen` has none yet. Owners read the commit that a submission names, never a worktree.
 */
export interface Gates {
  ask(
    questions: readonly GateQuestion[],
    permit: Permit,
  ): Promise<Batch<{ readonly leg: LegKey; readonly seq: number; readonly said: GateSaid }>>;
  /** a hint to ask now; ends when the signal aborts */
  rung?(signal: AbortSignal): AsyncIterable<void>;
  /** ends what is under way; resolves when nothing of it lives */
  close?(): Promise<void>;
}
