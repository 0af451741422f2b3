import { type Reply, said } from "../remote/http.ts";
import { shapeOf, textOr } from "../remote/json.ts";
import type { Refusal } from "../remote/written.ts";

/** POST merge_requests: 409 there is an open one, 400 a field is wrong, 422 the branches are. */
export function notCreated(reply: Reply): Refusal {
  const words = said(reply);
  switch (reply.status) {
    case 409:
      return ["exists", words];
    case 400:
      return ["invalid", words];
    case 422:
      return [/target.{0,20}(not exist|invalid)/i.test(words) ? "base-gone" : "invalid", words];
    case 404:
      return ["denied", `${words}: the token may not open merge requests`];
    default:
      return ["denied", words];
  }
}

/** PUT merge_requests/IID: 409 somebody else wrote it at the same moment. */
export function notChanged(reply: Reply): Refusal {
  const words = said(reply);
  if (reply.status === 404) return ["gone", words];
  if (reply.status === 409) return ["later", words];
  return [reply.status === 400 ? "invalid" : "denied", words];
}

/** The answers to a merge that say no and not why: the merge request itself tells. */
export const SILENT: ReadonlySet<number> = new Set([405, 406, 422]);

/** PUT merge_requests/IID/merge: 409 the head is another one. `request` is how it stands after a silent answer. */
export function notMerged(reply: Reply, request: unknown): Refusal {
  const words = said(reply);
  if (reply.status === 409) return [/sha/i.test(words) ? "moved" : "later", words];
  if (reply.status === 404) return ["gone", words];
  if (!SILENT.has(reply.status)) return [reply.status === 400 ? "invalid" : "denied", words];
  return request === null ? ["later", words] : standing(shapeOf(request, "merge request"), words);
}

/** What `detailed_merge_status` says; `merge_status` has it before GitLab 15.6, with fewer words. */
function standing(request: ReturnType<typeof shapeOf>, words: string): Refusal {
  const status = textOr(request.detailed_merge_status ?? request.merge_status, "");
  const error = textOr(request.merge_error, "");
  const detail = [words, status.replaceAll("_", " "), error].filter(Boolean).join(": ");
  if (request.state === "merged" || request.state === "locked") return ["later", detail];
  if (request.state === "closed") return ["gone", detail];
  const meaning = status === "ci_must_pass" ? pipelineOf(request) : MEANING[status];
  return meaning === undefined ? ["denied", detail] : [meaning.why, meaning.so ? `${detail}: ${meaning.so}` : detail];
}

/** The pipeline has to succeed: one that is not there yet, or not at its end, is waited for. */
function pipelineOf(request: ReturnType<typeof shapeOf>) {
  const { status, web_url } = (request.head_pipeline ?? {}) as { status?: unknown; web_url?: unknown };
  const isOver = status === "failed" || status === "canceled" || status === "skipped";
  const where = textOr(web_url, "");
  if (isOver) return { why: "denied", so: `its pipeline ${status}${where && `, ${where}`}` } as const;
  return {
    why: "later",
    so: status === undefined ? "there is no pipeline of it yet" : `its pipeline is ${status}`,
  } as const;
}

const passes = { why: "later" } as const;
/**
 * What ends by itself; all else is a rule that a person has to see to. A conflict too: the candidate had none, so GitLab
 * has not caught up. `mergeable`: it was not, a moment ago.
 */
const MEANING: Readonly<Record<string, { readonly why: Refusal[0]; readonly so?: string }>> = {
  mergeable: passes,
  checking: passes,
  unchecked: passes,
  preparing: passes,
  approvals_syncing: passes,
  ci_still_running: { why: "later", so: "its pipeline runs" },
  status_checks_must_pass: passes,
  commits_status: passes,
  broken_status: passes,
  conflict: passes,
  merge_time: passes,
  can_be_merged: passes,
  cannot_be_merged: passes,
  cannot_be_merged_recheck: passes,
  draft_status: { why: "invalid", so: "it is still a draft" },
  not_open: { why: "gone" },
  need_rebase: { why: "conflict", so: "the project merges by fast-forward, and the branch is behind its base" },
  not_approved: { why: "denied", so: "it wants more approvals" },
  discussions_not_resolved: { why: "denied", so: "its threads have to be resolved" },
};
