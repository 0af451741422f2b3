import type { Status } from "../../domain/task.ts";
import type { Overview } from "../../ports/store.ts";

/** How many tasks are in each status. */
export function countsOf(counted: readonly { readonly status: Status; readonly n: number }[]): Overview["counts"] {
  const counts = { "not-started": 0, "in-progress": 0, completed: 0, failed: 0 };
  for (const { status, n } of counted) counts[status] += n;
  return counts;
}
