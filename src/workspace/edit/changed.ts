import type { Root } from "./locate.ts";
import { type Before, createOverlay, type Entry } from "./overlay.ts";
import type { Plan } from "./plan.ts";
import { Refused } from "./refusal.ts";

/** Keys of the files that are not as the plan found them: other bytes, another mode, gone, come, or behind another link. */
export function changedSince({ seen }: Plan, root: Root, maxBytes: number): ReadonlySet<string> {
  const again = createOverlay(root, maxBytes);
  const isChanged = (entry: Entry): boolean => {
    try {
      const now = again.file(entry.given);
      return now.key !== entry.key || !isSame(entry.before, now.before);
    } catch (error) {
      if (error instanceof Refused) return true;
      throw error;
    }
  };
  return new Set(seen.filter(isChanged).map(({ key }) => key));
}

const isSame = (a: Before | null, b: Before | null): boolean =>
  a === null || b === null ? a === b : a.mode === b.mode && a.text === b.text;
