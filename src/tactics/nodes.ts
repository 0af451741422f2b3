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
      evidence: { commits: status === "unchanged" ? [] : state.commits, files },
      note: row
        ? row.evidence.map(({ file, line }) => `${file}:${line}`).join(", ")
        : (state.plan?.plan.ac_mapping.find(({ ac }) => ac === id)?.implementation ?? ""),
    };
  });
}

/** Committed work without a report that shows it is never all. */
const partly = (made: number, planned: number): number => (planned === 0 ? 0 : Math.round((80 * made) / planned));

/** A mapping may name several files in one text: `a.ts, b.ts`. */
const plannedFiles = ({ plan }: WorkerState, ac: string): readonly string[] => [
  ...new Set(
    (plan?.plan.ac_mapping ?? [])
      .filter((row) => row.ac === ac)
      .flatMap(({ file, test }) => [...file.split(/[,;\s]+/), ...test.split(/[,;\s]+/)])
      .filter((path) => path !== ""),
  ),
];
