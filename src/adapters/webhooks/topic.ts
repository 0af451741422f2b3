import type { IncomingHttpHeaders } from "node:http";

/** Who sends hooks. */
export type Sender = "github" | "gitlab";

/** What is worth a look after a hook: pull requests with their signals, or issues. */
export type Topic = "pulls" | "issues";

/** By the header of the event alone: what a delivery says is found out by asking. Null: nothing that is waited for. */
export function topicOf(sender: Sender, headers: IncomingHttpHeaders): Topic | null {
  const event = headers[EVENT_HEADER[sender]];
  return (typeof event === "string" ? TOPICS[sender].get(event) : undefined) ?? null;
}

const EVENT_HEADER = { github: "x-github-event", gitlab: "x-gitlab-event" } as const;

const topics = (pulls: readonly string[], issues: readonly string[]): ReadonlyMap<string, Topic> =>
  new Map([...pulls.map((name) => [name, "pulls"] as const), ...issues.map((name) => [name, "issues"] as const)]);

/** As docs.github.com ("Webhook events and payloads") and docs.gitlab.com ("Webhook events") have them. */
const TOPICS = {
  github: topics(
    [
      ...["pull_request", "pull_request_review", "pull_request_review_comment", "pull_request_review_thread"],
      ...["push", "delete", "status", "check_run", "check_suite", "workflow_run", "workflow_job"],
    ],
    ["issues", "sub_issues", "issue_dependencies"],
  ),
  gitlab: topics(
    ["Merge Request Hook", "Note Hook", "Push Hook", "Pipeline Hook", "Job Hook"],
    ["Issue Hook", "Confidential Issue Hook"],
  ),
} as const;
