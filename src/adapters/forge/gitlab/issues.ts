import { PawlError } from "../../../domain/errors.ts";
import type { Refused } from "../remote/http.ts";
import {
  type Issue,
  type Issues,
  issuesIn,
  type Linked,
  linksIn,
  noIssues,
  numberOf,
  type Wanted,
} from "../remote/issue.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";
import { gitLabApi } from "./api.ts";
import { type GitLabOptions, gitLabHttp, projectPath } from "./http.ts";
import { notesAt, writeNote } from "./note-api.ts";

/** Issues on GitLab. */
export function gitLabIssues(options: GitLabOptions): Issues {
  const http = gitLabHttp(options);
  const root = `${projectPath(options.repo)}/issues`;
  return {
    name: "GitLab",
    repo: options.repo,
    async open(wanted, signal) {
      await gitLabApi(options).place(signal); // of a project that is not there a list is empty too
      const query = `state=opened&${filtersOf(wanted)}&order_by=created_at&sort=asc&per_page=100`;
      const unlisted = noIssues("GitLab", options.repo, options.token.variable);
      const refused: Refused = (status, words) =>
        unlisted(status) ?? (wanted.query === null ? null : noFilter(status, words));
      return issuesIn(await http.list(`${root}?${query}`, signal, undefined, refused), issueOf);
    },
    async issue(number, signal) {
      const found = await http.get(`${root}/${number}`, signal);
      return found === null ? null : issueOf(found);
    },
    async waitsFor(number, signal) {
      const links = await http.list(`${root}/${number}/links?per_page=100`, signal);
      return linksIn(links.filter(mayBlock), linkedOf);
    },
    comments: (number, signal) => notesAt(http, `${root}/${number}`, signal),
    comment: (number, id, words, signal) =>
      writeNote({ http, now: options.now }, { of: `${root}/${number}`, id, words }, signal),
  };
}

/** A query is parameters of its API: `milestone=v2&not[labels]=later`. Labels of both count. */
function filtersOf({ labels, query }: Wanted): string {
  const given = new URLSearchParams(query ?? "");
  const all = [...labels, ...given.getAll("labels")];
  given.delete("labels");
  const named = all.length === 0 ? [] : [`labels=${all.map(encodeURIComponent).join(",")}`];
  return [...named, ...(given.size === 0 ? [] : [String(given)])].join("&");
}

const noFilter = (status: number, words: string): PawlError | null =>
  status === 400
    ? new PawlError("FORGE_QUERY", `GitLab does not take the query: ${words}`, {
        next: "write into query: what docs.gitlab.com lists for the issues of a project, like milestone=v2&not[labels]=later",
      })
    : null;

function issueOf(value: unknown): Issue {
  const { iid, title, description, state, labels, web_url } = shapeOf(value, "an issue");
  return {
    number: numberOf(iid, "iid of an issue"),
    title: text(title, "title"),
    body: textOr(description, "").replaceAll("\r\n", "\n"),
    state: state === "closed" ? "closed" : "open",
    labels: listOf(labels).map((label) => textOr(label, "")),
    url: text(web_url, "web_url"),
    mayWait: true, // GitLab counts what an issue blocks, not what blocks it
  };
}

const mayBlock = (link: unknown): boolean =>
  (link as { link_type?: unknown } | null)?.link_type === "is_blocked_by" || link === null;

function linkedOf(value: unknown): Linked {
  const { iid, state, references } = shapeOf(value, "a link");
  const full = text(shapeOf(references, "references").full, "references.full");
  return {
    repo: full.replace(/#\d+$/, ""),
    number: numberOf(iid, "iid of a linked issue"),
    isOpen: state === "opened",
  };
}
