import type { Limits } from "./backlog.ts";
import type { Amount } from "./budget.ts";
import type { EndingKind } from "./ending.ts";
import type { Gate, GateOwner, GateSaid } from "./gate.ts";
import type { BlobHash, Commit, EffectKey, HostName, Instant, LegKey, Ms, PhaseName, TaskId } from "./names.ts";
import type { Reported } from "./outcome.ts";
import type { PhaseMap } from "./phase.ts";
import type { Change, Terms, Waiting, WorkerQuestion } from "./task.ts";

/** What the outside said, as it came. Recorded before anything is concluded from it. */
export type Input =
  /** `only`: no other task is picked up by it; absent: all */
  | {
      readonly kind: "processor-started";
      readonly pid: number;
      readonly host: string;
      readonly only?: readonly TaskId[];
    }
  | { readonly kind: "settings-read"; readonly limits: Limits }
  | { readonly kind: "map-read"; readonly map: PhaseMap }
  /** `landed`: its work is on the base already, by a store that is not here */
  | {
      readonly kind: "spec-read";
      readonly task: TaskId;
      readonly spec: BlobHash;
      readonly terms: Terms;
      readonly landed?: Commit;
    }
  | { readonly kind: "spec-gone"; readonly task: TaskId }
  | {
      readonly kind: "command-received";
      readonly id: string;
      readonly by: string;
      readonly task: TaskId | null;
      readonly command: Command;
    }
  | { readonly kind: "effect-ended"; readonly task: TaskId; readonly key: EffectKey; readonly result: EffectResult }
  | { readonly kind: "run-seen"; readonly task: TaskId; readonly leg: LegKey; readonly sighting: Sighting }
  | { readonly kind: "run-ended"; readonly task: TaskId; readonly leg: LegKey; readonly end: RunEnd }
  | { readonly kind: "signal-seen"; readonly task: TaskId; readonly signal: string; readonly answer: SignalAnswer }
  | {
      readonly kind: "gate-said";
      readonly task: TaskId;
      readonly leg: LegKey;
      readonly seq: number;
      readonly owner: GateOwner;
      readonly said: GateSaid;
    }
  | { readonly kind: "branch-seen"; readonly task: TaskId; readonly branch: BranchState }
  | { readonly kind: "base-seen"; readonly task: TaskId; readonly contains: boolean }
  | { readonly kind: "clock-gap"; readonly ms: Ms };

/** What a person may ask of a running store. `stop` concerns no task. */
export type Command =
  | { readonly do: "approve"; readonly head: Commit | null; readonly message: string | null }
  | { readonly do: "reject"; readonly head: Commit | null; readonly message: string }
  | { readonly do: "waive"; readonly finding: string; readonly message: string }
  /** `timeMs` lengthens the running attempt and the wall budget; `add` what the task may spend */
  | { readonly do: "extend"; readonly timeMs: Ms; readonly add: Amount }
  /** an answer at a gate; `seq`: the submission that was shown, null: whichever waits */
  | { readonly do: "go" | "next"; readonly seq: number | null; readonly message: string | null }
  | { readonly do: "feedback" | "fix" | "block"; readonly seq: number | null; readonly message: string }
  | { readonly do: "retry"; readonly from: PhaseName | null }
  | { readonly do: "cancel"; readonly message: string }
  | { readonly do: "stop"; readonly workers: boolean };

export interface SignalAnswer {
  /** the same answer has the same id, for ever */
  readonly id: string;
  readonly status: "approved" | "rejected" | "pending";
  /** the head that was judged; null: the one that the task waits with */
  readonly head: Commit | null;
  readonly by: string;
  readonly message: string | null;
  readonly findings: readonly Reported[];
  /** `findings` is all that there is: one that is not said again is fixed */
  readonly complete?: true;
  /**
   * Conversations that are open, each under a key of its own. One that the ledger does not have word for word sends the
   * task back, whatever the status is; one that it has is no news, also after a restart.
   */
  readonly threads?: readonly Reported[];
  /** keys of conversations that somebody has closed: their findings are fixed */
  readonly over?: readonly string[];
}

