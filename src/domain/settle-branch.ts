import { staleApproval } from "./approvals.ts";
import type { BranchState } from "./input.ts";
import { move, type Rules, wait } from "./move.ts";
import type { Turn } from "./turn.ts";

/** What the forge says of a branch and its pull request: done by hand counts too (architecture 6.8). */
export function settleBranch(turn: Turn, seen: BranchState, rules: Rules): void {
  const task = turn.task();
  if (task.status !== "in-progress" || task.doing.kind === "effect") return; // our own hands are on it: looked at again after
  if (seen.merged !== null && task.merged === null) return mergedByHand(turn, seen.merged);
  if (seen.pr === "closed" && task.pr !== null) return closedByHand(turn, task.pr);
  if (seen.pr === "open" && task.pr !== null && !task.ready) turn.note({ kind: "pr-readied", url: task.pr });
  if (seen.head !== null && seen.head !== task.published && task.doing.kind !== "running") pushed(turn, seen, rules);
}

function mergedByHand(turn: Turn, commit: NonNullable<BranchState["merged"]>): void {
  turn.note({ kind: "merge-landed", commit, byHand: true });
  turn.note({ kind: "task-synced" });
  const { doing } = turn.task();
  if (doing.kind === "running") {
    turn.note({ kind: "worker-stopping", leg: doing.leg, why: "merged" });
    return turn.chore({ kind: "stop", leg: doing.leg, why: "merged" });
  }
  if (doing.kind !== "nothing") turn.note({ kind: "task-released", at: turn.now });
}

function closedByHand(turn: Turn, url: string): void {
  turn.note({ kind: "pr-lost", url, why: "closed by hand" });
  if (turn.task().doing.kind === "running") return; // the next step that needs one opens a new one
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
  if (gate === null) return;
  if (gate.phase === turn.task().phase)
    return turn.note({ kind: "approval-voided", phase: gate.phase, head: seen.head });
  move(turn, rules, { kind: "VOID", gate: gate.phase, head: seen.head! });
}
