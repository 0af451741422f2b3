import type { Commit } from "../../../domain/names.ts";
import type { Http } from "../remote/http.ts";
import { listOf, shapeOf, textOr } from "../remote/json.ts";
import { personOf, pushedAt } from "./pushed.ts";

/**
 * Who put a label there, after GitLab took this head for that of the merge request. A label says nothing of a commit: one
 * that was there before would approve what nobody has seen. Names of labels have a case.
 */
export const labelledBy =
  (http: Http, { root, label }: { root: string; label: string }) =>
  async (number: number, head: Commit, signal: AbortSignal): Promise<{ id: string; by: string } | null> => {
    const path = `${root}/merge_requests/${number}`;
    const request = await http.get(path, signal);
    if (request === null || !listOf(shapeOf(request, "merge request").labels).includes(label)) return null;
    const since = await pushedAt(http, path, { head, signal });
    const events = (await http.list(`${path}/resource_label_events?per_page=100`, signal)).map(eventOf);
    const put = events.findLast((one) => one.isPut && one.label === label);
    return since !== null && put !== undefined && put.at > since ? { id: put.id, by: put.by } : null;
  };

/** `label` is null where it was deleted since. */
function eventOf(value: unknown) {
  const { id, user, created_at, label, action } = shapeOf(value, "event");
  return {
    id: String(id),
    by: personOf(user).name,
    at: Date.parse(textOr(created_at, "")),
    label: textOr((label as { name?: unknown } | null)?.name, ""),
    isPut: action === "add",
  };
}
