import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "../../adapters/agents/files.ts";
import type { GitHubOptions } from "../../adapters/forge/github/api.ts";
import { gitHubIssue, type Issue } from "../../adapters/forge/github/issue.ts";
import type { PawlFile } from "../config/pawl-file.ts";
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
  const issue = await gitHubIssue(optionsFor(name, order), name.number, order.signal);
  mkdirSync(folder, { recursive: true });
  replaceFile(path, ticketText(issue));
  return path;
}

/** Where and as whom GitHub is asked: as `forge:` of pawl.yaml says where it is one, else the public one. */
function optionsFor({ repo }: IssueName, { pawl, env }: IssueOrder): GitHubOptions {
  const forge = pawl.forge?.kind === "github" ? pawl.forge : null;
  const variable = forge?.tokenEnv ?? "GITHUB_TOKEN";
  return {
    repo,
    baseUrl: forge?.baseUrl ?? "https://api.github.com",
    token: { variable, read: () => env[variable] },
    now: Date.now,
  };
}

/** A task file: JSON texts are YAML ones too. */
const ticketText = ({ number, title, body, labels, url }: Issue): string =>
  [
    "---",
    `id: gh-${number}`,
    `title: ${JSON.stringify(title)}`,
    `source: ${JSON.stringify(url)}`,
    ...(labels.length > 0 ? [`labels: ${JSON.stringify(labels)}`] : []),
    "---",
    body.trim() === "" ? title : body.trim(),
    "",
  ].join("\n");
