/** What a path is found to hold, compared with a journal. */
export type FoundState = "old" | "new" | "other";

/** What to do about edits that were begun. Indexes are those of the changes. */
export type Verdict =
  /** all of it was done */
  | { readonly kind: "finished" }
  /** none of it was done */
  | { readonly kind: "untouched" }
  /** a part was done: these are put back */
  | { readonly kind: "roll-back"; readonly restore: readonly number[] };

/**
 * All new: it is finished. None new: it was not begun. Else what is new goes back to what it was, so that all or none of
 * it is there. What is neither was changed by somebody else since, and is nobody's to touch.
 */
export function verdictOf(states: readonly FoundState[]): Verdict {
  if (!states.includes("new")) return { kind: "untouched" };
  if (!states.includes("old")) return { kind: "finished" };
  return { kind: "roll-back", restore: states.flatMap((state, i) => (state === "new" ? [i] : [])) };
}
