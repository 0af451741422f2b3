import type { Issues } from "../../adapters/forge/remote/issue.ts";
import { USUAL_FORGE } from "../config/forge-key.ts";
import type { PawlFile } from "../config/pawl-file.ts";

/** A repository whose issues are asked for; null: as `forge:` of pawl.yaml says where it is one of that kind, else the public one. */
export interface IssuePlace {
  readonly kind: "github" | "gitlab";
  readonly repo: string;
  readonly tokenEnv?: string | null;
  readonly baseUrl?: string | null;
}

/** The issues of a repository. The token goes to an address of pawl.yaml or the public one, to none that a word brought along. */
export async function issuesAt(
  { kind, repo, tokenEnv, baseUrl }: IssuePlace,
  { pawl, env }: { readonly pawl: Partial<PawlFile>; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Issues> {
  const usual = pawl.forge?.kind === kind ? pawl.forge : USUAL_FORGE[kind];
  const variable = tokenEnv ?? usual.tokenEnv;
  const token = { variable, read: () => env[variable] };
  const options = { repo, baseUrl: baseUrl ?? usual.baseUrl, token, now: Date.now };
  if (kind === "github") return (await import("../../adapters/forge/github/issues.ts")).gitHubIssues(options);
  return (await import("../../adapters/forge/gitlab/issues.ts")).gitLabIssues(options);
}
