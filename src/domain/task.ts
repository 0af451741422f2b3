import type { Ledger, Limit } from "./budget.ts";
import type { EndingCounts } from "./ending.ts";
import type { AtGate, OpenRun } from "./gate.ts";
import type { Criteria } from "./input.ts";
import type { TraceIntent } from "./intent.ts";
import type { BlobHash, Commit, HostName, Instant, LegKey, MapHash, Ms, PhaseName, TaskId } from "./names.ts";
import type { Reported } from "./outcome.ts";

/** What a task file means to the processor. Frozen into the row; the whole file is a blob in the store. */
export interface Terms {
  readonly title: string;
  readonly deps: readonly TaskId[];
  /** name of its phase map */
  readonly phases: string;
  /** the branch that its work starts from and lands on */
  readonly base: string;
  readonly branch: string;
  /** not beside another task that touches these; empty: beside anything */
  readonly touches: readonly string[];
  readonly maxRounds: number | null;
  /** one attempt of a worker */
  readonly wallMs: Ms;
  readonly limit: Limit;
  /** listed, never started */
  readonly draft: boolean;
  /** done on a screen: its trajectory proves it, and there is nothing to merge; missing: done in the repository */
  readonly environment?: "device";
}

/** All that memory holds of a task that has not been picked up. */
export interface Seed {
  readonly id: TaskId;
  readonly spec: BlobHash;
  readonly terms: Terms;
  /** its file is not there any more */
  readonly gone: boolean;
}

/** processor.md knows exactly these; everything else is a reason. A cancelled task is failed with that reason. */
export type Status = "not-started" | "in-progress" | "completed" | "failed";

export type WaitCode =
  | "pending"
  | "blocked"
  | "budget"
  | "backlog-budget"
  | "findings"
  | "conflicts"
  | "crashes"
  | "infra"
  | "rate-limited"
  | "auth"
  | "quota"
  | "provider-down"
  | "host"
  | "pr-closed"
  | "base-dirty"
  | "base-gone"
  | "action-wait"
  | "action-unknown"
  | "effect"
  | "denied"
  | "no-phase"
  | "setup"
  | "mass-end";

/** Who owns the next move, why, since when, and when it is looked at again (null: when the owner answers). */
export interface Waiting {
  readonly code: WaitCode;
  readonly owner: "processor" | "worker" | "human" | "forge" | "provider" | "host";
  readonly reason: string;
  readonly since: Instant;
  readonly until: Instant | null;
}

/** agent: a worker. action: a user's command. ask: did that command happen? check: the merge test on a candidate. */
export type Purpose = "agent" | "action" | "ask" | "check";
/** park: it waits at a gate for longer than it may hold a slot */
export type StopWhy = "cancel" | "timeout" | "budget" | "verdict-written" | "stopped" | "merged" | "park";

/** What a worker asks a person while it works (DEV-4.2, leave of an ACP agent); the first answer counts. */
export interface WorkerQuestion {
  /** from 1, within the run; also that of a question that nobody answered is never used again */
  readonly number: number;
  readonly text: string;
  /** from then on no answer is taken, and it goes on without */
  readonly until: Instant;
}

export interface Running {
  readonly kind: "running";
  readonly purpose: Purpose;
  readonly leg: LegKey;
  readonly host: HostName;
  readonly since: Instant;
  /** by when the attempt ends; the driver keeps it, this is what is shown and what a late stop goes by */
  readonly deadline: Instant;
  /** the host saw it end: it is to be reaped */
  readonly ended: boolean;
  /** a verdict lay there while the process lived */
  readonly verdictSince: Instant | null;
  /** why it cannot be seen, or null */
  readonly unseen: string | null;
  readonly stopping: StopWhy | null;
  /** missing or null: it asks nothing */
  readonly asks?: WorkerQuestion | null;
}

/** What goes on with a task: one union. Slots, claims and queues are computed from it, never stored. */
export type Doing =
  | { readonly kind: "nothing" }
  | { readonly kind: "effect"; readonly intent: TraceIntent; readonly since: Instant }
  | Running
  | AtGate
  | { readonly kind: "asking"; readonly signal: string; readonly since: Instant }
  | { readonly kind: "waiting"; readonly on: Waiting };

export interface Approval {
  readonly phase: PhaseName;
  readonly by: string;
  readonly head: Commit | null;
  readonly patchId: string | null;
  readonly at: Instant;
}

