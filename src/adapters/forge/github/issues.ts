import type { Issue, Issues } from "../remote/issue.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";
import { type GitHubOptions, gitHubApi, gitHubHttp } from "./api.ts";

/** Issues on GitHub. A pull request is one too, for its API, and none here. */
export function gitHubIssues(options: GitHubOptions): Issues {
  const http = gitHubHttp(options);
  const root = `/repos/${options.repo}/issues`;
  const { comments, comment, place } = gitHubApi(options);
  return {
    name: "GitHub",
    repo: options.repo,
    async open(labels, signal) {
      await place(signal); // of a repository that is not there a list is empty too
      const query = `state=open&labels=${labels.map(encodeURIComponent).join(",")}&sort=created&direction=asc&per_page=100`;
      return (await http.list(`${root}?${query}`, signal)).map(issueOf).filter((one) => one !== null);
    },
    async issue(number, signal) {
      const found = await http.get(`${root}/${number}`, signal);
      return found === null ? null : issueOf(found);
    },
    comments,
    comment,
  };
}

/** Null: a pull request. */
function issueOf(value: unknown): Issue | null {
  const { number, title, body, state, labels, html_url, pull_request } = shapeOf(value, "the issue");
  if (pull_request) return null;
  return {
    number: Number(number),
    title: text(title, "title"),
    body: textOr(body, "").replaceAll("\r\n", "\n"),
    state: state === "closed" ? "closed" : "open",
    labels: listOf(labels).map((label) =>
      typeof label === "string" ? label : text(shapeOf(label, "a label").name, "name"),
    ),
    url: text(html_url, "html_url"),
  };
}
