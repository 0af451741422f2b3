import type { NodeNews } from "../workspace/task-tree.ts";
import type { WorkerState } from "./worker-state.ts";

/**
 * One node for each acceptance criterion. partial: files that the plan maps to it are in a commit of ours; done: besides,
 * the last report shows it with evidence. Nothing that was only said counts.
 */
export function nodesOf(state: WorkerState): readonly NodeNews[] {
  return state.assignment.acceptance_criteria.map(({ id, text }) => {
    const files = plannedFiles(state, id).filter((path) => state.committed.includes(path));
    const row = state.report?.report.ac_verification.find(({ ac }) => ac === id);
    const isShown = row?.status === "PASS" && row.evidence.length > 0 && state.commits.length > 0;
    const status = isShown ? "done" : files.length > 0 ? "partial" : "unchanged";
    return {
      id: `n-${id}`,
      title: text,
      acceptance: [text],
      status,
      coverage_pct: isShown ? 100 : partly(files.length, plannedFiles(state, id).length),
      evidence: { commits: commitsThatHold(state, files), files },
      note: row
        ? row.evidence.map(({ file, line }) => `${file}:${line}`).join(", ")
        : (state.plan?.plan.ac_mapping.find(({ ac }) => ac === id)?.implementation ?? ""),
    };
  });
}

const commitsThatHold = ({ commits, commitsOf }: WorkerState, files: readonly string[]): readonly string[] =>
  commits.filter((commit) => files.some((path) => commitsOf[path]?.includes(commit)));

/** Committed work without a report that shows it is never all. */
const partly = (made: number, planned: number): number => (planned === 0 ? 0 : Math.round((80 * made) / planned));

/** A mapping may name several files in one text, `a.ts, b.ts`; its test is a file, or a name that is no path. */
const plannedFiles = ({ plan, committed }: WorkerState, ac: string): readonly string[] => {
  const rows = (plan?.plan.ac_mapping ?? []).filter((row) => row.ac === ac);
  const known = new Set([...(plan?.plan.files ?? []).map(({ path }) => path), ...committed]);
  return [
    ...new Set([
      ...rows.flatMap(({ file }) => namesIn(file)),
      ...rows.flatMap(({ test }) => namesIn(test)).filter((name) => known.has(name)),
    ]),
  ];
};

const namesIn = (text: string): readonly string[] => text.split(/[,;\s]+/).filter((name) => name !== "");
