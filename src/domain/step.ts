import { staleApproval } from "./approvals.ts";
import type { Limits } from "./backlog.ts";
import { circling } from "./findings.ts";
import type { Commit, PhaseName } from "./names.ts";
import { isWork, type Phase, type PhaseMap, phaseOf, readierOf, verifierBefore } from "./phase.ts";
import type { Purpose, Task, Waiting } from "./task.ts";
import type { Pool } from "./world.ts";

/** What comes next for a task in progress with nothing going on. */
export type Next =
  | { readonly kind: "end"; readonly how: "cancelled" | "rounds" }
  | { readonly kind: "hold"; readonly on: Pick<Waiting, "code" | "owner" | "reason"> }
  | { readonly kind: "publish" }
  | { readonly kind: "open-pr" }
  /** a pull request is needed, and there is nothing to put into it */
  | { readonly kind: "empty" }
  | { readonly kind: "slot"; readonly pool: Pool; readonly purpose: Purpose }
  | { readonly kind: "skip"; readonly note: string }
  | { readonly kind: "mark-ready" }
  | { readonly kind: "prepare-merge" }
  | { readonly kind: "land" }
  | { readonly kind: "void"; readonly gate: PhaseName; readonly head: Commit }
  | { readonly kind: "back"; readonly to: PhaseName; readonly why: "foreign" | "draft" }
  | { readonly kind: "ask"; readonly signal: string };

/**
 * The next thing, first missing first: ends and holds, then what the step needs (publish, pull request), then the step.
 * The board sorts tasks into its queues by this, and decide() acts on it: one truth for both.
 */
export function nextOf(task: Task, map: PhaseMap, limits: Limits): Next {
  const ended = endOf(task, map, limits);
  if (ended) return ended;
  if (task.run) return { kind: "slot", pool: "worker", purpose: "agent" }; // it goes on with its answer
  const phase = phaseOf(map, task.phase)!;
  const hasCommits = task.head !== null && (task.change?.commits ?? 0) > 0;
  if (hasCommits && task.head !== task.published && isShared(phase)) return { kind: "publish" };
  if (phase.step.pr && task.noChange === null && task.pr === null) return { kind: hasCommits ? "open-pr" : "empty" };
  return stepOf(task, phase, map, limits);
}

/** A worker in the task's own worktree needs nothing published; and where somebody else pushed, it is the one to take that in. */
const isShared = ({ step }: Phase): boolean => step.run !== "agent" || step.checkout === "clean";

function endOf(task: Task, map: PhaseMap, limits: Limits): Next | null {
  if (task.cancelling !== null) return { kind: "end", how: "cancelled" };
  if (task.round >= roundLimit(task, map, limits)) return { kind: "end", how: "rounds" };
  const round = circling(task);
  if (round.length > 0) {
    const [first] = round as [(typeof round)[number]];
    const times =
      first.reopened > 0 ? `came back ${first.reopened} times` : `is open for ${first.seen} rounds in a row`;
    return hold("findings", `finding ${first.label} ${times}: ${first.text}`);
  }
  if (task.counts.conflicts >= limits.maxConflicts)
    return hold("conflicts", `${task.counts.conflicts} of ${limits.maxConflicts} merge conflicts and moved heads`);
  return null;
}
const hold = (code: Waiting["code"], reason: string): Next => ({ kind: "hold", on: { code, owner: "human", reason } });

export const roundLimit = (task: Task, map: PhaseMap, limits: Limits): number =>
  task.terms.maxRounds ?? map.maxRounds ?? limits.maxRounds;

function stepOf(task: Task, phase: Phase, map: PhaseMap, limits: Limits): Next {
  const noChange = task.noChange !== null;
  const { step } = phase;
  const verifier = task.foreign && !isWork(phase) ? verifierBefore(map, phase) : null;
  if (verifier !== null) return { kind: "back", to: verifier, why: "foreign" };
  if (step.run === "agent") return { kind: "slot", pool: "worker", purpose: "agent" };
  if (step.run === "signal")
    return step.pr && noChange && step.answeredBy !== "human"
      ? { kind: "skip", note: "no change" }
      : { kind: "ask", signal: step.name };
  if (step.how === "command" && !(step.pr && noChange))
    return { kind: "slot", pool: "run", purpose: isUnsure(task) ? "ask" : "action" };
  if (noChange) return { kind: "skip", note: "no change" };
  if (step.how === "mark-ready") return task.ready ? { kind: "skip", note: "ready already" } : { kind: "mark-ready" };
  // draft to ready is a step of its own (PRO-10.2): a draft is not merged behind anybody's back
  const readier = readierOf(map);
  if (!task.ready && readier !== null) return { kind: "back", to: readier, why: "draft" };
  if (!task.ready) return hold("denied", `pull request ${task.pr} is a draft, and no phase runs action mark-ready`);
  const stale = staleApproval(task, map, limits);
  if (stale && task.head !== null) return { kind: "void", gate: stale.phase, head: task.head };
  if (task.candidate === null) return { kind: "prepare-merge" };
  return phase.check !== null && !task.candidate.checked
    ? { kind: "slot", pool: "run", purpose: "check" }
    : { kind: "land" };
}

/** The last run of this visit was a user's command whose end a crash hid: it is asked for before it is run again. */
const isUnsure = (task: Task): boolean => task.unsure === task.visit;

/** Whether a task stands in the merge queue of its base. */
export function inMergeQueue(task: Task, map: PhaseMap): boolean {
  const phase = phaseOf(map, task.phase);
  return (
    task.status === "in-progress" &&
    phase?.step.run === "action" &&
    phase.step.how === "merge" &&
    task.noChange === null
  );
}
