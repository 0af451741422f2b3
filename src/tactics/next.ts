import type { Action, Look } from "./action.ts";
import { boundReached, timeWarning } from "./bounds.ts";
import { nextInGoal } from "./next-in-goal.ts";
import { nextOfPlanner } from "./next-of-planner.ts";
import { inScopeFailures } from "./scope-of-failure.ts";
import type { WorkerState } from "./worker-state.ts";

/**
 * What a worker does next. Pure and total: after a crash the same state gives the same next action, so going on needs
 * no code of its own.
 *
 * By status: initializing and researching do their one thing each; planning and reporting are tasks of the types `plan`
 * and `report`, done by the executor; implementing and testing are the planner's, task by task, each followed by the
 * suites and a commit; at a gate it waits.
 */
export function next(state: WorkerState, look: Look): Action {
  if (state.finished) return { do: "stop" };
  if (state.goal?.isInFlight) return { do: "mark-unknown", id: state.goal.pending[0]!.id };
  const fatal = state.done.at(-1)?.result?.fatal;
  if (fatal) return { do: "finish", verdict: "FAIL", detail: `${fatal.code}: ${fatal.message}` };
  const bound = boundReached(state, look);
  if (bound) return bound;
  return timeWarning(state, look) ?? byStatus(state, look);
}

function byStatus(state: WorkerState, look: Look): Action {
  const { session } = state;
  if (session.ended) return { do: "finish", verdict: session.ended.verdict, detail: session.ended.reason };
  switch (session.status) {
    case "initializing":
      return { do: "move", status: "researching", activity: "reading the ticket" };
    case "researching":
      return researching(state);
    case "planning":
      return toSubmission(state, look, "plan");
    case "awaiting_go":
    case "awaiting_next":
      return { do: "await", seq: session.seq };
    case "implementing":
      return working(state, look);
    case "testing":
      return testing(state, look);
    case "reporting":
      return toSubmission(state, look, "report");
    case "completed":
    case "blocked":
      return completed(state);
  }
}

function researching(state: WorkerState): Action {
  if (state.research === null) return { do: "research" };
  const [conflict] = state.research.conflicts;
  if (conflict) return { do: "finish", verdict: "BLOCKED", detail: `specification conflict: ${conflict}` };
  if (state.baseline === null) return { do: "baseline" };
  return { do: "move", status: "planning", activity: "making a plan" };
}

/** A plan or a report is made by the executor, as a task whose one move is to submit it. */
function toSubmission(state: WorkerState, look: Look, type: "plan" | "report"): Action {
  const { goal } = state;
  if (goal?.pattern.name !== type) return { do: "open", type, goals: [`make the ${type}`], reasoning: "" };
  if (goal.over === null) return nextInGoal(state, goal, look);
  if (goal.over.how === "done")
    return { do: "submit", what: type === "plan" ? "PLAN_SUBMISSION" : "COMPLETION_REPORT" };
  return { do: "finish", verdict: "BLOCKED", detail: `no ${type}: ${goal.over.words}` };
}

/** After each task: suites, if files changed; a commit; then the planner again. */
function working(state: WorkerState, look: Look): Action {
  const { goal } = state;
  if (goal && goal.over === null) return nextInGoal(state, goal, look);
  if (state.uncommitted.length > 0 && state.validated === null) return { do: "validate" };
  if (state.uncommitted.length > 0 && state.unsaved === null) return { do: "commit" };
  return nextOfPlanner(state, look);
}

/** All suites on what is to be reported; what fails in scope goes back, what fails out of scope is reported. */
function testing(state: WorkerState, look: Look): Action {
  const isAsked = state.session.issues.length > 0 && state.decision?.action !== "COMPLETE";
  if (isAsked || (state.goal !== null && state.goal.over === null)) return working(state, look);
  if (state.validated === null) return { do: "validate" };
  if (state.unsaved) return { do: "finish", verdict: "BLOCKED", detail: `cannot be committed: ${state.unsaved}` };
  if (state.uncommitted.length > 0) return { do: "commit" };
  if (inScopeFailures(state).length > 0)
    return { do: "move", status: "implementing", activity: "mending what the suites found" };
  return { do: "move", status: "reporting", activity: "making the report" };
}

/** What was done, in the words of the report that the owner took. */
function completed(state: WorkerState): Action {
  const detail = state.report?.summary.trim() || state.decisions.at(-1) || "nothing had to be changed";
  return { do: "finish", verdict: state.commits.length > 0 ? "PASS" : "NO_CHANGE", detail };
}
