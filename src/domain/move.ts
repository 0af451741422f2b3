import { staleApproval } from "./approvals.ts";
import type { Limits } from "./backlog.ts";
import { NOTHING } from "./budget.ts";
import { reconcile, waivedAll } from "./findings.ts";
import type { Commit, PhaseName } from "./names.ts";
import type { Move } from "./outcome.ts";
import { merges, type Phase, type PhaseMap, phaseOf, type Target } from "./phase.ts";
import type { Task } from "./task.ts";
import type { Turn } from "./turn.ts";

/** The map that a task is on, the newest of that name, and the numbers it goes by. */
export interface Rules {
  readonly map: PhaseMap;
  readonly newest: PhaseMap;
  readonly limits: Limits;
}

/** Where an outcome leads: notes the facts of one move on the turn (processor.md, "Three Outcomes" and "Phase Transitions"). */
export function move(turn: Turn, rules: Rules, outcome: Move): void {
  const phase = phaseOf(rules.map, turn.task().phase)!;
  switch (outcome.kind) {
    case "ADVANCE":
      return advance(turn, rules, phase);
    case "RETRY":
      return retry(turn, rules, phase, outcome);
    case "WAIT":
      if (outcome.stays || phase.onWait === phase.name) return wait(turn, outcome.on);
      return enter(turn, rules, { to: phase.onWait, round: turn.task().round, cause: "WAIT" });
    case "CONFLICT":
      return conflict(turn, rules, phase, outcome);
    case "VOID":
      turn.note({ kind: "approval-voided", phase: outcome.gate, head: outcome.head });
      turn.note({ kind: "counter-raised", counter: "conflicts", at: turn.now });
      return enter(turn, rules, { to: outcome.gate, round: turn.task().round, cause: "VOID" });
    case "BACK":
      if (outcome.why === "foreign") tookOver(turn, rules);
      return enter(turn, rules, { to: outcome.to, round: turn.task().round, cause: "BACK" });
    case "ESCALATE":
      return enter(turn, rules, { to: outcome.to, round: turn.task().round, cause: "ESCALATE" });
  }
}

/** Somebody else's head: what was approved is another one, and who keeps pushing must not keep it going round. */
function tookOver(turn: Turn, { map, limits }: Rules): void {
  const { head } = turn.task();
  for (let stale = staleApproval(turn.task(), map, limits); stale; stale = staleApproval(turn.task(), map, limits))
    turn.note({ kind: "approval-voided", phase: stale.phase, head });
  turn.note({ kind: "counter-raised", counter: "conflicts", at: turn.now });
}

function advance(turn: Turn, rules: Rules, phase: Phase): void {
  say(turn, { source: phase.name, said: [], complete: true });
  if (phase.onPass !== "done")
    return enter(turn, rules, { to: phase.onPass, round: turn.task().round, cause: "ADVANCE" });
  const evidence = evidenceOf(turn.task(), rules.map);
  if (evidence !== null) return complete(turn, rules.map, evidence);
  retry(turn, rules, phase, {
    kind: "RETRY",
    cause: "verdict",
    source: phase.name,
    findings: [
      {
        key: "no-evidence",
        text: "nothing was delivered: no commits ahead of the base; say NO_CHANGE with a reason if none are needed",
      },
    ],
    complete: false,
  });
}

/** What proves that a task is completed; null: nothing does (architecture 6.10). */
function evidenceOf(task: Task, map: PhaseMap): string | null {
  if (task.noChange !== null)
    return task.trajectory === undefined ? `no change: ${task.noChange}` : `${task.noChange}: ${task.trajectory}`;
  if (merges(map)) return task.merged;
  return task.head !== null && (task.change?.commits ?? 0) > 0 ? task.head : null;
}

/** The end of a task, with what proves it; a map that merges nothing leaves nothing to wait for. */
export function complete(turn: Turn, map: PhaseMap, evidence: string): void {
  const { merged, terms } = turn.task();
  dropRun(turn);
  turn.note({ kind: "task-completed", evidence, at: turn.now });
  if (merged === null || !merges(map)) turn.note({ kind: "task-synced" });
  if (merged !== null) turn.chore({ kind: "clean-up", branch: terms.branch, base: terms.base, merged });
  turn.notify("finished", `completed: ${evidence}`);
}

/** Merged by somebody else: the task goes on behind its merge phase, or is completed (architecture 6.8). */
export function afterMerge(turn: Turn, rules: Rules): void {
  const { doing, round, merged } = turn.task();
  if (doing.kind !== "nothing") turn.note({ kind: "task-released", at: turn.now });
  const merging = Object.values(rules.map.phases).find(({ step }) => step.run === "action" && step.how === "merge");
  if (merging === undefined || merging.onPass === "done") return complete(turn, rules.map, merged!);
  enter(turn, rules, { to: merging.onPass, round, cause: "ADVANCE" });
}

