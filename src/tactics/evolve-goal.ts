import type { Turn } from "../ports/model.ts";
import type { ToolResult } from "../ports/tool.ts";
import { afterLoss } from "./lost.ts";
import type { JournalRecord } from "./record.ts";
import { stuckWords } from "./stuck.ts";
import { advance, type Proofs } from "./task-state.ts";
import type { Done, Goal, WorkerState } from "./worker-state.ts";

/** What a record means for the task that the executor is at: its conversation, its calls, its moves. */
export function evolveGoal(state: WorkerState, record: JournalRecord): WorkerState {
  const { goal } = state;
  if (goal === null) return state;
  switch (record.r) {
    case "asked":
      return record.who === "executor" ? withGoal(state, asked(goal, record)) : state;
    case "told":
      return record.who === "executor" ? withGoal(state, told(goal, record.text)) : state;
    case "started":
      return started(state, goal, record);
    case "ended":
      return withGoal(state, ended(goal, state, record));
    case "refused":
      return withGoal(state, refused(goal, record));
    case "resumed":
      return goal.over === null && record.lost !== undefined
        ? withGoal(state, afterLoss(goal, record.lost, state.uncommitted.length === 0))
        : state;
    case "unknown":
      return withGoal(state, unknown(goal, lastDone(state), record));
    case "closed":
      return withGoal(state, { ...goal, over: { how: record.how, words: record.words } });
    case "compacted":
      return withGoal(state, {
        ...goal,
        summary: record.summary,
        context: record.context,
        chat: record.keep === 0 ? [] : goal.chat.slice(-record.keep),
      });
    default:
      return state;
  }
}

/** What the model is told of a call that a crash cut off. */
export const UNKNOWN =
  "unknown: this program was stopped while the call ran, and nobody knows whether it was done, or done in part. See how things are before you do it again.";

const withGoal = (state: WorkerState, goal: Goal): WorkerState => ({ ...state, goal });
const lastDone = (state: WorkerState): Done | null => state.done.at(-1) ?? null;

function asked(goal: Goal, { text, calls, opaque }: Extract<JournalRecord, { r: "asked" }>): Goal {
  const turn: Turn = { role: "assistant", text, calls, ...(opaque === undefined ? {} : { opaque }) };
  return { ...goal, chat: [...goal.chat, turn], pending: calls, results: [] };
}

/** What is told after an answer without a call; it is why the answer led nowhere, or what is missing. */
function told(goal: Goal, text: string): Goal {
  return { ...goal, chat: [...goal.chat, { role: "user", text }], misread: goal.misread + 1 };
}

function refused(goal: Goal, { id, tool, why }: Extract<JournalRecord, { r: "refused" }>): Goal {
  const counted = tool === "done" ? { refusedDone: goal.refusedDone + 1 } : { misread: goal.misread + 1 };
  return withResult({ ...goal, ...counted }, { id, text: why, failed: true });
}

function started(
  state: WorkerState,
  goal: Goal,
  { tool, args, at }: Extract<JournalRecord, { r: "started" }>,
): WorkerState {
  const done: Done = { tool, args, result: null, startedAt: at, endedAt: at };
  return { ...state, done: [...state.done, done], goal: { ...goal, isInFlight: true, misread: 0, refusedDone: 0 } };
}

function ended(goal: Goal, state: WorkerState, { id, result }: Extract<JournalRecord, { r: "ended" }>): Goal {
  const done = lastDone(state);
  if (goal.pending[0]?.id !== id || done === null) return goal;
  const task = advance(goal.task, goal.pattern, { tool: done.tool, args: done.args }, proofsOf(result));
  const warning = stuckWords(state.streak);
  const text = result.text === "" ? "(nothing)" : result.text;
  return withResult(
    { ...goal, task, isInFlight: false },
    { id, text: warning ? `${text}\n${warning}` : text, failed: !result.ok },
  );
}

/** Files that differ are the proof of a move that changes them; nothing else of it is known. */
function unknown(goal: Goal, done: Done | null, { id, changed }: Extract<JournalRecord, { r: "unknown" }>): Goal {
  const isChanged = (changed ?? []).length > 0;
  const proofs = { ok: isChanged, changed: isChanged, passed: false, valid: false, words: "unknown" };
  const call = done && { tool: done.tool, args: done.args };
  const task = call ? advance(goal.task, goal.pattern, call, proofs) : goal.task;
  return withResult({ ...goal, task, isInFlight: false }, { id, text: UNKNOWN, failed: true });
}

/** A tool says what it proves in its data: `passed` of a test run, `valid` of what was made. */
export function proofsOf(result: ToolResult): Proofs {
  const data = (result.data ?? {}) as { passed?: unknown; valid?: unknown };
  return {
    ok: result.ok,
    changed: (result.changed?.length ?? 0) > 0,
    passed: data.passed === true,
    valid: data.valid === true,
    words: result.text.split("\n")[0]!.slice(0, 200),
  };
}

function withResult(goal: Goal, { id, text, failed }: { id: string; text: string; failed: boolean }): Goal {
  const call = goal.pending[0];
  if (!call || call.id !== id) return goal;
  const { notice, ...silent } = goal;
  const results = [...goal.results, { id, name: call.name, text: notice ? `${text}\n${notice}` : text, failed }];
  const pending = goal.pending.slice(1);
  return pending.length > 0 ? { ...silent, pending, results } : answeredAll({ ...silent, pending }, results);
}

/** Providers want all results of one answer together. */
const answeredAll = (goal: Goal, results: Goal["results"]): Goal => ({
  ...goal,
  results: [],
  chat: [...goal.chat, { role: "results", results }],
});
