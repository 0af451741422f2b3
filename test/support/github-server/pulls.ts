import type { Commit } from "../../../src/domain/names.ts";
import type { Bare } from "../forge-server/bare.ts";
import { Refusal, type Wire } from "../forge-server/http.ts";
import type { Pull, State } from "./state.ts";
import { fields, invalid, missing, unprocessable } from "./valid.ts";

export const TITLE_MOST = 256;
const BODY_MOST = 65_536;

export const pullAt = (state: State, number: string): Pull => {
  const found = state.pulls.find((pull) => pull.number === Number(number));
  if (found === undefined) throw missing();
  return found;
};

/** GET pulls: `head` is `owner:branch`, and counts as the documentation says only in that form. */
export function listed({ query }: Wire, state: State, owner: string): readonly Pull[] {
  const wanted = query.get("state") ?? "open";
  if (!["open", "closed", "all"].includes(wanted)) throw invalid("PullRequest", "state");
  const head = query.get("head");
  const found = state.pulls
    .filter((pull) => wanted === "all" || pull.state === wanted)
    .filter((pull) => head === null || !head.includes(":") || head === `${pull.from ?? owner}:${pull.head}`)
    .filter((pull) => query.get("base") === null || pull.base === query.get("base"));
  const newestFirst = (query.get("direction") ?? (query.get("sort") === null ? "desc" : "asc")) === "desc";
  return newestFirst ? found.toReversed() : found;
}

/** POST pulls. */
export function created({ body }: Wire, of: { state: State; bare: Bare; owner: string; user: string }): Pull {
  const { state, bare, owner, user } = of;
  const given = fields(body, {
    resource: "PullRequest",
    required: { head: "string", base: "string", title: "string" },
    optional: { body: "string|null", draft: "boolean", maintainer_can_modify: "boolean" },
  });
  const [title, base, text] = [given.title as string, given.base as string, (given.body ?? null) as string | null];
  const head = (given.head as string).replace(`${owner}:`, "");
  if (title.trim() === "") throw invalid("PullRequest", "title", "missing_field");
  if (title.length > TITLE_MOST)
    throw unprocessable([
      {
        resource: "PullRequest",
        code: "custom",
        field: "title",
        message: "title is too long (maximum is 256 characters)",
      },
    ]);
  if ((text ?? "").length > BODY_MOST)
    throw unprocessable([
      {
        resource: "PullRequest",
        code: "custom",
        field: "body",
        message: "body is too long (maximum is 65536 characters)",
      },
    ]);
  const sha = bare.tip(head);
  const on = bare.tip(base);
  if (on === null) throw invalid("PullRequest", "base");
  if (sha === null) throw invalid("PullRequest", "head");
  if (bare.count(`${on}..${sha}`) === 0)
    throw unprocessable([
      { resource: "PullRequest", code: "custom", message: `No commits between ${base} and ${head}` },
    ]);
  if (state.open().some((pull) => !pull.from && pull.head === head && pull.base === base))
    throw unprocessable([
      { resource: "PullRequest", code: "custom", message: `A pull request already exists for ${owner}:${head}.` },
    ]);
  const pull: Pull = {
    number: state.pulls.length + 1,
    ...{ title, body: text, draft: given.draft === true, state: "open" as const, merged: null, head, sha, base, user },
    ...{ labels: new Set<string>(), reviews: [], comments: [], events: [], at: state.now() },
  };
  state.pulls.push(pull);
  return pull;
}

/** PATCH pulls/N. `draft` is taken and changes nothing: so does GitHub. */
export function patched({ body }: Wire, pull: Pull, state: State): Pull {
  const given = fields(body, {
    resource: "PullRequest",
    required: {},
    optional: { title: "string", body: "string|null", state: "string", base: "string", draft: "boolean" },
  });
  if (given.state !== undefined && pull.merged !== null) throw invalid("PullRequest", "state");
  if (typeof given.title === "string") pull.title = given.title;
  if (given.body !== undefined) pull.body = given.body as string | null;
  if (given.state === "closed" || given.state === "open") pull.state = given.state;
  pull.at = state.now();
  return pull;
}

const refuse = (status: number, message: string): Refusal =>
  new Refusal(status, {
    message,
    documentation_url: "https://docs.github.com/rest/pulls/pulls#merge-a-pull-request",
    status: String(status),
  });

/** PUT pulls/N/merge. */
export function merged({ body }: Wire, pull: Pull, { state, bare }: { state: State; bare: Bare }): { sha: Commit } {
  const given = fields(body ?? {}, {
    resource: "PullRequest",
    required: {},
    optional: { commit_title: "string", commit_message: "string", sha: "string", merge_method: "string" },
  });
  const method = given.merge_method ?? "merge";
  if (!["merge", "squash", "rebase"].includes(method as string)) throw unprocessable([], "Invalid merge method");
  if (typeof given.sha === "string" && !/^[0-9a-f]{40}$/.test(given.sha))
    throw unprocessable([], "sha is not a commit");
  if (pull.state === "closed") throw refuse(405, "Pull Request is not mergeable");
  if (pull.draft) throw refuse(405, "Pull Request is still a draft");
  if (given.sha !== undefined && given.sha !== pull.sha)
    throw refuse(409, "Head branch was modified. Review and try the merge again.");
  if (!bare.mergesCleanly(bare.tip(pull.base)!, pull.sha)) throw refuse(405, "Pull Request is not mergeable");
  const title = (given.commit_title as string | undefined) ?? `${pull.title} (#${pull.number})`;
  const message = `${title}\n\n${(given.commit_message as string | undefined) ?? ""}`.trim();
  const how = { head: pull.sha, message };
  const sha = method === "squash" ? bare.squash(pull.base, how) : bare.merge(pull.base, how);
  Object.assign(pull, { merged: sha, state: "closed", at: state.now() });
  state.pushed();
  return { sha };
}
