import type { Instant, Ms } from "../domain/names.ts";
import type { ModelCall, Turn } from "../ports/model.ts";
import type { ToolResult } from "../ports/tool.ts";
import type { Answer } from "../protocol/answer.ts";
import type { Assignment } from "../protocol/assignment.ts";
import { newSession, type Session } from "../protocol/machine.ts";
import type { Submission } from "../protocol/message.ts";
import type { PlannerDecision } from "./decision.ts";
import type { Pattern } from "./pattern.ts";
import type { JournalRecord, Research, SuiteRun } from "./record.ts";
import { NO_STREAK, type Streak } from "./stuck.ts";
import type { TaskState } from "./task-state.ts";

/** What the executor is at: one task of one type. */
export interface Goal {
  readonly pattern: Pattern;
  readonly goals: readonly string[];
  readonly task: TaskState;
  /** the conversation's first message: context.md as it was then, since what was said may not change under a model */
  readonly context: string;
  /** the conversation so far, without its first message */
  readonly chat: readonly Turn[];
  /** calls of the last answer that have no result yet, in order; all but the first wait for the ones before */
  readonly pending: readonly ModelCall[];
  /** the first of `pending` was started: after a crash nobody knows how it ended */
  readonly isInFlight: boolean;
  readonly results: Extract<Turn, { role: "results" }>["results"];
  /** what is told with the next result; absent: nothing */
  readonly notice?: string;
  /** answers in a row that were no decision, and DONEs in a row that were refused */
  readonly misread: number;
  readonly refusedDone: number;
  /** of the conversation that is no longer there */
  readonly summary: string | null;
  readonly over: { readonly how: "done" | "escalated" | "steps" | "stuck"; readonly words: string } | null;
}

/** One finished call, as context.md section 4 and run.json tell of it. */
export interface Done {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** null: unknown, a crash hid it */
  readonly result: ToolResult | null;
  readonly startedAt: Instant;
  readonly endedAt: Instant;
}

/** An Entity of Interest: a function, region, class, file, pattern or concern that directs the attention. */
export interface Eoi {
  readonly kind: "function" | "region" | "class" | "file" | "pattern" | "concern";
  readonly label: string;
  readonly path: string | null;
}

export interface Spent {
  /** questions to models */
  readonly hops: number;
  readonly tokens: number;
  readonly microUsd: number;
  /** questions whose price is not known */
  readonly unpriced: number;
  /** time at work: not at gates, and not while no process was there */
  readonly workMs: Ms;
}

/** All that a worker is, folded from its journal. */
export interface WorkerState {
  readonly assignment: Assignment;
  readonly runId: string;
  readonly runLog: string;
  readonly startedAt: Instant;
  readonly lastAt: Instant;
  readonly session: Session;
  /** the commit that it began on, and the last one it knows of */
  readonly base: string | null;
  readonly head: string | null;
  readonly activity: string;
  readonly research: Research | null;
  readonly baseline: readonly SuiteRun[] | null;
  /** the last plan and report that went to the owner */
  readonly plan: Extract<Submission, { message_type: "PLAN_SUBMISSION" }> | null;
  readonly report: Extract<Submission, { message_type: "COMPLETION_REPORT" }> | null;
  readonly answers: readonly Answer[];
  /** names of messages that were taken out of turn */
  readonly ordersTaken: readonly string[];
  readonly goal: Goal | null;
  /** planner's decisions so far in this round of work, what it is told when it is asked again, and its last word */
  readonly iterations: number;
  readonly plannerTold: readonly string[];
  readonly refusedComplete: number;
  /** tasks in a row that were given up instead of done */
  readonly escalations: number;
  readonly decision: PlannerDecision | null;
  readonly decisions: readonly string[];
  readonly done: readonly Done[];
  /** suites on the files as they are; null: the files have changed since, or they were never run */
  readonly validated: readonly SuiteRun[] | null;
  readonly commits: readonly string[];
  /** why the last commit was refused; null: none was, or files have changed since */
  readonly unsaved: string | null;
  /** paths changed since the last commit, and since the beginning */
  readonly uncommitted: readonly string[];
  readonly touched: readonly string[];
  /** paths that are in a commit of ours, and which commits hold each */
  readonly committed: readonly string[];
  readonly commitsOf: Readonly<Record<string, readonly string[]>>;
  /** what the attention is on now (executive-worker.md, Entity of Interest); null: nothing in particular */
  readonly eoi: Eoi | null;
  readonly spent: Spent;
  readonly streak: Streak;
  readonly warnedOfTime: boolean;
  readonly legs: number;
  readonly finished: Extract<JournalRecord, { r: "finished" }> | null;
}

/** The state that a `began` record makes. */
export const newWorker = (began: Extract<JournalRecord, { r: "began" }>): WorkerState => ({
  assignment: began.assignment,
  runId: began.run_id,
  runLog: began.run_log,
  startedAt: began.at,
  lastAt: began.at,
  session: newSession(),
  base: began.head,
  head: began.head,
  activity: "",
  research: null,
  baseline: null,
  plan: null,
  report: null,
  answers: [],
  ordersTaken: [],
  goal: null,
  iterations: 0,
  plannerTold: [],
  refusedComplete: 0,
  escalations: 0,
  decision: null,
  decisions: [],
  done: [],
  validated: null,
  commits: [],
  unsaved: null,
  uncommitted: [],
  touched: [],
  committed: [],
  commitsOf: {},
  eoi: null,
  spent: { hops: 0, tokens: 0, microUsd: 0, unpriced: 0, workMs: 0 },
  streak: NO_STREAK,
  warnedOfTime: false,
  legs: 1,
  finished: null,
});
