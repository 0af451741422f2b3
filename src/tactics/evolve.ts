import type { Answer } from "../protocol/answer.ts";
import { isIllegal, type Session, type SessionEvent, sessionLimits, step } from "../protocol/machine.ts";
import { evolveGoal } from "./evolve-goal.ts";
import { lostWords } from "./lost.ts";
import type { Pattern } from "./pattern.ts";
import type { JournalRecord, SuiteRun } from "./record.ts";
import { afterCall, NO_STREAK } from "./stuck.ts";
import { isComplete, newTaskState, type TaskState, takenUp } from "./task-state.ts";
import { type Goal, newWorker, type Spent, type WorkerState } from "./worker-state.ts";

/** The state after a record; null before the first one. A record that does not fit changes nothing but the time. */
export function evolve(before: WorkerState | null, record: JournalRecord): WorkerState | null {
  if (record.r === "began") return before ?? newWorker(record);
  if (before === null) return null;
  const state = { ...before, lastAt: record.at, spent: withTime(before, record) };
  return evolveGoal(apply(state, record), record);
}

/** Folds a journal; null: it has no beginning. */
export const fold = (records: readonly JournalRecord[]): WorkerState | null =>
  records.reduce<WorkerState | null>(evolve, null);

function apply(state: WorkerState, record: JournalRecord): WorkerState {
  switch (record.r) {
    case "resumed":
      return withoutLost({ ...state, legs: state.legs + 1 }, record.lost ?? []);
    case "moved":
      return {
        ...inSession(state, { kind: "status", status: record.status, percent: record.percent }),
        activity: record.activity,
      };
    case "researched":
      return { ...state, research: record.research };
    case "baseline":
      return { ...state, baseline: record.suites };
    case "opened": {
      const { pattern, goals } = record;
      const task = taskFor(state.goal, pattern, record.found);
      return {
        ...state,
        decision: null,
        streak: NO_STREAK,
        goal: { ...EMPTY_GOAL, pattern, goals, task, context: record.context },
      };
    }
    case "asked":
      return { ...state, spent: withUsage(state.spent, record) };
    case "told":
      return record.who === "planner" ? plannerTold(state, record.text) : state;
    case "closed":
      return closed(state, record);
    case "ended":
      return afterResult(state, record);
    case "unknown":
      return withChanges(state, record.changed ?? []);
    case "decided":
      return decided(state, record);
    case "validated":
      return { ...state, validated: record.suites };
    case "committed":
      return committed(state, record);
    case "unsaved":
      return unsaved(state, record.why);
    case "submitted":
      return submitted(state, record);
    case "answered":
      return answered(noted(state, record.name), record.seq, record.answer);
    case "warned":
      return record.what === "time" ? { ...state, warnedOfTime: true } : state;
    case "finished":
      return { ...state, finished: record };
    default:
      return state;
  }
}

/** A task that was given up goes on where it was when its type is chosen again; any other one begins anew (TAC-4.4). */
export const taskFor = (before: Goal | null, pattern: Pattern, found: readonly string[]): TaskState =>
  before?.over && before.over.how !== "done" && before.pattern.name === pattern.name && !isComplete(before.task)
    ? takenUp(before.task, pattern)
    : newTaskState(pattern, new Set(found));

const EMPTY_GOAL = {
  chat: [],
  pending: [],
  isInFlight: false,
  results: [],
  misread: 0,
  refusedDone: 0,
  summary: null,
  over: null,
} as const;

function inSession(state: WorkerState, event: SessionEvent): WorkerState {
  const next: Session | ReturnType<typeof step> = step(state.session, event, sessionLimits(state.assignment));
  return isIllegal(next) ? state : { ...state, session: next };
}

function afterResult(state: WorkerState, { id, result }: Extract<JournalRecord, { r: "ended" }>): WorkerState {
  const call = state.goal?.pending[0];
  const open = state.done.at(-1);
  if (!call || call.id !== id || !open) return state;
  const next = withChanges(state, result.changed ?? []);
  return {
    ...next,
    done: [...state.done.slice(0, -1), { ...open, result, endedAt: state.lastAt }],
    validated: (result.changed ?? []).length > 0 ? null : (suitesOf(result) ?? state.validated),
    streak: afterCall(state.streak, { tool: open.tool, args: open.args, isEmpty: isEmpty(result) }),
  };
}

/** Files are different now: what was proven on them as they were is proven no longer. */
function withChanges(state: WorkerState, changed: readonly string[]): WorkerState {
  if (changed.length === 0) return state;
  const union = (paths: readonly string[]) => [...new Set([...paths, ...changed])].sort();
  return {
    ...state,
    validated: null,
    unsaved: null,
    uncommitted: union(state.uncommitted),
    touched: union(state.touched),
  };
}

/** The planner is told, as the executor is; what was proven on the files as they were is proven no longer. */
function withoutLost(state: WorkerState, lost: readonly string[]): WorkerState {
  if (lost.length === 0) return state;
  return {
    ...state,
    validated: null,
    unsaved: null,
    uncommitted: state.uncommitted.filter((path) => !lost.includes(path)),
    touched: state.touched.filter((path) => !lost.includes(path) || state.committed.includes(path)),
    decisions: [...state.decisions, lostWords(lost)],
  };
}

