import { staleApproval } from "./approvals.ts";
import type { BranchState } from "./input.ts";
import { mergedByHand, move, type Rules, wait } from "./move.ts";
import { isHeld } from "./task.ts";
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
  if (seen.head !== null && seen.head !== task.published && task.doing.kind !== "running") pushed(turn, seen, rules);
}

function closedByHand(turn: Turn, url: string): void {
  turn.note({ kind: "pr-lost", url, why: "closed by hand" });
  // the next step that needs one opens a new one, and what is held keeps its reason
  if (turn.task().doing.kind === "running" || isHeld(turn.task())) return;
  const reason = `pull request ${url} was closed by hand; pawl retry opens a new one, pawl cancel ends the task`;
  wait(turn, { code: "pr-closed", owner: "human", reason, since: turn.now, until: null });
}

/** A push by somebody else: the head is theirs now, and an approval of another head is void (architecture 6.6). */
function pushed(turn: Turn, seen: BranchState, rules: Rules): void {
  const before = turn.task();
  if (before.published === null || before.head !== before.published) return; // not ours to follow: publish says what is there
  turn.note({ kind: "head-moved", head: seen.head, change: seen.change });
  turn.note({ kind: "branch-published", head: seen.head! });
  const gate = staleApproval(turn.task(), rules.map, rules.limits);
  if (gate === null || isHeld(turn.task())) return; // nothing but a person moves what is held; the merge asks again
  if (gate.phase === turn.task().phase)
    return turn.note({ kind: "approval-voided", phase: gate.phase, head: seen.head });
  move(turn, rules, { kind: "VOID", gate: gate.phase, head: seen.head! });
}
