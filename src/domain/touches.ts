import type { Task } from "./task.ts";

/** The text before the first wildcard: `src/search/**` -> `src/search/`. */
const literal = (glob: string): string => /^[^*?[{!(]*/.exec(glob)![0];

/** Two globs overlap if the literal part before the first wildcard of one is a prefix of the other's (architecture 6.13). */
export function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((x) => b.some((y) => literal(x).startsWith(literal(y)) || literal(y).startsWith(literal(x))));
}

/** The first of `others` that touches what `task` touches; null: none. A task that names nothing stands in nobody's way. */
export const touching = (task: Task, others: readonly Task[]): Task | null =>
  others.find((other) => other.id !== task.id && overlap(task.terms.touches, other.terms.touches)) ?? null;
