import type { ModelCall } from "../ports/model.ts";
import type { Action, Look } from "./action.ts";
import { readArgs } from "./arguments.ts";
import { isMisread, readExecutorDecision } from "./decision.ts";
import { roughTokens } from "./rough-tokens.ts";
import { isStuck } from "./stuck.ts";
import { isComplete, isOutOfSteps, refusalOf } from "./task-state.ts";
import { toolNamed } from "./tool-names.ts";
import type { Goal, WorkerState } from "./worker-state.ts";

/** The executor's turn: its open calls first, then whether the task is over, then it is asked. */
export function nextInGoal(state: WorkerState, goal: Goal, look: Look): Action {
  const { limits } = look;
  if (isStuck(state.streak))
    return { do: "close", how: "stuck", words: "the same call again and again came to nothing new" };
  const call = goal.pending[0];
  if (call) return ofCall(goal, call, look);
  if (goal.pattern.ends === "complete" && isComplete(goal.task)) return { do: "close", how: "done", words: "" };
  if (goal.misread >= limits.fruitless)
    return { do: "close", how: "stuck", words: `${goal.misread} answers in a row led to nothing that could be done` };
  if (goal.refusedDone >= limits.refused)
    return { do: "close", how: "escalated", words: `says that it is done, and ${missing(goal)} is not` };
  if (isOutOfSteps(goal.task))
    return {
      do: "close",
      how: "steps",
      words: `used ${goal.task.max_steps} of ${goal.task.max_steps} steps; open: ${missing(goal)}`,
    };
  return afterAnswer(goal, look) ?? { do: "ask", who: "executor" };
}

/** What stays after a conversation was made shorter is not made shorter again at once, however long it is. */
const FEW_TURNS = 8;

/** The last answer had no call: a decision in JSON, or words. Null: there is none to be looked at. */
function afterAnswer(goal: Goal, { limits }: Look): Action | null {
  const last = goal.chat.at(-1);
  const isLong = goal.chat.length > FEW_TURNS && roughTokens(goal.chat) > limits.compactAt;
  if (isLong && last?.role !== "assistant") return { do: "ask", who: "compaction" };
  if (last?.role !== "assistant" || last.calls.length > 0) return null;
  const read = readExecutorDecision(last.text);
  const why = isMisread(read) ? ` (${read.misread})` : "";
  return { do: "tell", who: "executor", text: `That is no call${why}. Call one tool, or done, or escalate.` };
}

/** Runs a call, or says why it is not run. `done` and `escalate` are words to us. */
function ofCall(goal: Goal, call: ModelCall, look: Look): Action {
  const read = readArgs(call);
  const { name } = call;
  if ("unreadable" in read)
    return { do: "refuse", call, tool: name, why: `the arguments cannot be read: ${read.unreadable}` };
  if (name === "done") return ofDone(goal, call, read.args);
  if (name === "escalate")
    return { do: "close", how: "escalated", words: text(read.args.reason) || "without a reason" };
  const tool = toolNamed(name, look.tools);
  if (tool === null) return { do: "refuse", call, tool: name, why: `there is no tool "${name}"` };
  if (isOutOfSteps(goal.task)) return { do: "refuse", call, tool, why: "no steps are left" };
  const why = refusalOf(goal.task, goal.pattern, { tool, args: read.args });
  return why ? { do: "refuse", call, tool, why } : { do: "call", call, tool, args: read.args };
}

function ofDone(goal: Goal, call: ModelCall, args: Readonly<Record<string, unknown>>): Action {
  if (isComplete(goal.task)) return { do: "close", how: "done", words: text(args.summary) };
  return {
    do: "refuse",
    call,
    tool: "done",
    why: `not done yet: ${missing(goal)} has no proof. Make it, or escalate.`,
  };
}

const missing = (goal: Goal): string => goal.task.pending_steps.join(", ") || "nothing";
const text = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
