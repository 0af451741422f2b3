import type { Limits } from "./backlog.ts";
import { type PhaseMap, phaseOf } from "./phase.ts";
import type { Approval, Task } from "./task.ts";

/**
 * An approval of another head than the task's (architecture 6.6); null: none, or the policy keeps it for the same patch.
 * A gate that the map has no more cannot be gone back to.
 */
export function staleApproval(task: Task, map: PhaseMap, limits: Limits): Approval | null {
  const kept = (a: Approval) => limits.approval === "patch" && a.patchId !== null && a.patchId === task.change?.patchId;
  return task.approvals.find((a) => a.head !== task.head && phaseOf(map, a.phase) !== null && !kept(a)) ?? null;
}
