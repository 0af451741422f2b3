import type { Pull, Push, Review } from "./state.ts";

export interface Where {
  /** of the API */
  readonly api: string;
  /** of the web pages and of git */
  readonly web: string;
  readonly repo: string;
}
const user = (login: string) => ({ login, id: login.length, type: "User" });

/** A pull request as GitHub shows it; `whole` is what the list leaves out. */
export function showPull(pull: Pull, { api, web, repo }: Where, { whole, fork }: { whole: boolean; fork: boolean }) {
  const [owner] = repo.split("/");
  const side = (ref: string, sha: string | null, of = owner) => ({
    label: `${of}:${ref}`,
    ref,
    sha,
    user: fork ? null : user(owner!),
    repo: fork ? null : { full_name: repo },
  });
  return {
    url: `${api}/repos/${repo}/pulls/${pull.number}`,
    id: 9_000 + pull.number,
    node_id: `PR_kwDO${pull.number}`,
    html_url: `${web}/${repo}/pull/${pull.number}`,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: user(pull.user),
    body: pull.body,
    labels: [...pull.labels].map((name, id) => ({ id, name })),
    draft: pull.draft,
    head: side(pull.head, pull.sha, pull.from),
    base: { ...side(pull.base, null), repo: { full_name: repo } },
    closed_at: pull.state === "closed" ? pull.at : null,
    merged_at: pull.merged === null ? null : pull.at,
    // of an open one: what GitHub tried to merge, which is on no branch
    merge_commit_sha: pull.merged ?? "e".repeat(40),
    ...(whole ? { merged: pull.merged !== null, mergeable: null, mergeable_state: "unknown" } : {}),
  };
}

export const showReview = ({ id, user: by, association, state, body, sha, at }: Review) => ({
  id,
  user: user(by),
  body,
  state,
  commit_id: sha,
  author_association: association,
  submitted_at: at,
});

const NONE = "0".repeat(40);
export const showPush = ({ id, branch, before, after, at }: Push) => ({
  id,
  before: before ?? NONE,
  after: after ?? NONE,
  ref: `refs/heads/${branch}`,
  timestamp: at,
  activity_type: before === null ? "branch_creation" : after === null ? "branch_deletion" : "push",
  actor: user("somebody"),
});
export { user as showUser };
