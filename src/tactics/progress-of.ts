import { PERCENT, type Progress } from "../protocol/progress.ts";
import type { WorkerState } from "./worker-state.ts";

/** progress.json as a state has it (architecture 9.1); `least`: what was shown in this step already, and never goes back. */
export function progressOf(state: WorkerState, now: string, least: number): Progress {
  const { session, assignment, finished } = state;
  const status = finished ? (finished.verdict === "BLOCKED" ? "blocked" : session.status) : session.status;
  const [low, high] = PERCENT[status];
  const percent = Math.min(
    high,
    Math.max(low, session.percent, AT[status] ?? 0, low + share(state) * (high - low), least),
  );
  return {
    agent_id: assignment.agent_id,
    task_id: assignment.task_id,
    status,
    percent: Math.round(percent),
    activity: finished?.detail || activityOf(state),
    ...(state.warnedOfTime && !finished ? { warning: "the time limit is near" } : {}),
    updated_at: now,
  };
}

/** What the specification says for a step that is one number. */
const AT: Partial<Record<Progress["status"], number>> = {
  researching: 10,
  planning: 20,
  reporting: 95,
};

/** How far the work of a step is, from 0 to 1: by what the task's type has proven, and by steps where nothing tells. */
function share({ goal, session }: WorkerState): number {
  if (goal === null || session.status !== "implementing") return 0;
  const { completed_steps: done, pending_steps: open, current_step, max_steps } = goal.task;
  const proven = done.length + open.length === 0 ? 0 : done.length / (done.length + open.length);
  return goal.over ? 1 : Math.max(proven * 0.8, Math.min(0.9, (current_step - 1) / max_steps));
}

function activityOf({ done, goal, activity, session, commits, answers }: WorkerState): string {
  const last = done.at(-1);
  const isMoving = goal !== null && goal.over === null && goal.task.current_step > 1 && last !== undefined;
  if (isMoving) return `${last.tool}${aboutOf(last.args)}`;
  const number = String(session.seq).padStart(3, "0");
  switch (session.status) {
    case "awaiting_go":
      return `PLAN_SUBMISSION ${number} waits for its owner`;
    case "awaiting_next":
      return `COMPLETION_REPORT ${number} waits for its owner`;
    case "planning":
    case "implementing":
      return answers.at(-1)?.message_type ?? activity;
    case "completed":
      return `NEXT, ${commits.length} ${commits.length === 1 ? "commit" : "commits"}`;
    default:
      return activity;
  }
}

function aboutOf({ path, cmd, pattern }: Readonly<Record<string, unknown>>): string {
  const about = path ?? cmd ?? pattern;
  return typeof about === "string" ? ` ${about.split("\n")[0]!.slice(0, 80)}` : "";
}
