import type { SpawnWish } from "./intent.ts";
import type { BlobHash, Commit, HostName, Instant, LegKey, Ms } from "./names.ts";
import type { StopWhy } from "./task.ts";

/** Where a worker waits for its owner: GO after a plan, NEXT after a report. */
export type Gate = "GO" | "NEXT";

/**
 * Who answers a gate. `rules` looks for itself and believes nothing that the worker says; `human` is a person; `model:NAME`
 * reads the plan, and of a report the change.
 */
export type GateOwner = "rules" | "human" | `model:${string}`;

/** Who is asked at each gate, left to right: the first no is the answer, and the last yes. */
export interface GateSettings {
  readonly go: readonly GateOwner[];
  readonly next: readonly GateOwner[];
  /** after so long at a gate its phase escalates, or a person is told */
  readonly timeoutMs: Ms;
}
export const DEFAULT_GATES: GateSettings = { go: ["rules"], next: ["rules"], timeoutMs: 24 * 3_600_000 };

/** A task whose worker has said something that wants an answer. */
export interface AtGate {
  readonly kind: "at-gate";
  readonly leg: LegKey;
  readonly host: HostName;
  readonly gate: Gate;
  /** number of the submission within its run */
  readonly seq: number;
  /** the submission, whole */
  readonly submission: BlobHash;
  /** the commit that it is about, as the worker says; null: it names none */
  readonly head: Commit | null;
  /** its process waits there, and holds a slot; else it is parked */
  readonly alive: boolean;
  readonly since: Instant;
  /** when it escalates; null: it has, or was told */
  readonly until: Instant | null;
  /** who has not said yes yet; the first has the next move */
  readonly owners: readonly GateOwner[];
  readonly stopping: StopWhy | null;
}

/** What an owner wants otherwise; `about` decides where a FIX goes back to. */
export interface GateIssue {
  readonly id: string;
  readonly text: string;
  readonly about: "plan" | "code" | "test";
  readonly file?: string;
  readonly line?: number;
}

/** An owner's word. FEEDBACK and FIX carry an issue or more, BLOCKED a reason. */
export interface GateSaid {
  readonly word: "GO" | "FEEDBACK" | "NEXT" | "FIX" | "BLOCKED";
  readonly issues: readonly GateIssue[];
  readonly reason: string | null;
}

/** The answer as it is delivered: once, under its name. */
export interface GateAnswer {
  readonly seq: number;
  readonly word: GateSaid["word"];
  readonly by: string;
  /** `001-GO.json`, in the inbox of the run */
  readonly name: string;
  readonly message: string;
}

/** A paid try that has not ended, and all that its next leg is made of. */
export interface OpenRun {
  /** of its first leg */
  readonly wish: SpawnWish;
  readonly brief: BlobHash;
  /** legs that were started */
  readonly legs: number;
  /** what is left of its time as long as nobody works; time at a gate does not count */
  readonly leftMs: Ms;
  /** the last answer; null: none yet */
  readonly answer: GateAnswer | null;
  /** how often its plan and its report were sent back; left out: never */
  readonly sentBack?: Readonly<Partial<Record<Gate, number>>>;
}

/** So often a plan or a report is sent back; the next time its worker is BLOCKED (agent-runner.md, steps 4 and 9). */
export const MOST_SENT_BACK = 2;

/** The words that let the work go on. */
export const YES: Readonly<Record<Gate, "GO" | "NEXT">> = { GO: "GO", NEXT: "NEXT" };
/** The words that send it back. */
export const NO: Readonly<Record<Gate, "FEEDBACK" | "FIX">> = { GO: "FEEDBACK", NEXT: "FIX" };
/** What is said there, as a person calls it. */
export const SUBMITTED: Readonly<Record<Gate, "plan" | "report">> = { GO: "plan", NEXT: "report" };
