import type { PlanSubmission } from "../protocol/plan.ts";
import { cell, list } from "./markdown.ts";

/** plan.md: the same plan for people, under the specification's headings (agent-runner.md, step 2). */
export function planText({ task_id, plan, potential_issues, questions, answers }: PlanSubmission): string {
  const rows = plan.ac_mapping.map(
    (row) => `| ${[row.ac, row.implementation, row.file, row.test].map(cell).join(" | ")} |`,
  );
  const files = plan.files.flatMap(({ path, changes }) => [`- ${path}`, ...changes.map((change) => `  - ${change}`)]);
  const tests = plan.tests.map(({ name, kind, text }) =>
    [kind && `${kind}:`, name, text && `(${text})`].filter(Boolean).join(" "),
  );
  return [
    `## Implementation Plan for ${task_id}`,
    "### Approach",
    plan.approach,
    "### Acceptance Criteria Mapping",
    ["| AC | Implementation | File | Test |", "|----|----------------|------|------|", ...rows].join("\n"),
    "### Files to Modify",
    files.join("\n") || "–",
    "### Test Approach",
    list(tests),
    "### Potential Issues",
    list([...potential_issues, ...questions.map((question) => `question: ${question}`)]),
    ...(answers.length > 0 ? ["### Answers", list(answers.map(({ issue_id, text }) => `${issue_id}: ${text}`))] : []),
    "",
  ].join("\n\n");
}
