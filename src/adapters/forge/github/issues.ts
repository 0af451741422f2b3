import { type Issue, type Issues, issuesIn, type Linked, linksIn, noIssues, numberOf } from "../remote/issue.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";
import { type GitHubOptions, gitHubApi, gitHubHttp } from "./api.ts";
import { searched, searchOf } from "./search.ts";

/** Issues on GitHub. A pull request is one too, for its API, and none here. */
export function gitHubIssues(options: GitHubOptions): Issues {
  const http = gitHubHttp(options);
  const root = `/repos/${options.repo}/issues`;
  const { comments, comment, place } = gitHubApi(options);
  return {
    name: "GitHub",
    repo: options.repo,
    async open({ labels, query: words }, signal) {
      await place(signal); // of a repository that is not there a list is empty too
      if (words !== null) {
        const { items, missing } = await searched(http, searchOf(options.repo, labels, words), signal);
        const found = issuesIn(items, issueOf);
        return { ...found, missing: [missing, found.missing].filter((why) => why !== null).join("; ") || null };
      }
      const query = `state=open&labels=${labels.map(encodeURIComponent).join(",")}&sort=created&direction=asc&per_page=100`;
      const unlisted = noIssues("GitHub", options.repo, options.token.variable);
      return issuesIn(await http.list(`${root}?${query}`, signal, undefined, unlisted), issueOf);
    },
    async issue(number, signal) {
      const found = await http.get(`${root}/${number}`, signal);
      return found === null ? null : issueOf(found);
    },
    async waitsFor(number, signal) {
      const lists = ["dependencies/blocked_by", "sub_issues"].map((what) => `${root}/${number}/${what}?per_page=100`);
      const found = await Promise.all(lists.map((path) => http.list(path, signal)));
      return linksIn(found.flat(), linkedOf);
    },
    comments,
    comment,
  };
}

function linkedOf(value: unknown): Linked {
  const { number, state, repository_url } = shapeOf(value, "a linked issue");
  const repo = text(repository_url, "repository_url").split("/").slice(-2).join("/");
  return { repo, number: numberOf(number, "number of a linked issue"), isOpen: state === "open" };
}

/** Null: a pull request. */
function issueOf(value: unknown): Issue | null {
  const issue = shapeOf(value, "an issue");
  const { number, title, body, state, labels, html_url } = issue;
  if (issue.pull_request) return null;
  return {
    number: numberOf(number, "number of an issue"),
    title: text(title, "title"),
    body: textOr(body, "").replaceAll("\r\n", "\n"),
    state: state === "closed" ? "closed" : "open",
    labels: listOf(labels).map((label) =>
      typeof label === "string" ? label : text(shapeOf(label, "a label").name, "name"),
    ),
    url: text(html_url, "html_url"),
    mayWait: mayWait(issue),
  };
}

/** Both counts are in every issue, of those that are open; where one is not said, somebody has to ask. */
function mayWait({ sub_issues_summary, issue_dependencies_summary }: ReturnType<typeof shapeOf>): boolean {
  if (sub_issues_summary === undefined || issue_dependencies_summary === undefined) return true;
  const { total = 0, completed = 0 } = (sub_issues_summary ?? {}) as { total?: number; completed?: number };
  const { blocked_by = 0 } = (issue_dependencies_summary ?? {}) as { blocked_by?: number };
  return total > completed || blocked_by > 0;
}
