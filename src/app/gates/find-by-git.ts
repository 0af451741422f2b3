import { baseSeen, tipOf } from "../../adapters/agents/base.ts";
import { PawlError } from "../../domain/errors.ts";
import type { GateQuestion } from "../../ports/gates.ts";
import type { Git } from "../../ports/system.ts";
import type { CompletionReport } from "../../protocol/report.ts";
import { addedLines } from "../../tactics/added-lines.ts";
import type { Found } from "../../tactics/owner-rules.ts";
import type { SuiteRun } from "../../tactics/record.ts";
import type { PatchOf } from "./model-owner.ts";
import type { Find } from "./rules-owner.ts";

/** Runs suites on a commit, in a checkout that nobody else has. */
export type RunSuites = (
  commit: string,
  of: {
    readonly suites: readonly { readonly name: string; readonly command: string }[];
    readonly question: GateQuestion;
    readonly signal: AbortSignal;
  },
) => Promise<readonly SuiteRun[]>;

interface On {
  readonly repo: string;
  readonly git: Git;
  readonly runSuites: RunSuites;
}

/**
 * What git and our own runs of the suites say of the commit that a report names. It has to be the tip of the task's branch;
 * lines and files are compared with where the branch left its base. The base is run only for suites that fail.
 */
export const findByGit =
  ({ repo, git, runSuites }: On): Find =>
  async (question, report, signal) => {
    const { branch, base } = question.brief.assignment;
    const on = { repo, git, signal };
    const tip = await tipOf(`refs/heads/${branch}`, on);
    const head = report.head !== null && report.head === tip ? tip : null;
    if (head === null) return nothing(await suitesOn(tip));
    const root = await forkPoint(base, head, on);
    const at = { cwd: repo, signal };
    const patch = ["diff", "--no-color", "--no-ext-diff", "--no-renames", root, head];
    // one character per byte: files of any encoding, and names that are no ASCII
    const added = addedLines(await git.must(patch, { ...at, encoding: "latin1" }));
    const names = await git.must(["diff", "--name-only", "--no-renames", "-z", root, head], at);
    const lines = await linesOf(report, { head, repo, git, signal });
    const suites = await suitesOn(head);
    const failed = suites.filter(({ passed }) => !passed);
    return {
      head,
      line: (file, line) => lines.get(file)?.[line - 1] ?? null,
      isChanged: (file, line) => added.get(file)?.has(line) ?? false,
      changed: new Set(names.split("\0").filter((name) => name !== "")),
      suites,
      baseline: failed.length === 0 ? null : await runSuites(root, { suites: failed, question, signal }),
    };

    function suitesOn(commit: string | null): Promise<readonly SuiteRun[]> {
      const suites = question.brief.assignment.test_delta.regression;
      return commit === null || suites.length === 0
        ? Promise.resolve([])
        : runSuites(commit, { suites, question, signal });
    }
  };

/** The change that a report is about: its commit has to be the tip of the task's branch. Throws GIT_FAILED where it is not. */
export const patchByGit =
  ({ repo, git }: Pick<On, "repo" | "git">): PatchOf =>
  async (question, report, signal) => {
    const { branch, base } = question.brief.assignment;
    const on = { repo, git, signal };
    const tip = await tipOf(`refs/heads/${branch}`, on);
    if (tip === null || report.head !== tip)
      throw new PawlError(
        "GIT_FAILED",
        `the report is about ${report.head ?? "no commit"}, and ${branch} is at ${tip}`,
        {
          next: "wait for the worker's next report.",
        },
      );
    const root = await forkPoint(base, tip, on);
    return git.must(["diff", "--no-color", "--no-ext-diff", "--no-renames", root, tip], { cwd: repo, signal });
  };

/** The report is about another commit than the branch's: nothing of it can be looked up. */
const nothing = (suites: readonly SuiteRun[]): Found => ({
  head: null,
  line: () => null,
  isChanged: () => false,
  changed: new Set(),
  suites,
  baseline: null,
});

async function forkPoint(
  base: string,
  head: string,
  on: { readonly repo: string; readonly git: Git; readonly signal: AbortSignal },
): Promise<string> {
  const tip = await baseSeen(base, on);
  const shared = tip && (await on.git.run(["merge-base", tip, head], { cwd: on.repo, signal: on.signal }));
  if (shared && shared.code === 0) return shared.stdout.trim();
  throw new PawlError("GIT_FAILED", `${head} has no commit in common with ${base}`, {
    next: "look at the task's branch: git log --oneline --graph",
  });
}

/** The files that the evidence names, as they are in the commit. */
async function linesOf(
  { report }: CompletionReport,
  { head, repo, git, signal }: { head: string; repo: string; git: Git; signal: AbortSignal },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Set(report.ac_verification.flatMap(({ evidence }) => evidence.map(({ file }) => file)));
  const lines = new Map<string, readonly string[]>();
  for (const file of files) {
    const shown = await git.run(["cat-file", "blob", `${head}:${file}`], { cwd: repo, signal });
    if (shown.code === 0) lines.set(file, shown.stdout.split("\n"));
  }
  return lines;
}
