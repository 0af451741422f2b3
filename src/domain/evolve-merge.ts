import type { Apply } from "./evolve.ts";

/** Facts about the branch, its pull request, and its merge. */
export const mergeFacts = {
  "head-moved": (task, { head, change }) => ({
    ...task,
    head,
    change,
    candidate: null,
    noChange: (change?.commits ?? 0) > 0 ? null : task.noChange,
  }),
  "branch-published": (task, { head }) => ({ ...task, published: head }),
  "branch-lost": (task) => ({ ...task, published: null }),
  "pr-opened": (task, { url }) => ({ ...task, pr: url, ready: false }),
  "pr-readied": (task, { url }) => ({ ...task, pr: url, ready: true }),
  "pr-lost": (task) => ({ ...task, pr: null, ready: false }),
  "candidate-made": (task, { tip, commit, head }) => ({ ...task, candidate: { tip, commit, head, checked: false } }),
  "candidate-checked": (task, { commit }) =>
    task.candidate?.commit === commit ? { ...task, candidate: { ...task.candidate, checked: true } } : task,
  "candidate-dropped": (task) => ({ ...task, candidate: null }),
  "merge-landed": (task, { commit }) => ({ ...task, merged: commit, candidate: null }),
  "task-synced": (task) => ({ ...task, synced: true }),
  "no-change-said": (task, { reason }) => ({ ...task, noChange: reason }),
} satisfies Partial<Apply>;
