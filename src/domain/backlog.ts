import { type Amount, type Limit, NOTHING, UNLIMITED } from "./budget.ts";
import { DEFAULT_GATES, type GateSettings } from "./gate.ts";
import type { Instant, MapHash, Ms } from "./names.ts";

/** Numbers of pawl.yaml that decide() goes by. They come in as an input; changing one is a fact. */
export interface Limits {
  readonly maxWorkers: number;
  /** users' commands and merge checks at once */
  readonly maxRuns: number;
  readonly maxRounds: number;
  readonly maxCrashes: number;
  readonly maxConflicts: number;
  /** how long infrastructure may fail before the task is held */
  readonly maxHoldMs: Ms;
  readonly budget: Limit;
  readonly onLimit: "wait" | "fail";
  /** `patch`: an unchanged patch-id keeps an approval although the head moved */
  readonly approval: "commit" | "patch";
  /** absent in settings of before there were gates */
  readonly gates?: GateSettings;
}

export const DEFAULT_LIMITS: Limits = {
  maxWorkers: 4,
  maxRuns: 2,
  maxRounds: 50,
  maxCrashes: 3,
  maxConflicts: 5,
  maxHoldMs: 24 * 3_600_000,
  budget: UNLIMITED,
  onLimit: "wait",
  approval: "commit",
  gates: DEFAULT_GATES,
};

/** What belongs to no single task. One row in the store. */
export interface Backlog {
  readonly limits: Limits;
  /** newest valid map of each name */
  readonly maps: Readonly<Record<string, MapHash>>;
  readonly spent: Amount;
  readonly reserved: Amount;
  /** what was reported as deadlock, each pair as `failed -> stranded` */
  readonly deadlocks: readonly string[];
  /** it was told that nothing can go on by itself; until something does */
  readonly standstill: boolean;
  /** the processor was asked to stop; cleared when one starts */
  readonly stopping: { readonly workers: boolean; readonly by: string } | null;
  readonly clock: Instant;
}

export const emptyBacklog: Backlog = {
  limits: DEFAULT_LIMITS,
  maps: {},
  spent: NOTHING,
  reserved: NOTHING,
  deadlocks: [],
  standstill: false,
  stopping: null,
  clock: 0 as Instant,
};