/** Somebody else merged it: that counts, and a worker that is still at it is told to end (architecture 6.8). */
export function mergedByHand(turn: Turn, commit: Commit, rules: Rules): void {
  turn.note({ kind: "merge-landed", commit, byHand: true });
  turn.note({ kind: "task-synced" });
  const { doing } = turn.task();
  if (doing.kind !== "running" && !(doing.kind === "at-gate" && doing.alive)) return afterMerge(turn, rules);
  turn.note({ kind: "worker-stopping", leg: doing.leg, why: "merged" });
  turn.chore({ kind: "stop", leg: doing.leg, why: "merged" });
}

/** A run that is parked is given up with the phase that it belongs to: what it may have spent counts as spent. */
function dropRun(turn: Turn): void {
  const { run, ledger } = turn.task();
  if (!run) return;
  const { run: key, wallMs } = run.wish;
  const reserved = ledger.reserved[key] ?? NOTHING;
  const amount = { ...reserved, wallMs: Math.min(reserved.wallMs, Math.max(0, wallMs - run.leftMs)) };
  turn.note({ kind: "budget-settled", run: key, reserved, amount, known: false, estimated: true });
}

/** Somebody who judges does not agree that nothing has to change. */
export function withdrawNoChange(turn: Turn): void {
  if (turn.task().noChange !== null) turn.note({ kind: "no-change-said", reason: null });
}

export function fail(turn: Turn, why: string): void {
  dropRun(turn);
  turn.note({ kind: "task-failed", why, at: turn.now });
  turn.notify("failed", why);
}

export function wait(turn: Turn, on: Extract<Move, { kind: "WAIT" }>["on"]): void {
  turn.note({ kind: "task-waiting", on });
  if (on.owner === "human") turn.notify("waiting", on.reason);
}

function retry(turn: Turn, rules: Rules, phase: Phase, outcome: Extract<Move, { kind: "RETRY" }>): void {
  const { source, findings: said } = outcome;
  const waived =
    outcome.cause === "verdict" || outcome.cause === "action" ? waivedAll(turn.task(), source, said) : null;
  if (waived !== null) return wait(turn, againWaived(turn, waived));
  if (outcome.cause === "crash") turn.note({ kind: "counter-raised", counter: "crashes", at: turn.now });
  say(turn, { source, said, complete: outcome.complete });
  const { counts, round } = turn.task();
  if (outcome.cause === "crash" && counts.crashes >= rules.limits.maxCrashes)
    return fail(turn, `worker crashed ${counts.crashes} times in a row: ${said[0]?.text ?? "no detail"}`);
  enter(turn, rules, { to: outcome.to ?? phase.onFail, round: round + 1, cause: "RETRY" });
}

/** Another round would be paid for, and nobody would be told why: a person said that this is no reason. */
function againWaived({ task, now }: Turn, labels: string): Extract<Move, { kind: "WAIT" }>["on"] {
  const { id } = task();
  const reason = `it failed again with nothing but what was waived (${labels}), and cannot go on by that; pawl logs ${id}`;
  return { code: "findings", owner: "human", reason, since: now, until: null };
}

function conflict(
  turn: Turn,
  rules: Rules,
  phase: Phase,
  { tip, findings }: Extract<Move, { kind: "CONFLICT" }>,
): void {
  turn.note({ kind: "conflict-met", tip });
  if (phase.onConflict === null)
    return retry(turn, rules, phase, { kind: "RETRY", cause: "action", source: phase.name, findings, complete: true });
  say(turn, { source: phase.name, said: findings, complete: true });
  // a base that never rests costs rounds in the end, so that this ends too
  const { round, conflict: met } = turn.task();
  const costs = met !== null && met.met > rules.limits.maxConflicts ? 1 : 0;
  enter(turn, rules, { to: phase.onConflict, round: round + costs, cause: "CONFLICT" });
}

function say(
  turn: Turn,
  report: { source: string; said: Parameters<typeof reconcile>[1]["said"]; complete: boolean },
): void {
  for (const fact of reconcile(turn.task(), { ...report, round: turn.task().round })) turn.note(fact);
}

/** Enters a phase: a task takes the newest valid map where that has the phase, else it stays on its own (architecture 6.2). */
export function enter(
  turn: Turn,
  { map, newest }: Pick<Rules, "map" | "newest">,
  to: { to: Target; round: number; cause: Move["kind"] | "PICKUP" | "COMMAND" },
): void {
  if (newest.hash !== map.hash && phaseOf(newest, to.to as PhaseName))
    turn.note({ kind: "task-remapped", map: newest.hash });
  dropRun(turn);
  const visit = turn.task().visit + 1;
  turn.note({
    kind: "phase-entered",
    phase: to.to as PhaseName,
    visit,
    round: to.round,
    at: turn.now,
    cause: to.cause,
  });
}
