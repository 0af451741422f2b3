import type { Amount } from "./budget.ts";
import type { BlobHash, Commit, EffectKey, LegKey, Ms, PhaseName, RunKey, TaskId } from "./names.ts";
import type { Purpose, StopWhy } from "./task.ts";

interface Of<K extends string> {
  readonly kind: K;
  readonly key: EffectKey;
  readonly task: TaskId;
}

/** Where a run works. `start`: the commit to stand on (null: the tip of the base). `contains`: merges of dependencies that the base must hold. */
export type Place =
  | {
      readonly kind: "worktree";
      readonly branch: string;
      readonly base: string;
      readonly start: Commit | null;
      readonly contains: readonly Commit[];
      /** a tip of the base that the branch conflicted with: the work is not done while it still does; null: none */
      readonly merge: Commit | null;
    }
  | { readonly kind: "clean"; readonly commit: Commit; readonly base: string };

/** What decide() asks for. The engine dresses it with a brief before the commit; from then on it is frozen. */
export interface SpawnWish {
  readonly run: RunKey;
  readonly leg: LegKey;
  readonly purpose: Purpose;
  readonly phase: PhaseName;
  /** role of an agent, name of an action */
  readonly who: string;
  readonly round: number;
  readonly place: Place;
  readonly wallMs: Ms;
  readonly reserve: Amount;
  /** of a later leg: the message that it goes on with, put into the inbox before it begins; the same name twice is the same */
  readonly answer?: { readonly name: string; readonly message: string };
}

/**
 * Trace intents leave something outside: committed with their key before they start, looked for after a crash.
 * A blob is written in the tick that intends its effect, so the store alone is enough to perform it.
 */
export type TraceIntent =
  | (Of<"spawn"> & { readonly wish: SpawnWish; readonly brief: BlobHash })
  | (Of<"deliver"> & { readonly leg: LegKey; readonly name: string; readonly message: string })
  | (Of<"stop"> & { readonly leg: LegKey; readonly why: StopWhy })
  | (Of<"publish"> & { readonly branch: string; readonly from: Commit | null; readonly to: Commit })
  | (Of<"open-pr"> & {
      readonly branch: string;
      readonly base: string;
      readonly head: Commit;
      readonly title: string;
      readonly body: BlobHash;
    })
  | (Of<"mark-ready"> & { readonly pr: string; readonly branch: string; readonly head: Commit })
  | (Of<"land"> & {
      readonly pr: string;
      readonly branch: string;
      readonly base: string;
      readonly head: Commit;
      readonly tip: Commit;
      readonly candidate: Commit;
    })
  | (Of<"notify"> & { readonly event: NoticeEvent; readonly text: string })
  | (Of<"clean-up"> & { readonly branch: string; readonly base: string; readonly merged: Commit });

export type NoticeEvent = "waiting" | "crashed" | "failed" | "finished" | "deadlock" | "overdue";

/** Reads leave nothing behind: never committed, simply done again. */
export type ReadIntent =
  | (Of<"prepare-merge"> & {
      readonly branch: string;
      readonly base: string;
      readonly head: Commit;
      readonly title: string;
      readonly trailer: string;
    })
  | (Of<"reap"> & { readonly leg: LegKey });

export type Intent = TraceIntent | ReadIntent;

/** As decide() wants it: the texts (a spawn's brief, a pull request's body) are made and stored by the engine. */
export type WantedIntent =
  | Exclude<Intent, { kind: "spawn" | "open-pr" }>
  | Omit<Extract<Intent, { kind: "spawn" }>, "brief">
  /** a later leg has the brief of its run */
  | Extract<Intent, { kind: "spawn" }>
  | Omit<Extract<Intent, { kind: "open-pr" }>, "body">;
export type IntentKind = Intent["kind"];

const READS: ReadonlySet<IntentKind> = new Set(["prepare-merge", "reap"]);
export const isTrace = (intent: Intent): intent is TraceIntent => !READS.has(intent.kind);

/** Chores never hold up the step of their task. */
const CHORES: ReadonlySet<IntentKind> = new Set(["notify", "clean-up", "deliver", "stop"]);
export const isChore = (intent: Intent): boolean => CHORES.has(intent.kind);
