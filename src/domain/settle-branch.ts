import { staleApproval } from "./approvals.ts";
import type { BranchState } from "./input.ts";
import { mergedByHand, move, type Rules, wait } from "./move.ts";
import { phaseOf, verifierBefore } from "./phase.ts";
import { isAtWork, isHeld, type Task } from "./task.ts";
import type { Turn } from "./turn.ts";

/** What the forge says of a branch and its pull request: done by hand counts too (architecture 6.8). */
export function settleBranch(turn: Turn, seen: BranchState, rules: Rules): void {
  const task = turn.task();
  // about to go on, or our own hands are on it: looked at again after
  if (task.status !== "in-progress" || task.doing.kind === "effect" || task.doing.kind === "nothing") return;
  if (seen.merged !== null && task.merged === null) return mergedByHand(turn, seen.merged, rules);
  if (task.merged !== null) return; // what becomes of its branch now changes nothing
  if (seen.pr === "closed" && task.pr !== null) return closedByHand(turn, task.pr);
  if (seen.pr === "open" && task.pr !== null && !task.ready) turn.note({ kind: "pr-readied", url: task.pr });
  if (seen.head !== null && seen.head !== task.published && !isAtWork(task)) pushed(turn, seen, rules);
  else if (isCounted(task, seen))
    turn.note({ kind: "head-moved", head: task.head, change: seen.change, foreign: task.foreign });
}

/** What a head brings that somebody pushed while an effect was under way is known only now. */
export const isCounted = ({ head, change }: Task, seen: Pick<BranchState, "head" | "change">): boolean =>
  head !== null && seen.head === head && (change?.patchId ?? null) === null && (seen.change?.patchId ?? null) !== null;

function closedByHand(turn: Turn, url: string): void {
  turn.note({ kind: "pr-lost", url, why: "closed by hand" });
  // the next step that needs one opens a new one, and what is held keeps its reason
  if (isAtWork(turn.task()) || isHeld(turn.task())) return;
  const reason = `pull request ${url} was closed by hand; pawl retry opens a new one, pawl cancel ends the task`;
  wait(turn, { code: "pr-closed", owner: "human", reason, since: turn.now, until: null });
}

/** A push by somebody else: the head is theirs now, nobody has judged it, and an approval of another head is void (architecture 6.6). */
function pushed(turn: Turn, seen: BranchState, rules: Rules): void {
  const before = turn.task();
  if (before.published === null || before.head !== before.published) return; // not ours to follow: publish says what is there
  turn.note({ kind: "head-moved", head: seen.head, change: seen.change, foreign: true });
  turn.note({ kind: "branch-published", head: seen.head! });
  if (isHeld(turn.task())) return; // nothing but a person moves what is held; the next step asks again
  const verifier = verifierBefore(rules.map, phaseOf(rules.map, turn.task().phase)!);
  if (verifier !== null) return move(turn, rules, { kind: "BACK", to: verifier, why: "foreign" });
  const gate = staleApproval(turn.task(), rules.map, rules.limits);
  if (gate === null) return;
  if (gate.phase === turn.task().phase)
    return turn.note({ kind: "approval-voided", phase: gate.phase, head: seen.head });
  move(turn, rules, { kind: "VOID", gate: gate.phase, head: seen.head! });
}
