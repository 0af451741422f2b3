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

const isSame = (a: Terms, b: Terms): boolean => sameTerms(a, b) || JSON.stringify(a) === JSON.stringify(b);

/** Value by value, whatever the order of keys. Of a hundred thousand each is compared at each start: twice as fast as their texts. */
export function sameTerms(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  let keys = 0;
  for (const key in a) {
    keys++;
    if (!sameTerms(a[key as keyof typeof a], b[key as keyof typeof b])) return false;
  }
  for (const _ in b) keys--;
  return keys === 0;
}
