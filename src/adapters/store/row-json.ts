import { pristine } from "../../domain/pristine.ts";
import type { Seed, Task } from "../../domain/task.ts";

/**
 * A row as it is kept: what is null, false, 0 or an empty list is left out, so that more rows fit on a page and a commit
 * writes fewer of them. A field that a later build adds is therefore read from an older store as its first value.
 */
export function rowJson(task: Task): string {
  const kept: Record<string, unknown> = {};
  // not Object.entries: a list for each field of each row is a tenth of what a commit costs
  for (const name in task) {
    const value = task[name as keyof Task];
    if (!isNothing(value)) kept[name] = value;
  }
  return JSON.stringify(kept);
}

const isNothing = (value: unknown): boolean =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

/** The row again, whole. */
export const rowOf = (kept: Partial<Task> & Seed): Task => ({ ...pristine({ ...kept, gone: false }), ...kept });
