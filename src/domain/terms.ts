import type { BlobHash } from "./names.ts";
import type { Seed, Status, Terms } from "./task.ts";

/** What a task goes by when its file says `terms` now: what its branch, pull request and dependants were made from does not change under way. */
export function termsOf(task: { readonly status?: Status; readonly terms: Terms }, terms: Terms): Terms {
  if (task.status === undefined || task.status === "not-started") return terms;
  const { deps, base, branch, phases } = task.terms;
  return { ...terms, deps, base, branch, phases };
}

/** Whether a file says nothing that is not in the row already. */
export const isKnown = (task: Seed & { readonly status?: Status }, spec: BlobHash, terms: Terms): boolean =>
  task.spec === spec && !task.gone && isSame(task.terms, termsOf(task, terms));

const isSame = (a: Terms, b: Terms): boolean => a === b || JSON.stringify(a) === JSON.stringify(b);
