import type { Commit } from "../../../domain/names.ts";
import type { FarPull } from "../remote/api.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";

type Fields = ReturnType<typeof shapeOf>;

/** A merge request as `GET merge_requests` and `GET merge_requests/IID` give it. */
export function requestOf(value: unknown): FarPull {
  const request = shapeOf(value, "merge request");
  return {
    number: Number(request.iid),
    url: text(request.web_url, "web_url"),
    id: String(request.id),
    state: stateOf(request),
    branch: text(request.source_branch, "source_branch"),
    base: text(request.target_branch, "target_branch"),
    // of one that was made just now it is not known yet
    head: textOr(request.sha, "") as Commit,
    merged: request.state === "merged" ? mergedBy(request) : null,
    body: textOr(request.description, ""),
    labels: listOf(request.labels).map((label) => textOr(label, "")),
  };
}

/** `locked`: it is being merged at this moment. Before GitLab 14 a draft was called `work_in_progress`. */
function stateOf({ state, draft, work_in_progress }: Fields): FarPull["state"] {
  if (state === "merged" || state === "closed") return state;
  return (draft ?? work_in_progress) === true ? "draft" : "open";
}

/** The commit by which it came onto its base: of a merge, else of a squash, else its head (fast-forward). */
export const mergedBy = ({ merge_commit_sha, squash_commit_sha, sha }: Fields): Commit | null =>
  (textOr(merge_commit_sha, null) ?? textOr(squash_commit_sha, null) ?? textOr(sha, null)) as Commit | null;

/** From a branch of this very project; a fork, also one that is gone, may have a branch of the same name. */
export const isOwn = (value: unknown): boolean => {
  const { source_project_id, target_project_id } = shapeOf(value, "merge request");
  return source_project_id === target_project_id;
};
