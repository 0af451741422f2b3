import { PawlError } from "../../../domain/errors.ts";
import type { Ms } from "../../../domain/names.ts";
import { type Api, type Comment, EVERY_MS, type FarPull, type Written } from "../remote/api.ts";
import { createHttp, type Http, said } from "../remote/http.ts";
import { type Field, shapeOf, text } from "../remote/json.ts";
import { basic } from "../remote/redact.ts";
import { written } from "../remote/written.ts";
import { markReadyForReview } from "./graphql.ts";
import { isOwn, pullOf } from "./pull.ts";
import { deniedMerge, notCreated } from "./refusals.ts";

export interface GitHubOptions {
  /** `owner/name` */
  readonly repo: string;
  /** `https://api.github.com`, or `https://HOST/api/v3` of one's own */
  readonly baseUrl: string;
  readonly token: { readonly variable: string; read(): string | undefined };
  /** ms since 1970 */
  readonly now: () => number;
  /** how often it is asked what is new */
  readonly everyMs?: Ms;
}

/** GitHub's REST API of 2022-11-28, as a client of this room; signals read by it too. */
export const gitHubHttp = ({ baseUrl, token, now }: GitHubOptions): Http =>
  createHttp({
    name: "GitHub",
    baseUrl,
    token,
    now,
    headers: (value) => ({
      accept: "application/vnd.github+json",
      authorization: `Bearer ${value}`,
      "x-github-api-version": "2022-11-28",
    }),
  });

/** GitHub, or GitHub Enterprise Server. Of REST all but one call: REST takes `draft: false` and ignores it. */
export function gitHubApi(options: GitHubOptions): Api {
  const http = gitHubHttp(options);
  const root = `/repos/${options.repo}`;
  const owner = options.repo.split("/")[0]!;
  const pulls = async (query: string, signal: AbortSignal) =>
    (await http.list(`${root}/pulls?${query}&per_page=100`, signal)).filter((one) => isOwn(one, owner)).map(pullOf);
  return {
    name: "GitHub",
    titleLimit: 256,
    everyMs: options.everyMs ?? EVERY_MS,
    async place(signal) {
      const found = (await http.get(root, signal)) as Field;
      if (found === null) throw unseen(options);
      const { clone_url, html_url } = shapeOf(found, "the repository");
      return { gitUrl: text(clone_url, "clone_url"), pullUrl: `${text(html_url, "html_url")}/pull/` };
    },
    gitHeader: () => `Authorization: Basic ${basic("x-access-token", http.token())}`,
    openPulls: (signal) => pulls("state=open&sort=created&direction=asc", signal),
    async pullsOf(branch, signal) {
      const head = encodeURIComponent(`${owner}:${branch}`);
      const found = await pulls(`state=all&head=${head}&sort=created&direction=asc`, signal);
      return found.filter((pull) => pull.branch === branch);
    },
    async pull(number, signal) {
      const found = await http.get(`${root}/pulls/${number}`, signal);
      return found === null ? null : pullOf(found);
    },
    async create({ branch, base, title, body }, signal) {
      const sent = await http.send("POST", `${root}/pulls`, { title, body, head: branch, base, draft: true }, signal);
      return written(sent, { http, now: options.now, value: pullOf, no: notCreated });
    },
    ready: (pull, signal) => markReadyForReview(http, options, pull, signal),
    async merge(pull, { head, title, message }, signal) {
      const rest = message.slice(title.length).trim();
      const squash = { sha: head, merge_method: "squash", commit_title: title, commit_message: rest };
      const sent = await http.send("PUT", `${root}/pulls/${pull.number}/merge`, squash, signal);
      const value = (body: unknown) => text(shapeOf(body, "the merge").sha, "sha") as FarPull["head"];
      return written(sent, { http, now: options.now, value, no: deniedMerge });
    },
    async comments(number, signal) {
      const found = await http.list(`${root}/issues/${number}/comments?per_page=100`, signal);
      return found.map((one): Comment => {
        const { id, body } = shapeOf(one, "a comment");
        return { id: String(id), text: typeof body === "string" ? body : "" };
      });
    },
    async comment(number, id, words, signal): Promise<Written<null>> {
      const path = id === null ? `${root}/issues/${number}/comments` : `${root}/issues/comments/${id}`;
      const sent = await http.send(id === null ? "POST" : "PATCH", path, { body: words }, signal);
      return written(sent, { http, now: options.now, value: () => null, no: (reply) => ["denied", said(reply)] });
    },
  };
}

const unseen = ({ repo, token }: GitHubOptions): PawlError =>
  new PawlError("FORGE_DENIED", `GitHub shows no repository ${repo} to the token in ${token.variable}`, {
    next: "correct its name in pawl.yaml, or give the token access to it",
  });