/** A test run on the files as they are now is what a validation would be. */
const suitesOf = (result: { readonly data?: unknown }): readonly SuiteRun[] | null =>
  (result.data as { suites?: readonly SuiteRun[] } | undefined)?.suites ?? null;

const isEmpty = (result: { readonly text: string; readonly data?: unknown }): boolean =>
  result.text.trim() === "" || (result.data as { empty?: boolean } | undefined)?.empty === true;

function decided(state: WorkerState, { decision }: Extract<JournalRecord, { r: "decided" }>): WorkerState {
  const words = `${decision.action}${decision.action === "EXECUTE" ? ` ${decision.task_type}: ${decision.goals.join("; ")}` : ""}`;
  return {
    ...state,
    decision,
    eoi: decision.eoi,
    iterations: state.iterations + 1,
    plannerTold: [],
    refusedComplete: decision.action === "COMPLETE" ? state.refusedComplete : 0,
    decisions: [...state.decisions, decision.reasoning ? `${words} (${decision.reasoning})` : words],
  };
}

/** A COMPLETE that is refused is counted: it may not go on for ever. */
const plannerTold = (state: WorkerState, text: string): WorkerState => ({
  ...state,
  decision: null,
  plannerTold: [...state.plannerTold, text],
  refusedComplete: state.refusedComplete + (state.decision?.action === "COMPLETE" ? 1 : 0),
});

/** What the planner knows of a task that is over. */
function closed(state: WorkerState, { how, words }: Extract<JournalRecord, { r: "closed" }>): WorkerState {
  const type = state.goal?.pattern.name ?? "";
  const told = `${type}: ${how}${words ? `: ${words}` : ""}`;
  return { ...state, decisions: [...state.decisions, told], escalations: how === "done" ? 0 : state.escalations + 1 };
}

const held = ({ commitsOf }: WorkerState, files: readonly string[], commit: string): WorkerState["commitsOf"] => ({
  ...commitsOf,
  ...Object.fromEntries(files.map((path) => [path, [...new Set([...(commitsOf[path] ?? []), commit])]])),
});

function committed(state: WorkerState, { commit, files }: Extract<JournalRecord, { r: "committed" }>): WorkerState {
  const isNew = commit !== null && !state.commits.includes(commit);
  return {
    ...state,
    uncommitted: [],
    committed: [...new Set([...state.committed, ...files])].sort(),
    commitsOf: commit === null ? state.commitsOf : held(state, files, commit),
    head: commit ?? state.head,
    commits: isNew ? [...state.commits, commit] : state.commits,
  };
}

/** The planner has to know: what a hook refuses can often be mended. */
const unsaved = (state: WorkerState, why: string): WorkerState => ({
  ...state,
  unsaved: why,
  decisions: [...state.decisions, `the commit was refused: ${why}`],
});

function submitted(state: WorkerState, { seq, message }: Extract<JournalRecord, { r: "submitted" }>): WorkerState {
  const next = inSession(state, { kind: "submitted", what: message.message_type, seq });
  const of = { goal: null };
  return message.message_type === "PLAN_SUBMISSION"
    ? { ...next, ...of, plan: message }
    : { ...next, ...of, report: message };
}

const noted = (state: WorkerState, name: string | undefined): WorkerState =>
  name === undefined ? state : { ...state, ordersTaken: [...state.ordersTaken, name] };

/** With a GO or FIX a new round of work begins: the planner's counters are its own. */
function answered(state: WorkerState, seq: number, answer: Answer): WorkerState {
  const next = inSession(state, { kind: "answered", seq, answer });
  // an extension moves the time limit, and nothing else
  if (answer.message_type === "EXTEND") return { ...next, warnedOfTime: false, answers: [...state.answers, answer] };
  const isNewRound = answer.message_type === "GO" || answer.message_type === "FIX";
  const fresh = isNewRound
    ? { iterations: 0, refusedComplete: 0, escalations: 0, plannerTold: [], decision: null }
    : {};
  return { ...next, ...fresh, goal: null, answers: [...state.answers, answer] };
}

const withUsage = (spent: Spent, { usage, microUsd }: Extract<JournalRecord, { r: "asked" }>): Spent => ({
  ...spent,
  hops: spent.hops + 1,
  tokens: spent.tokens + usage.input + usage.output,
  microUsd: spent.microUsd + (microUsd ?? 0),
  unpriced: spent.unpriced + (microUsd === null ? 1 : 0),
});

/** Time at work: what lies before an answer of the owner was the owner's, what lies before a new leg was nobody's. */
function withTime({ spent, lastAt }: WorkerState, record: JournalRecord): Spent {
  if (record.r === "answered" || record.r === "resumed") return spent;
  return { ...spent, workMs: spent.workMs + Math.max(0, record.at - lastAt) };
}
