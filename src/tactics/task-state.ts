import { type Made, movesOf, type Pattern, type PatternMove } from "./pattern.ts";

/** How far a task of some type is (tactics.md, TaskState); snake_case, as it stands in context.md and the journal. */
export interface TaskState {
  readonly task_type: string;
  /** calls made, and one more */
  readonly current_step: number;
  readonly max_steps: number;
  /** names of moves, in the order in which they were first proven */
  readonly completed_steps: readonly string[];
  /** required moves without a proof, in the pattern's order */
  readonly pending_steps: readonly string[];
  /** the last result of each move, in a few words */
  readonly step_results: Readonly<Record<string, string>>;
  /** calls of each move since it may be called again */
  readonly calls: Readonly<Record<string, number>>;
}

/** What a call came to, as far as a pattern is concerned. */
export interface Proofs {
  readonly ok: boolean;
  readonly changed: boolean;
  readonly passed: boolean;
  readonly valid: boolean;
  /** in a few words, for step_results */
  readonly words: string;
}

/** `inContext`: what context.md holds already (`found_in_context` of a move names it), so that it is not made again. */
export function newTaskState(pattern: Pattern, inContext: ReadonlySet<string> = new Set()): TaskState {
  const found = pattern.moves.filter((move) => move.found_in_context && inContext.has(move.found_in_context));
  const completed = found.map((move) => move.name);
  return {
    task_type: pattern.name,
    current_step: 1,
    max_steps: pattern.max_steps,
    completed_steps: completed,
    pending_steps: pendingOf(pattern, completed),
    step_results: Object.fromEntries(completed.map((name) => [name, "is in context.md already"])),
    calls: {},
  };
}

/** The state of a task that was given up and is taken up again: what is proven stays, and steps are counted anew. */
export function takenUp(state: TaskState, pattern: Pattern): TaskState {
  const names = new Set(pattern.moves.map((move) => move.name));
  const completed = state.completed_steps.filter((name) => names.has(name));
  return {
    ...state,
    current_step: 1,
    max_steps: pattern.max_steps,
    completed_steps: completed,
    pending_steps: pendingOf(pattern, completed),
  };
}

/** Where all that was edited is gone: what it proved, and what hangs on that, is to be made again. */
export function withoutEdits(state: TaskState, pattern: Pattern): TaskState {
  const gone = new Set(pattern.moves.filter(({ proof }) => proof === "changed").map(({ name }) => name));
  for (const name of gone)
    for (const move of pattern.moves)
      if (move.needs.includes(name) || move.undone_by.includes(name)) gone.add(move.name);
  const completed = state.completed_steps.filter((name) => !gone.has(name));
  return { ...state, completed_steps: completed, pending_steps: pendingOf(pattern, completed) };
}

/** Why a call may not be made now, with what may; null: it may. */
export function refusalOf(state: TaskState, pattern: Pattern, call: Made): string | null {
  if (pattern.also.includes(call.tool)) return null;
  const moves = movesOf(pattern, call);
  if (moves.some((move) => whyNot(state, move) === null)) return null;
  const why = moves[0] ? `${call.tool}: ${whyNot(state, moves[0])}` : `${call.tool} is no part of ${pattern.name}`;
  return `${why}. Allowed now: ${allowedNow(state, pattern).join(", ") || "nothing but done or escalate"}.`;
}

/** Names of the tools that may be called now. */
export const allowedNow = (state: TaskState, pattern: Pattern): readonly string[] => [
  ...new Set([
    ...pattern.moves.filter((move) => whyNot(state, move) === null).flatMap((move) => move.tools),
    ...pattern.also,
  ]),
];

/** The state after a call was made, whatever came of it. A move is marked by its proof alone; one call can make several. */
export function advance(state: TaskState, pattern: Pattern, call: Made, proofs: Proofs): TaskState {
  const next = { ...state, current_step: state.current_step + 1 };
  return movesOf(pattern, call).reduce(
    (now, move) => (whyNot(now, move) === null ? afterMove(now, pattern, move, proofs) : now),
    next,
  );
}

function afterMove(state: TaskState, pattern: Pattern, move: PatternMove, proofs: Proofs): TaskState {
  const isProven = proofs.ok && proofs[move.proof];
  const lost = isProven ? undoneBy(pattern, move.name) : move.on_fail;
  const stays = isProven || LASTING.has(move.proof);
  const kept = state.completed_steps.filter((name) => !lost.includes(name) && (stays || name !== move.name));
  const isNew = isProven && !kept.includes(move.name);
  const completed = isNew ? [...kept, ...notesBefore(pattern, move, kept), move.name] : kept;
  return {
    ...state,
    calls: counted(state.calls, move, pattern),
    completed_steps: completed,
    pending_steps: pendingOf(pattern, completed),
    step_results: { ...state.step_results, [move.name]: proofs.words },
  };
}

/** What was read or changed stays so, though a later call fails; what passed or was valid is so no longer. */
const LASTING: ReadonlySet<PatternMove["proof"]> = new Set(["ok", "changed"]);

/** Required moves that have no proof; none: complete. */
export const isComplete = (state: TaskState): boolean => state.pending_steps.length === 0;

export const isOutOfSteps = (state: TaskState): boolean => state.current_step > state.max_steps;

function whyNot(state: TaskState, move: PatternMove): string | null {
  const missing = move.needs.filter((name) => !state.completed_steps.includes(name));
  if (missing.length > 0) return `${missing.join(" and ")} has to come before ${move.name}`;
  if (move.at_most !== undefined && (state.calls[move.name] ?? 0) >= move.at_most)
    return `${move.name} was called ${move.at_most} of ${move.at_most} times${move.again ? `, until ${move.again}` : ""}`;
  return null;
}

function counted(calls: TaskState["calls"], move: PatternMove, pattern: Pattern): TaskState["calls"] {
  const freed = pattern.moves.filter((one) => one.again === move.name).map((one) => one.name);
  const next: Record<string, number> = { ...calls, [move.name]: (calls[move.name] ?? 0) + 1 };
  for (const name of freed) next[name] = 0;
  return next;
}

const undoneBy = (pattern: Pattern, made: string): readonly string[] =>
  pattern.moves.filter((move) => move.undone_by.includes(made)).map((move) => move.name);

/** Notes have no call of their own: they are made with the move that needs them. */
const notesBefore = (pattern: Pattern, move: PatternMove, completed: readonly string[]): readonly string[] =>
  pattern.moves
    .slice(0, pattern.moves.indexOf(move))
    .filter((one) => one.tools.length === 0 && !completed.includes(one.name))
    .map((one) => one.name);

/** A note is never pending: nothing could prove it. */
const pendingOf = (pattern: Pattern, completed: readonly string[]): readonly string[] =>
  pattern.moves
    .filter((move) => !move.optional && move.tools.length > 0 && !completed.includes(move.name))
    .map((move) => move.name);
