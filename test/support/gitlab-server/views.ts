import { type Issue, isDraft, type LabelEvent, type Note, type Project, type Request } from "./state.ts";

export interface Where {
  /** of the web pages and of git */
  readonly web: string;
  readonly repo: string;
}
const PROJECT = 77;
/** Everybody has a number. */
export const userId = (name: string): number =>
  [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 9_999;
const user = (username: string) => ({ id: userId(username), username, name: username, state: "active" });

export const showProject = (project: Project, { web, repo }: Where) => ({
  ...{ id: PROJECT, path_with_namespace: repo, default_branch: "main", web_url: `${web}/${repo}` },
  ...{ http_url_to_repo: `${web}/${repo}.git`, merge_method: project.method, squash_option: project.squash },
});

export const showRequest = (request: Request, of: { where: Where; project: Project }) => ({
  ...{ id: 5_000 + request.iid, iid: request.iid, project_id: PROJECT, target_project_id: PROJECT },
  source_project_id: of.project.forkGone ? null : PROJECT,
  ...{ title: request.title, description: request.description, state: request.state, draft: isDraft(request) },
  ...{ source_branch: request.source, target_branch: request.target, sha: request.sha },
  ...{ merge_commit_sha: request.mergeCommit, squash_commit_sha: request.squashCommit, squash: request.squash },
  ...{ labels: [...request.labels], author: user(request.author), created_at: request.versions[0]?.at },
  ...{ merge_error: request.mergeError, detailed_merge_status: request.mergeStatus },
  head_pipeline: of.project.pipeline && { id: 1, status: of.project.pipeline, web_url: `${of.where.web}/pipelines/1` },
  web_url: `${of.where.web}/${of.where.repo}/-/merge_requests/${request.iid}`,
  updated_at: request.at,
});

export const showIssue = ({ iid, title, description, state, labels }: Issue, { web, repo }: Where) => ({
  ...{ id: 8_000 + iid, iid, project_id: PROJECT, title, description, state, labels: [...labels] },
  web_url: `${web}/${repo}/-/issues/${iid}`,
});

export const showNote = ({ id, body, user: by, at, system, position, resolved }: Note) => ({
  ...{ id, body, author: user(by), created_at: at, updated_at: at, system: system ?? false },
  ...(position ? { type: "DiffNote", position, resolvable: true, resolved: resolved ?? false } : { type: null }),
});

/** Threads, and notes that stand alone. */
export const showDiscussions = ({ notes }: Request) =>
  notes
    .filter(({ inReplyTo }) => inReplyTo === undefined)
    .map((begun) => {
      const replies = notes.filter(({ inReplyTo }) => inReplyTo === begun.id);
      const isThread = begun.position !== undefined;
      const shown = replies.map((one) => ({
        ...showNote(one),
        resolvable: isThread && one.system !== true,
        resolved: begun.resolved ?? false,
      }));
      return { id: `d${begun.id}`, individual_note: !isThread, notes: [showNote(begun), ...shown] };
    });

export const showApprovals = (request: Request, { approvalsRequired, datesApprovals }: Project) => ({
  ...{ iid: request.iid, approvals_required: approvalsRequired },
  approvals_left: Math.max(0, approvalsRequired - request.approvals.length),
  approved_by: request.approvals.map(({ user: by, at }) => ({
    user: user(by),
    ...(datesApprovals ? { approved_at: at } : {}),
  })),
});

export const showReviewers = ({ reviewers, at }: Request) =>
  [...reviewers].map(([name, state]) => ({ user: user(name), state, created_at: at }));

/** newest first */
export const showVersions = ({ versions, iid }: Request) =>
  versions
    .toReversed()
    .map(({ id, head, at }) => ({ id, head_commit_sha: head, created_at: at, merge_request_id: 5_000 + iid }));

export const showEvent = ({ id, action, label, user: by, at }: LabelEvent) => ({
  ...{ id, action, user: user(by), created_at: at, resource_type: "MergeRequest" },
  label: label === null ? null : { id: userId(label), name: label },
});
