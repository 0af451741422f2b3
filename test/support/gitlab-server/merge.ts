import type { Commit } from "../../../src/domain/names.ts";
import type { Bare } from "../forge-server/bare.ts";
import type { Wire } from "../forge-server/http.ts";
import { isDraft, type Request, type State } from "./state.ts";
import { fields, said } from "./valid.ts";

interface At {
  readonly state: State;
  readonly bare: Bare;
}

/** `detailed_merge_status`: the first thing that stands in its way. */
function statusOf(request: Request, { state, bare }: At): string {
  const { project } = state;
  const tip = bare.tip(request.target);
  if (request.state !== "opened") return "not_open";
  if (tip === null || bare.tip(request.source) === null) return "broken_status";
  if (bare.count(`${tip}..${request.sha}`) === 0) return "commits_status";
  if (isDraft(request)) return "draft_status";
  if (project.mustPass && project.pipeline === "running") return "ci_still_running";
  if (project.mustPass && project.pipeline !== "success") return "ci_must_pass";
  if (request.approvals.length < project.approvalsRequired) return "not_approved";
  if ([...request.reviewers.values()].includes("requested_changes")) return "requested_changes";
  if (!bare.mergesCleanly(tip, request.sha)) return "conflict";
  if (project.method !== "merge" && bare.run("merge-base", tip, request.sha) !== tip) return "need_rebase";
  return "mergeable";
}

/** PUT merge_requests/IID/merge: a no that has no words but its number, except for what comes last. */
export function merged({ body }: Wire, request: Request, at: At): Request {
  const given = fields(body ?? {}, {
    required: {},
    optional: { sha: "string", squash: "boolean", squash_commit_message: "string", merge_commit_message: "string" },
  });
  const status = statusOf(request, at);
  request.mergeStatus = status;
  if (status === "conflict") throw said(422, "Branch cannot be merged");
  if (status !== "mergeable") throw said(405, "405 Method Not Allowed");
  if (given.sha !== undefined && given.sha !== request.sha)
    throw said(409, `SHA does not match HEAD of source branch: ${request.sha}`);
  const { project } = at.state;
  const squashes =
    project.squash === "always" || (project.squash !== "never" && (given.squash ?? request.squash) === true);
  if (squashes) request.squashCommit = squash(request, at.bare, String(given.squash_commit_message ?? request.title));
  bring(request, at, String(given.merge_commit_message ?? `Merge branch '${request.source}' into '${request.target}'`));
  Object.assign(request, { state: "merged", at: at.state.now() });
  at.state.pushed();
  return request;
}

/** All that the branch brings as one commit, on where it left its target. It is on no branch yet. */
function squash(request: Request, bare: Bare, message: string): Commit {
  const from = bare.run("merge-base", bare.tip(request.target)!, request.sha);
  return bare.commit(bare.run("rev-parse", `${request.sha}^{tree}`), [from], message);
}

/** By the project's method: a merge of it, or itself. */
function bring(request: Request, { state, bare }: At, message: string): void {
  const tip = bare.tip(request.target)!;
  const head = request.squashCommit ?? request.sha;
  const tree = () => bare.run("merge-tree", "--write-tree", tip, head).split("\n")[0]!;
  if (state.project.method !== "ff") request.mergeCommit = bare.commit(tree(), [tip, head], message);
  bare.run("update-ref", `refs/heads/${request.target}`, request.mergeCommit ?? head, tip);
}
