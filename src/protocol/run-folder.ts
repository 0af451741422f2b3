import { compareIds, type LegKey, parseLeg } from "../domain/names.ts";

/** Files of a run folder, `runs/TASK/NN-PHASE-aN/`. Everything is written by temp + rename. */
export const RUN_FILES = {
  assignment: "assignment.json",
  prompt: "prompt.md",
  /** the order as the host got it: wish and brief */
  order: "order.json",
  verdict: "verdict.json",
  progress: "progress.json",
  progressLog: "progress.jsonl",
  /** what a worker says it spent so far: {cost_usd?, tokens?} */
  usage: "usage.json",
  inbox: "inbox",
  outbox: "outbox",
} as const;

/** Files of a leg's folder, `leg-N/` in the run folder. */
export const LEG_FILES = {
  /** what its driver is to do, and what its end is read by */
  drive: "drive.json",
  /** driver and agent: who they are; made exclusively, by one driver */
  claim: "claim.json",
  ended: "ended.json",
  /** who wants it to end, and why: {why} */
  stop: "stop.json",
  /** a worker that ended because a provider is away, and when it is back: {until, why} */
  waiting: "waiting.json",
  /** what was read at its end; read again it is the same */
  reaped: "reaped.json",
  log: "output.log",
  /** what a driver says that cannot start */
  driverLog: "driver.err",
} as const;

/** Names of the environment that a worker finds. */
export const WORKER_ENV = {
  task: "PAWL_TASK",
  leg: "PAWL_LEG",
  /** the leg's own folder: the mark by which its processes are known, as no other project of this machine has it */
  legDir: "PAWL_LEG_DIR",
  runDir: "PAWL_RUN_DIR",
  assignment: "PAWL_ASSIGNMENT",
  prompt: "PAWL_PROMPT",
  worktree: "PAWL_WORKTREE",
  role: "PAWL_ROLE",
  phase: "PAWL_PHASE",
  round: "PAWL_ROUND",
  attempt: "PAWL_ATTEMPT",
  /**
   * `TASK/VISIT`: the same for each attempt of one visit, for an action and for its `check:`. What a repeated call to
   * the outside is known by.
   */
  key: "PAWL_KEY",
  /** the base as git names it there: `origin/main` where origin is on this machine, else `main` */
  base: "PAWL_BASE",
  /** only after a merge conflict: the commit of the base to be merged into the branch */
  merge: "PAWL_MERGE",
  resume: "PAWL_RESUME",
} as const;

/** `03-implement-a1`: visit 3 of the task, in phase implement, attempt 1. */
export const runFolderName = (leg: LegKey, phase: string): string => {
  const { visit, attempt } = parseLeg(leg);
  return `${String(visit).padStart(2, "0")}-${phase}-a${attempt}`;
};

/** Which of a task's run folders is that leg's, found without knowing the phase; null: none. */
export const findRunFolder = (names: readonly string[], leg: LegKey): string | null => {
  const { visit, attempt } = parseLeg(leg);
  const wanted = new RegExp(`^0*${visit}-.+-a${attempt}$`);
  return [...names].sort(compareIds).find((name) => wanted.test(name)) ?? null;
};
