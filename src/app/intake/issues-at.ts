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

/** Where they are asked for, and which variable holds the token. It goes to an address of pawl.yaml or the public one, to none that a word brought along. */
export function placeOfIssues({ kind, tokenEnv, baseUrl }: IssuePlace, pawl: Pick<Partial<PawlFile>, "forge">) {
  const usual = pawl.forge?.kind === kind ? pawl.forge : USUAL_FORGE[kind];
  return { tokenEnv: tokenEnv ?? usual.tokenEnv, baseUrl: baseUrl ?? usual.baseUrl };
}

/** The issues of a repository. */
export async function issuesAt(
  place: IssuePlace,
  {
    pawl,
    env,
  }: { readonly pawl: Pick<Partial<PawlFile>, "forge">; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Issues> {
  const { tokenEnv: variable, baseUrl } = placeOfIssues(place, pawl);
  const options = { repo: place.repo, baseUrl, token: { variable, read: () => env[variable] }, now: Date.now };
  if (place.kind === "github") return (await import("../../adapters/forge/github/issues.ts")).gitHubIssues(options);
  return (await import("../../adapters/forge/gitlab/issues.ts")).gitLabIssues(options);
}
