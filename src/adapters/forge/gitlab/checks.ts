import type { Check } from "../remote/checks.ts";
import type { Http } from "../remote/http.ts";
import { listOf, shapeOf, textOr } from "../remote/json.ts";
import type { Ask } from "../remote/signals.ts";

/** The newest pipeline of one commit on each ref, that of its merged result with them, and of those that failed their jobs. */
export const checksOf =
  (http: Http, root: string): Ask<readonly Check[]> =>
  async (number, head, signal) => {
    const found = (await http.list(`${root}/pipelines?sha=${head}&per_page=100`, signal))
      .map((one) => shapeOf(one, "pipeline"))
      .filter(({ sha }) => sha === head)
      .toSorted(byId);
    const newest = new Map(found.map((pipeline) => [pipeline.ref, pipeline]));
    const merged = await mergedResult(http, root, { number, head, signal });
    const all = [...newest.values(), ...(merged === null ? [] : [merged])];
    const checks = await Promise.all(all.map((one) => checksIn(http, root, { of: one, signal })));
    return checks.flat();
  };

type Fields = ReturnType<typeof shapeOf>;
const byId = (a: Fields, b: Fields): number => Number(a.id) - Number(b.id);

/**
 * Where a project builds merged results, a pipeline runs on a commit of GitLab's own, which has the tip of the target and
 * the head as its parents. The newest such pipeline counts where it is of this head; null: it is of another one, or none.
 */
async function mergedResult(
  http: Http,
  root: string,
  { number, head, signal }: { number: number; head: string; signal: AbortSignal },
): Promise<Fields | null> {
  const all = (await http.list(`${root}/merge_requests/${number}/pipelines?per_page=100`, signal))
    .map((one) => shapeOf(one, "pipeline"))
    .filter(({ ref }) => ref === `refs/merge-requests/${number}/merge`);
  const newest = all.toSorted(byId).at(-1);
  if (newest === undefined) return null;
  const commit = await http.get(`${root}/repository/commits/${textOr(newest.sha, "")}`, signal);
  return commit !== null && listOf(shapeOf(commit, "commit").parent_ids).includes(head) ? newest : null;
}

/** Everything else runs, or waits for something or somebody. */
const ENDED: ReadonlyMap<unknown, Check["state"]> = new Map([
  ["success", "passed"],
  // of `[skip ci]` in a message: nothing has looked at it
  ["skipped", "skipped"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

async function checksIn(
  http: Http,
  root: string,
  { of, signal }: { of: Fields; signal: AbortSignal },
): Promise<readonly Check[]> {
  const at = `${root}/pipelines/${of.id}`;
  const state = ENDED.get(of.status) ?? "pending";
  const jobs = state === "failed" ? await failedJobs(http, at, signal) : [];
  if (jobs.length > 0) return jobs.map((job) => checkOf(http, root, job));
  const log = async (now: AbortSignal) => (state === "failed" ? faultOf(await http.get(at, now)) : null);
  return [{ id: `pipeline ${of.id}`, name: `pipeline ${of.id}`, state, word: textOr(of.status, "pending"), log }];
}

/** Jobs, and what starts the pipelines of others; those that may fail are no fault. */
async function failedJobs(http: Http, at: string, signal: AbortSignal): Promise<readonly Fields[]> {
  const jobs = await http.list(`${at}/jobs?per_page=100`, signal);
  const bridges = await http.list(`${at}/bridges?per_page=100`, signal);
  return [...jobs, ...bridges]
    .map((one) => shapeOf(one, "job"))
    .filter(({ status, allow_failure }) => status === "failed" && allow_failure !== true);
}

function checkOf(http: Http, root: string, { id, name, failure_reason }: Fields): Check {
  return {
    ...{ id: `job ${id}`, name: textOr(name, "without a name"), state: "failed" },
    word: textOr(failure_reason, "failed"),
    log: (signal) => http.tail(`${root}/jobs/${id}/trace`, signal),
  };
}

/** A pipeline without jobs failed by its file. */
const faultOf = (pipeline: unknown): string | null =>
  pipeline === null ? null : textOr(shapeOf(pipeline, "pipeline").yaml_errors, null);
