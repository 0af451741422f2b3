import type { Ms } from "../domain/names.ts";
import type { Action, Look } from "./action.ts";
import type { WorkerState } from "./worker-state.ts";

const MINUTE: Ms = 60_000;

/** Time that a worker has, with what its owner gave on top. */
export const limitMs = (state: WorkerState): Ms =>
  (state.assignment.timeout_minutes + state.session.extraMinutes) * MINUTE;

/** Time at work so far, with what lies behind the last record. */
export const workedMs = (state: WorkerState, { now }: Pick<Look, "now">): Ms =>
  state.spent.workMs + (isAtGate(state) ? 0 : Math.max(0, now - state.lastAt));

/** A bound that is reached ends the work before the next thing is paid for; null: it goes on. */
export function boundReached(state: WorkerState, look: Look): Action | null {
  if (isAtGate(state) || state.session.ended || state.session.status === "completed") return null;
  const minutes = limitMs(state) / MINUTE;
  if (workedMs(state, look) >= limitMs(state))
    return { do: "finish", verdict: "FAIL", detail: `timed out after ${minutes} of ${minutes} minutes` };
  const spent = spentWords(state, look);
  return spent ? { do: "finish", verdict: "BLOCKED", detail: `budget: ${spent}` } : null;
}

function spentWords({ spent, assignment }: WorkerState, { limits }: Look): string | null {
  const tokens = least(limits.tokens, assignment.budget?.tokens);
  const usd = assignment.budget?.cost_usd;
  const microUsd = least(limits.microUsd, usd === undefined ? undefined : usd * 1e6);
  if (spent.hops >= limits.hops) return `${spent.hops} of ${limits.hops} questions to models`;
  if (tokens !== null && spent.tokens >= tokens) return `${spent.tokens} of ${tokens} tokens`;
  const wallMs = assignment.budget?.wall_ms;
  if (wallMs !== undefined && spent.workMs >= wallMs)
    return `${Math.round(spent.workMs / 1000)} of ${Math.round(wallMs / 1000)} s`;
  if (microUsd !== null && spent.microUsd >= microUsd)
    return `$${(spent.microUsd / 1e6).toFixed(2)} of $${(microUsd / 1e6).toFixed(2)}`;
  return null;
}

const least = (a: number | null, b: number | undefined): number | null =>
  a === null ? (b ?? null) : b === undefined ? a : Math.min(a, b);

/** 80 % of the time, or 5 minutes before the end, whichever is later (architecture 9.3); once. */
export function timeWarning(state: WorkerState, look: Look): Action | null {
  if (state.session.ended || state.session.status === "completed") return null;
  const limit = limitMs(state);
  const from = Math.max(limit * 0.8, limit - 5 * MINUTE);
  if (state.warnedOfTime || isAtGate(state) || workedMs(state, look) < from) return null;
  const left = Math.max(0, Math.round((limit - workedMs(state, look)) / 1000));
  return { do: "warn", what: "time", text: `${left} s of ${limit / MINUTE} minutes are left` };
}

const isAtGate = ({ session }: WorkerState): boolean =>
  session.status === "awaiting_go" || session.status === "awaiting_next";
