import type { Limits } from "./backlog.ts";
import type { Amount } from "./budget.ts";
import type { Gate, GateAnswer, GateOwner, OpenRun } from "./gate.ts";
import type { EffectResult, RunEnd, SignalAnswer } from "./input.ts";
import type { TraceIntent } from "./intent.ts";
import type {
  BlobHash,
  Commit,
  EffectKey,
  HostName,
  Instant,
  LegKey,
  MapHash,
  Ms,
  PhaseName,
  RunKey,
  TaskId,
} from "./names.ts";
import type { Move } from "./outcome.ts";
import type { Approval, Change, Finding, Purpose, StopWhy, Task, Terms, Waiting, WorkerQuestion } from "./task.ts";

/** One member per kind, so that a kind can be picked out of the union. */
type By<K extends string> = K extends string ? { readonly kind: K; readonly task: TaskId } : never;

/** What was concluded. Only these change a row: `evolve(task, fact)`. */
export type TaskFact =
  | (By<"task-added" | "task-respecified"> & { readonly spec: BlobHash; readonly terms: Terms })
  | By<"task-file-gone">
  | (By<"task-picked-up"> & { readonly map: MapHash; readonly at: Instant })
  | (By<"task-remapped"> & { readonly map: MapHash })
  | (By<"phase-entered"> & {
      readonly phase: PhaseName;
      readonly visit: number;
      readonly round: number;
      readonly at: Instant;
      readonly cause: Move["kind"] | "PICKUP" | "COMMAND";
    })
  | (By<"effect-intended"> & { readonly intent: TraceIntent; readonly at: Instant })
  | (By<"effect-closed"> & {
      readonly key: EffectKey;
      readonly ending: EffectResult["kind"];
      readonly detail: string | null;
    })
  | (By<"worker-spawned"> & {
      readonly leg: LegKey;
      readonly purpose: Purpose;
      readonly host: HostName;
      readonly at: Instant;
      readonly deadline: Instant;
      /** what later legs of its run are made of; only of an agent's first leg */
      readonly opens?: Pick<OpenRun, "wish" | "brief">;
    })
  | (By<"worker-seen"> & {
      readonly leg: LegKey;
      readonly ended: boolean;
      readonly unseen: string | null;
      readonly verdictSince: Instant | null;
    })
  /** null: its question was answered, or its time is over */
  | (By<"worker-asked"> & { readonly leg: LegKey; readonly question: WorkerQuestion | null })
  | (By<"gate-opened"> & {
      readonly leg: LegKey;
      readonly gate: Gate;
      readonly seq: number;
      readonly submission: BlobHash;
      readonly head: Commit | null;
      readonly alive: boolean;
      readonly owners: readonly GateOwner[];
      readonly at: Instant;
      readonly until: Instant;
    })
  /** that owner has said yes, and the next one is asked */
  | (By<"gate-passed"> & { readonly seq: number; readonly owner: GateOwner })
  | (By<"gate-overdue"> & { readonly seq: number })
  | (By<"gate-answered"> & { readonly leg: LegKey; readonly answer: GateAnswer; readonly at: Instant })
  /** its process has ended, and the run has not */
  | (By<"worker-parked"> & { readonly leg: LegKey; readonly at: Instant })
  | (By<"worker-stopping"> & { readonly leg: LegKey; readonly why: StopWhy })
  | (By<"worker-ended"> & { readonly leg: LegKey; readonly end: RunEnd; readonly at: Instant })
  | (By<"worker-crashed"> & {
      readonly leg: LegKey;
      readonly role: string;
      readonly branch: string;
      readonly detail: string;
    })
  | (By<"deadline-shifted"> & { readonly ms: Ms; readonly extended: boolean })
  | (By<"asking-started"> & { readonly signal: string; readonly at: Instant })
  | (By<"signal-answered"> & { readonly signal: string; readonly answer: SignalAnswer })
  | (By<"approval-given"> & { readonly approval: Approval })
  | (By<"approval-voided"> & { readonly phase: PhaseName; readonly head: Commit | null })
  | (By<"finding-opened" | "finding-repeated" | "finding-fixed" | "finding-waived"> & { readonly finding: Finding })
  | (By<"counter-raised"> & { readonly counter: keyof Task["counts"]; readonly at: Instant })
  | (By<"counters-cleared"> & { readonly counters: readonly (keyof Task["counts"])[] })
  | (By<"task-waiting"> & { readonly on: Waiting })
  | (By<"task-released"> & { readonly at: Instant })
  | (By<"task-overdue"> & { readonly at: Instant })
  /** `foreign`: not by a worker of ours */
  | (By<"head-moved"> & { readonly head: Commit | null; readonly change: Change | null; readonly foreign: boolean })
  /** a verifier passed a head that was somebody else's */
  | (By<"head-verified"> & { readonly head: Commit })
  | (By<"conflict-met"> & { readonly tip: Commit | null })
  | (By<"branch-published"> & { readonly head: Commit })
  | (By<"pr-opened"> & { readonly url: string })
  | (By<"pr-readied"> & { readonly url: string })
  | (By<"branch-lost"> & { readonly why: string })
  | (By<"pr-lost"> & { readonly url: string; readonly why: string })
  | (By<"candidate-made"> & { readonly tip: Commit; readonly commit: Commit; readonly head: Commit })
  | (By<"candidate-checked"> & { readonly commit: Commit })
  | (By<"candidate-dropped"> & { readonly why: string })
  | (By<"merge-landed"> & { readonly commit: Commit; readonly byHand: boolean })
  | By<"task-synced">
  /** null: taken back; `trajectory`: where the one is that shows what was done on a screen */
  | (By<"no-change-said"> & { readonly reason: string | null; readonly trajectory?: string })
  | (By<"budget-reserved"> & { readonly run: RunKey; readonly amount: Amount })
  | (By<"budget-settled"> & {
      readonly run: RunKey;
      readonly reserved: Amount;
      readonly amount: Amount;
      readonly known: boolean;
      readonly estimated: boolean;
    })
  | (By<"budget-extended"> & { readonly amount: Amount })
  | (By<"action-unsure"> & { readonly visit: number | null })
  | (By<"cancel-asked"> & { readonly why: string })
  | (By<"task-retried"> & { readonly by: string })
  | (By<"task-completed"> & { readonly evidence: string; readonly at: Instant })
  | (By<"task-failed"> & { readonly why: string; readonly at: Instant })
  | (By<"input-ignored"> & { readonly why: string });

/** What concerns no single task. */
export type BacklogFact =
  | { readonly kind: "limits-adopted"; readonly limits: Limits }
  | { readonly kind: "map-adopted"; readonly name: string; readonly map: MapHash }
  | { readonly kind: "command-answered"; readonly id: string; readonly accepted: boolean; readonly reply: string }
  | { readonly kind: "deadlock-found"; readonly chain: readonly TaskId[]; readonly at: Instant }
  /** nothing can go on by itself any more, and these hang on tasks that failed */
  | { readonly kind: "standstill-found"; readonly stranded: readonly TaskId[]; readonly at: Instant }
  | { readonly kind: "stop-asked"; readonly workers: boolean; readonly by: string }
  | { readonly kind: "stop-cleared" };

export type Fact = TaskFact | BacklogFact;

export const isTaskFact = (fact: Fact): fact is TaskFact => "task" in fact;
