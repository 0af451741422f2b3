import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../adapters/agents/files.ts";
import { type Issue, issueNumbered } from "../../adapters/forge/remote/issue.ts";
import type { PawlFile } from "../config/pawl-file.ts";
import { issuesAt } from "../intake/issues-at.ts";
import { type IssueName, idOfIssue } from "./issue-name.ts";

export interface IssueOrder {
  /** absolute: .pawl */
  readonly state: string;
  readonly pawl: Partial<PawlFile>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** whether work on it has begun and not ended: the ticket stays as it was then, and nobody is asked */
  isUnderWay(task: string): boolean;
  readonly signal: AbortSignal;
}

/** Brings an issue into a ticket file below .pawl/tickets; gives its path. Throws ISSUE_MISSING, FORGE_*. */
export async function issueTicket(name: IssueName, order: IssueOrder): Promise<string> {
  const folder = join(order.state, "tickets", ...name.repo.split("/"));
  const path = join(folder, `${idOfIssue(name)}.md`);
  if (existsSync(path) && order.isUnderWay(idOfIssue(name))) return path;
  const issue = await issueNumbered(await issuesAt(name, order), name.number, order.signal);
  mkdirSync(folder, { recursive: true });
  replaceFile(path, ticketText(idOfIssue(name), issue));
  return path;
}

/** A task file: JSON texts are YAML ones too. */
const ticketText = (id: string, { title, body, labels, url }: Issue): string =>
  [
    "---",
    `id: ${id}`,
    `title: ${JSON.stringify(title)}`,
    `source: ${JSON.stringify(url)}`,
    ...(labels.length > 0 ? [`labels: ${JSON.stringify(labels)}`] : []),
    "---",
    body.trim() === "" ? title : body.trim(),
    "",
  ].join("\n");