export interface Finding extends Reported {
  /** the reporter's key, else made of source, file and text */
  readonly id: string;
  /** F1, F2 … within the task: what a person types */
  readonly label: string;
  /** phase that raised it */
  readonly source: string;
  readonly state: "open" | "fixed" | "waived";
  readonly seen: number;
  readonly reopened: number;
  readonly firstRound: number;
  readonly lastRound: number;
}

/** Words that came with an approval or another answer: context for the next prompt. */
export interface Note {
  readonly from: string;
  readonly text: string;
  readonly phase: PhaseName;
}

/** The branch as it was last seen, against its base. */
export interface Change {
  readonly commits: number;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly patchId: string | null;
}

/** One immutable row. Durable as a whole: a tick writes the rows that it changed. */
export interface Task extends Seed {
  readonly status: Status;
  readonly map: MapHash | null;
  readonly phase: PhaseName | null;
  /** when the phase was entered: the order of the merge queue */
  readonly entered: Instant;
  /** what `timeout` counts from: the first WAIT of this visit, moved on by the time in which it did not wait */
  readonly waitingSince: Instant | null;
  /** since when this visit has not waited any more: work, and the time for a slot, do not count; null: it waits, or never did */
  readonly pausedSince: Instant | null;
  /** the timeout passed and was told (no escalate) */
  readonly overdue: boolean;
  /** +1 at every phase entry: makes keys unique */
  readonly visit: number;
  /** +1 at every RETRY */
  readonly round: number;
  /** paid tries within this visit */
  readonly attempt: number;
  /** effects intended within this visit */
  readonly n: number;
  readonly counts: {
    readonly crashes: number;
    readonly infra: number;
    readonly conflicts: number;
    readonly tips: number;
  };
  readonly infraSince: Instant | null;
  /** what ended its workers, since it was picked up: nothing takes that back, `pawl retry` neither; absent: none has ended */
  readonly endings?: EndingCounts;
  readonly doing: Doing;
  /** the paid try that has not ended: at work, parked at a gate, or about to go on; absent in rows of before there were gates */
  readonly run?: OpenRun | null;
  /** effects that never hold up the step: notices, clean-up, messages to a worker */
  readonly chores: readonly TraceIntent[];
  readonly head: Commit | null;
  /** the head is somebody else's, and no verifier has passed it yet */
  readonly foreign: boolean;
  readonly change: Change | null;
  readonly published: Commit | null;
  readonly pr: string | null;
  readonly ready: boolean;
  readonly candidate: {
    readonly tip: Commit;
    readonly commit: Commit;
    readonly head: Commit;
    readonly checked: boolean;
  } | null;
  /** the tip of the base that the branch last conflicted with, until a merge with it worked; `met`: conflicts in all since a person said `retry` */
  readonly conflict: { readonly tip: Commit | null; readonly met: number } | null;
  readonly approvals: readonly Approval[];
  readonly findings: readonly Finding[];
  readonly notes: readonly Note[];
  /** ids of the answers taken, newest last: an answer is taken once */
  readonly answers: readonly string[];
  readonly ledger: Ledger;
  /** why there is nothing to merge; null: there is, or it is not known yet */
  readonly noChange: string | null;
  /** what was done on a screen instead: where its trajectory is; counts only beside `noChange` */
  readonly trajectory?: string;
  /** the last count of met criteria, and the head it was made at: of another head it says nothing; absent: none was made */
  readonly criteria?: Criteria & { readonly head: Commit };
  readonly merged: Commit | null;
  readonly synced: boolean;
  readonly cancelling: string | null;
  /** the visit in which a crash hid the end of a user's command; null: none */
  readonly unsure: number | null;
  /** reason at the end */
  readonly why: string | null;
  readonly started: Instant | null;
  readonly finished: Instant | null;
}

export const isTerminal = (task: { status: Status }): boolean =>
  task.status === "completed" || task.status === "failed";
/** It waits for a person, and nothing else moves it. */
export const isHeld = ({ doing }: Task): boolean =>
  doing.kind === "waiting" && doing.on.owner === "human" && doing.on.until === null;
/** A worker of ours has its branch: at work, or parked at a gate. */
export const isAtWork = ({ doing }: Task): boolean => doing.kind === "running" || doing.kind === "at-gate";
export const openFindings = (task: Task): readonly Finding[] => task.findings.filter((f) => f.state === "open");
