import type { Action, Look } from "./action.ts";
import { inScopeFailures } from "./scope-of-failure.ts";
import type { WorkerState } from "./worker-state.ts";

/** The planner's turn: what is to be done next, or whether all is done. Its word is checked, never believed. */
export function nextOfPlanner(state: WorkerState, { limits }: Look): Action {
  const { decision } = state;
  if (state.refusedComplete >= limits.refused || state.plannerTold.length >= limits.fruitless)
    return blocked(`the planner: ${state.plannerTold.at(-1) ?? "no decision that could be followed"}`);
  if (decision === null) {
    if (state.iterations >= limits.iterations)
      return blocked(`the planner used ${state.iterations} of ${limits.iterations} decisions; ${openWords(state)}`);
    if (state.escalations > limits.escalations)
      return blocked(`given up ${state.escalations} times: ${state.goal?.over?.words ?? ""}`);
    return { do: "ask", who: "planner" };
  }
  switch (decision.action) {
    case "EXECUTE":
      return { do: "open", type: decision.task_type, goals: decision.goals, reasoning: decision.reasoning };
    case "ESCALATE":
      return blocked(decision.reasoning || "the planner cannot go on, and does not say why");
    case "COMPLETE":
      return completeOrNot(state);
  }
}

/** COMPLETE with a suite that fails in scope is no end. */
function completeOrNot(state: WorkerState): Action {
  if (state.validated === null) return { do: "validate" };
  if (state.unsaved)
    return {
      do: "tell",
      who: "planner",
      text: `COMPLETE is refused, since the work cannot be committed: ${state.unsaved}`,
    };
  const failures = inScopeFailures(state);
  if (failures.length === 0) return { do: "move", status: "testing", activity: "running the suites" };
  const words = failures.map((failure) => failure.words).join("\n");
  return { do: "tell", who: "planner", text: `COMPLETE is refused, since suites fail that have to pass:\n${words}` };
}

const blocked = (detail: string): Action => ({ do: "finish", verdict: "BLOCKED", detail });

const openWords = (state: WorkerState): string =>
  inScopeFailures(state)[0]?.words.split("\n")[0] ?? state.goal?.over?.words ?? "nothing is said to be open";
