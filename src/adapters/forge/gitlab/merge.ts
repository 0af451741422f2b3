import type { Commit } from "../../../domain/names.ts";
import type { FarPull, Written } from "../remote/api.ts";
import type { Http } from "../remote/http.ts";
import { shapeOf } from "../remote/json.ts";
import { written } from "../remote/written.ts";
import { mergedBy } from "./merge-request.ts";
import { notMerged, SILENT } from "./refusals.ts";

/**
 * Squashes this head, by the project's own way to merge. With `merge commit` the squash comes onto the base behind a merge,
 * which has the project's usual words; the squash has ours.
 */
export async function merge(
  http: Http,
  { root, now }: { root: string; now: () => number },
  { pull, head, message }: { pull: FarPull; head: Commit; message: string },
  signal: AbortSignal,
): Promise<Written<Commit>> {
  if (await isSquashForbidden(http, root, signal))
    return {
      kind: "no",
      why: "denied",
      detail: "the project does not allow squashing: see its settings for merge requests",
    };
  const path = `${root}/merge_requests/${pull.number}`;
  const squash = { sha: head, squash: true, squash_commit_message: message };
  const sent = await http.send("PUT", `${path}/merge`, squash, signal);
  const isSilent = sent.kind === "reply" && SILENT.has(sent.status);
  const request = isSilent ? await http.get(path, signal).catch(() => null) : null;
  return written(sent, { http, now, value: mergeOf, no: (reply) => notMerged(reply, request) });
}

async function isSquashForbidden(http: Http, root: string, signal: AbortSignal): Promise<boolean> {
  const project = await http.get(root, signal);
  return project !== null && shapeOf(project, "the project").squash_option === "never";
}

/** Anything but `merged` is a promise to merge later: that is looked for. */
function mergeOf(body: unknown): Commit {
  const request = shapeOf(body, "merge request");
  const commit = request.state === "merged" ? mergedBy(request) : null;
  if (commit === null) throw new Error(`GitLab says that it is ${String(request.state)}, not merged`);
  return commit;
}
