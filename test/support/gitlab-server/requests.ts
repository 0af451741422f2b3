import type { Bare } from "../forge-server/bare.ts";
import type { Wire } from "../forge-server/http.ts";
import { obey } from "./quick-actions.ts";
import type { Request, State } from "./state.ts";
import { bad, fields, missing, oneOf, said } from "./valid.ts";

export const TITLE_MOST = 255;
const BODY_MOST = 1_048_576;

export const requestAt = (state: State, iid: string): Request => {
  const found = state.requests.find((one) => one.iid === Number(iid));
  if (found === undefined) throw missing();
  return found;
};

/** GET merge_requests: newest first, unless it is asked for otherwise. */
export function listed({ query }: Wire, state: State): readonly Request[] {
  const wanted = oneOf(query, "state", ["all", "opened", "closed", "merged", "locked"]);
  oneOf(query, "order_by", ["created_at", "updated_at", "title"]);
  const source = query.get("source_branch");
  const found = state.requests
    .filter((one) => wanted === "all" || one.state === wanted)
    .filter((one) => source === null || one.source === source)
    .filter((one) => query.get("target_branch") === null || one.target === query.get("target_branch"));
  return oneOf(query, "sort", ["desc", "asc"]) === "desc" ? found.toReversed() : found;
}

/** POST merge_requests. One without commits is taken too. */
export function created({ body }: Wire, of: { state: State; bare: Bare; user: string }): Request {
  const { state, bare, user } = of;
  const given = fields(body, {
    required: { source_branch: "string", target_branch: "string", title: "string" },
    optional: { description: "string", squash: "boolean", remove_source_branch: "boolean" },
  });
  const [source, target] = [given.source_branch as string, given.target_branch as string];
  const title = titleOf(given.title as string);
  const description = (given.description ?? null) as string | null;
  if ((description ?? "").length > BODY_MOST)
    throw bad({ description: ["is too long (maximum is 1048576 characters)"] });
  if (source === target) throw said(422, ["You can't use same project/branch for source and target"]);
  const sha = bare.tip(source);
  if (sha === null) throw said(422, [`Source branch "${source}" does not exist`]);
  if (bare.tip(target) === null) throw said(422, [`Target branch "${target}" does not exist`]);
  const other = state.open().find((one) => one.source === source && one.target === target);
  if (other !== undefined)
    throw said(409, [`Another open merge request already exists for this source branch: !${other.iid}`]);
  const at = state.now();
  const request: Request = {
    ...{ iid: state.requests.length + 1, title, description, state: "opened", source, target, sha, author: user, at },
    ...{
      mergeCommit: null,
      squashCommit: null,
      squash: given.squash === true,
      mergeError: null,
      mergeStatus: "unchecked",
    },
    ...{ labels: new Set(), versions: [{ id: state.id(), head: sha, at }], notes: [], approvals: [] },
    ...{ reviewers: new Map(), events: [] },
  };
  if (description !== null) request.description = obey(request, description);
  state.requests.push(request);
  return request;
}

/** PUT merge_requests/IID. A title makes it a draft, or ready. */
export function updated({ body }: Wire, request: Request, state: State): Request {
  const given = fields(body, {
    required: {},
    optional: { title: "string", description: "string", state_event: "string", target_branch: "string" },
  });
  if (Object.keys(given).length === 0) throw bad("400 Bad request");
  if (typeof given.title === "string") request.title = titleOf(given.title);
  if (typeof given.description === "string") request.description = obey(request, given.description);
  if (given.state_event === "close" && request.state === "opened") request.state = "closed";
  request.at = state.now();
  return request;
}

function titleOf(title: string): string {
  if (title.trim() === "") throw bad({ title: ["can't be blank"] });
  if (title.length > TITLE_MOST) throw bad({ title: ["is too long (maximum is 255 characters)"] });
  return title;
}
