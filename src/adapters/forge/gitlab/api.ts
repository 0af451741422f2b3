import { PawlError } from "../../../domain/errors.ts";
import { type Api, EVERY_MS, type FarPull, type Written } from "../remote/api.ts";
import type { Http } from "../remote/http.ts";
import { shapeOf, text } from "../remote/json.ts";
import { basic } from "../remote/redact.ts";
import { written } from "../remote/written.ts";
import { type GitLabOptions, gitLabHttp, projectPath } from "./http.ts";
import { merge } from "./merge.ts";
import { isOwn, requestOf } from "./merge-request.ts";
import { notesAt, writeNote } from "./note-api.ts";
import { withoutQuickActions } from "./quick-actions.ts";
import { notChanged, notCreated } from "./refusals.ts";
import { draftTitle, readyTitle, TITLE_MOST } from "./title.ts";

/** gitlab.com, or a GitLab of one's own. A draft is one by its title. */
export function gitLabApi(options: GitLabOptions): Api {
  const http = gitLabHttp(options);
  const root = projectPath(options.repo);
  const { now } = options;
  const requests = async (query: string, signal: AbortSignal) => {
    const sorted = "order_by=created_at&sort=asc&per_page=100";
    return (await http.list(`${root}/merge_requests?${query}&${sorted}`, signal)).filter(isOwn).map(requestOf);
  };
  return {
    name: "GitLab",
    titleLimit: TITLE_MOST,
    everyMs: options.everyMs ?? EVERY_MS,
    async place(signal) {
      const found = await http.get(root, signal);
      if (found === null) throw unseen(options);
      const { http_url_to_repo, web_url } = shapeOf(found, "the project");
      const pullUrl = `${text(web_url, "web_url")}/-/merge_requests/`;
      return { gitUrl: text(http_url_to_repo, "http_url_to_repo"), pullUrl };
    },
    gitHeader: () => `Authorization: Basic ${basic("oauth2", http.token())}`,
    openPulls: (signal) => requests("state=opened", signal),
    pullsOf: (branch, signal) => requests(`state=all&source_branch=${encodeURIComponent(branch)}`, signal),
    async pull(number, signal) {
      const found = await http.get(`${root}/merge_requests/${number}`, signal);
      return found === null || !isOwn(found) ? null : requestOf(found);
    },
    async create({ branch, base, title, body }, signal) {
      const wanted = {
        ...{ source_branch: branch, target_branch: base, title: draftTitle(title) },
        ...{ description: withoutQuickActions(body), squash: true },
      };
      const sent = await http.send("POST", `${root}/merge_requests`, wanted, signal);
      return written(sent, { http, now, value: requestOf, no: notCreated });
    },
    ready: (pull, signal) => ready(http, { path: `${root}/merge_requests/${pull.number}`, now }, pull, signal),
    merge: (pull, { head, message }, signal) => merge(http, { root, now }, { pull, head, message }, signal),
    comments: (number, signal) => notesAt(http, `${root}/merge_requests/${number}`, signal),
    comment: (number, id, words, signal) =>
      writeNote({ http, now }, { of: `${root}/merge_requests/${number}`, id, words }, signal),
  };
}

/** Takes the title as it is at this moment: somebody may have written another one. */
async function ready(
  http: Http,
  { path, now }: { path: string; now: () => number },
  pull: FarPull,
  signal: AbortSignal,
): Promise<Written<null>> {
  const found = await http.get(path, signal);
  if (found === null) return { kind: "no", why: "gone", detail: `GitLab has no merge request ${pull.number}` };
  const title = text(shapeOf(found, "merge request").title, "title");
  const sent = await http.send("PUT", path, { title: readyTitle(title) || pull.branch }, signal);
  return written(sent, { http, now, value: isReady, no: notChanged });
}

function isReady(body: unknown): null {
  if (requestOf(body).state !== "draft") return null;
  throw new Error("GitLab says that it is a draft still");
}

const unseen = ({ repo, token }: GitLabOptions): PawlError =>
  new PawlError("FORGE_DENIED", `GitLab shows no project ${repo} to the token in ${token.variable}`, {
    next: "correct its name in pawl.yaml, or give the token access to it",
  });
