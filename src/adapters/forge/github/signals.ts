import type { Signals } from "../../../ports/signals.ts";
import { ciSignal } from "../remote/checks.ts";
import { approvalSignal, labelSignal } from "../remote/signals.ts";
import { type GitHubOptions, gitHubApi, gitHubHttp } from "./api.ts";
import { checksOf } from "./checks.ts";
import { judgementsOf, labelledBy } from "./judgements.ts";
import { threadsOf } from "./threads.ts";

/** `pr-approved` on GitHub: reviews of the head that is asked about. */
export const gitHubApprovals = (
  options: GitHubOptions,
  { approvals, from }: { approvals: number; from: readonly string[] },
): Signals => {
  const judgements = judgementsOf(gitHubHttp(options), `/repos/${options.repo}`);
  const threads = threadsOf(gitHubHttp(options), options);
  return approvalSignal(gitHubApi(options), { approvals, from, judgements, threads });
};

/** `label:NAME` on GitHub. */
export const gitHubLabel = (options: GitHubOptions, label: string): Signals => {
  const api = gitHubApi(options);
  const labelled = labelledBy(gitHubHttp(options), { root: `/repos/${options.repo}`, label, pull: api.pull });
  return labelSignal(api, { label, labelled });
};

/** `ci-green` on GitHub: checks and statuses of the head that is asked about. */
export const gitHubCi = (options: GitHubOptions): Signals =>
  ciSignal(gitHubApi(options), checksOf(gitHubHttp(options), `/repos/${options.repo}`));
