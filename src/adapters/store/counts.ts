import type { Status } from "../../domain/task.ts";
import type { Overview } from "../../ports/store.ts";

/** How many tasks are in each status: of those that were picked up as counted here, and the others. */
export function countsOf(
  picked: readonly { readonly status: Status; readonly n: number }[],
  notStarted: number,
): Overview["counts"] {
  const counts = { "not-started": notStarted, "in-progress": 0, completed: 0, failed: 0 };
  for (const { status, n } of picked) counts[status] += n;
  return counts;
}
