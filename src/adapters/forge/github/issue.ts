import { PawlError } from "../../../domain/errors.ts";
import { listOf, shapeOf, text, textOr } from "../remote/json.ts";
import { type GitHubOptions, gitHubHttp } from "./api.ts";

/** An issue, as its project shows it. */
export interface Issue {
  readonly number: number;
  readonly title: string;
  /** Markdown, lines ended by \n */
  readonly body: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
  /** for people */
  readonly url: string;
}

/** Throws ISSUE_MISSING where there is none of that number, or where it is a pull request; FORGE_* as the API's client does. */
export async function gitHubIssue(options: GitHubOptions, number: number, signal: AbortSignal): Promise<Issue> {
  const found = await gitHubHttp(options).get(`/repos/${options.repo}/issues/${number}`, signal);
  if (found === null) throw missing(options, number, "there is none of that number, or the token may not see it");
  const { title, body, state, labels, html_url, pull_request } = shapeOf(found, "the issue");
  if (pull_request) throw missing(options, number, "it is a pull request");
  return {
    number,
    title: text(title, "title"),
    body: textOr(body, "").replaceAll("\r\n", "\n"),
    state: state === "closed" ? "closed" : "open",
    labels: listOf(labels).map((label) =>
      typeof label === "string" ? label : text(shapeOf(label, "a label").name, "name"),
    ),
    url: text(html_url, "html_url"),
  };
}

const missing = ({ repo }: GitHubOptions, number: number, why: string): PawlError =>
  new PawlError("ISSUE_MISSING", `${repo}#${number} is no issue: ${why}`, {
    next: "give the number of an issue: pawl work gh:OWNER/NAME#12.",
  });