/** One verdict on liveness. `unknown` (probe failed, host silent) is never `ended`. */
export type Sighting =
  | {
      readonly kind: "alive";
      readonly verdictWritten: boolean;
      readonly overBudget: boolean;
      /** what it asks a person while it works; absent: nothing */
      readonly question?: WorkerQuestion;
    }
  /** a submission that nobody has answered, or whose answer it has not read; `alive` false: it is parked */
  | {
      readonly kind: "gate";
      readonly gate: Gate;
      readonly seq: number;
      readonly submission: BlobHash;
      readonly head: Commit | null;
      readonly alive: boolean;
    }
  /** `driver: gone`: nothing says how it ended (a reboot, a SIGKILL of its driver) */
  | { readonly kind: "ended"; readonly driver: "ended" | "gone" }
  | { readonly kind: "absent" }
  | { readonly kind: "unknown"; readonly why: string };

/** How many acceptance criteria a verdict says to be met; absent: it does not say. */
export interface Criteria {
  readonly met: number;
  readonly of: number;
}

/** What a run left: read by its host, once, and the same when read again. */
export type RunEnd = {
  readonly usage: Amount;
  /** false: nothing was reported, money and tokens are as reserved */
  readonly usageKnown: boolean;
  /** tokens were reported, and no money */
  readonly unpriced?: true;
  readonly head: Commit | null;
  readonly change: Change | null;
  /** what ended it, where `how` leaves that open; absent: it does not, or the end was read by an earlier release */
  readonly cause?: EndingKind;
} & (
  | {
      readonly how: "verdict";
      readonly verdict: "PASS" | "FAIL" | "BLOCKED" | "NO_CHANGE";
      readonly detail: string;
      readonly findings: readonly Reported[];
      readonly complete: boolean;
      /** the trajectory that goes with a PASS, seen whole on the disk: a path below .pawl */
      readonly trajectory?: string;
      readonly criteria?: Criteria;
    }
  /** the specification's crash */
  | { readonly how: "no-verdict"; readonly detail: string }
  /** a user's command: its exit code; null: a crash hid it */
  | { readonly how: "exit"; readonly code: number | null; readonly detail: string }
  | { readonly how: "timeout"; readonly detail: string }
  | { readonly how: "rate-limited"; readonly until: Instant | null; readonly detail: string }
  /** from outside, with its driver: `reboot` the machine was started anew, `kill` nobody knows by whom */
  | { readonly how: "killed"; readonly by: "reboot" | "kill"; readonly detail: string }
  | { readonly how: "auth" | "stopped" | "lost" | "setup"; readonly detail: string }
);

export interface BranchState {
  /** the task branch at the forge; null: there is none */
  readonly head: Commit | null;
  readonly change: Change | null;
  readonly pr: "none" | "draft" | "open" | "merged" | "closed";
  readonly merged: Commit | null;
}

/** `done` and `refused` are certain; `later` is certainly not done. An exception is none of these: in doubt. */
export type EffectResult =
  | { readonly kind: "done"; readonly made: Made /** it was already there */; readonly found: boolean }
  | {
      readonly kind: "refused";
      readonly code: RefusalCode;
      readonly detail: string;
      readonly files: readonly string[] /** what is there instead */;
      readonly actual: Commit | null;
    }
  | {
      readonly kind: "later";
      readonly until: Instant | null;
      readonly owner: Waiting["owner"];
      readonly detail: string;
    };

export type RefusalCode =
  | "conflict"
  | "head-moved"
  | "tip-moved"
  | "not-fast-forward"
  | "nothing-to-do"
  | "closed"
  | "branch-gone"
  | "base-gone"
  | "base-dirty"
  | "denied"
  | "invalid";

export type Made =
  | { readonly what: "leg"; readonly leg: LegKey; readonly host: HostName; readonly at: Instant }
  | { readonly what: "pr"; readonly url: string }
  | { readonly what: "candidate"; readonly tip: Commit; readonly commit: Commit }
  | { readonly what: "merge"; readonly commit: Commit; readonly onBase: boolean }
  | { readonly what: "nothing" };
