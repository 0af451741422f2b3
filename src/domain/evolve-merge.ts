import type { Apply } from "./evolve.ts";

/** Facts about the branch, its pull request, and its merge. */
export const mergeFacts = {
  "head-moved": (task, { head, change, foreign }) => ({
    ...task,
    head,
    change,
    foreign,
    candidate: null,
    noChange: (change?.commits ?? 0) > 0 ? null : task.noChange,
  }),
  "head-verified": (task) => ({ ...task, foreign: false }),
  // tries on one tip are counted: another tip is somebody else's progress, and no failure of this task
  "conflict-met": (task, { tip }) => ({
    ...task,
    conflict: { tip, met: (task.conflict?.met ?? 0) + 1 },
    counts: { ...task.counts, conflicts: task.conflict?.tip === tip ? task.counts.conflicts + 1 : 1 },
  }),
  "branch-published": (task, { head }) => ({ ...task, published: head }),
  "branch-lost": (task) => ({ ...task, published: null }),
  "pr-opened": (task, { url }) => ({ ...task, pr: url, ready: false }),
  "pr-readied": (task, { url }) => ({ ...task, pr: url, ready: true }),
  "pr-lost": (task) => ({ ...task, pr: null, ready: false }),
  "candidate-made": (task, { tip, commit, head }) => ({
    ...task,
    candidate: { tip, commit, head, checked: false },
    conflict: task.conflict && { ...task.conflict, tip: null },
  }),
  "candidate-checked": (task, { commit }) =>
    task.candidate?.commit === commit ? { ...task, candidate: { ...task.candidate, checked: true } } : task,
  "candidate-dropped": (task) => ({ ...task, candidate: null }),
  "merge-landed": (task, { commit }) => ({ ...task, merged: commit, candidate: null }),
  "task-synced": (task) => ({ ...task, synced: true }),
  "no-change-said": ({ trajectory: _, ...task }, { reason, trajectory }) => ({
    ...task,
    noChange: reason,
    ...(trajectory === undefined ? {} : { trajectory }),
  }),
} satisfies Partial<Apply>;
