import type { Signals } from "../../../ports/signals.ts";
import { ciSignal } from "../remote/checks.ts";
import { approvalSignal, labelSignal } from "../remote/signals.ts";
import { gitLabApi } from "./api.ts";
import { checksOf } from "./checks.ts";
import { type GitLabOptions, gitLabHttp, projectPath } from "./http.ts";
import { judgementsOf } from "./judgements.ts";
import { labelledBy } from "./labelled.ts";
import { threadsOf } from "./threads.ts";

/** `pr-approved` on GitLab: approvals of the head that is asked about, and requests for changes. */
export const gitLabApprovals = (
  options: GitLabOptions,
  { approvals, from }: { approvals: number; from: readonly string[] },
): Signals => {
  const judgements = judgementsOf(gitLabHttp(options), projectPath(options.repo));
  const threads = threadsOf(gitLabHttp(options), projectPath(options.repo));
  return approvalSignal(gitLabApi(options), { approvals, from, judgements, threads });
};

/** `label:NAME` on GitLab. */
export const gitLabLabel = (options: GitLabOptions, label: string): Signals => {
  const labelled = labelledBy(gitLabHttp(options), { root: projectPath(options.repo), label });
  return labelSignal(gitLabApi(options), { label, labelled });
};

/** `ci-green` on GitLab: pipelines of the head that is asked about. */
export const gitLabCi = (options: GitLabOptions): Signals =>
  ciSignal(gitLabApi(options), checksOf(gitLabHttp(options), projectPath(options.repo)));
