import type { CompletionReport } from "../protocol/report.ts";
import { cell, list } from "./markdown.ts";

/** report.md: the same report for people, under the specification's headings (agent-runner.md, step 7). */
export function reportText(message: CompletionReport): string {
  const { report, task_id, agent_id } = message;
  const criteria = report.ac_verification.map(({ ac, status, evidence }) => {
    const lines = evidence.map(({ file, line, text }) => `${file}:${line}${text ? ` - ${text.trim()}` : ""}`);
    return `| ${ac} | ${status} | ${cell(lines.join("; ")) || "–"} |`;
  });
  const tests = report.test_results.map(
    ({ test, result, details, scope }) =>
      `| ${cell(test)} | ${result}${scope === "out" ? " (out of scope)" : ""} | ${cell(details.split("\n")[0]!)} |`,
  );
  return [
    `## Task Completion Report: ${task_id}`,
    "### Summary",
    list([
      `Task ID: ${task_id}`,
      `Agent ID: ${agent_id}`,
      `Started: ${message.started_at ?? "–"}`,
      `Completed: ${message.submitted_at}`,
      `Status: ${report.ac_verification.every(({ status }) => status === "PASS") ? "COMPLETE" : "INCOMPLETE"}`,
      ...(message.summary ? [message.summary] : []),
    ]),
    "### Acceptance Criteria Verification",
    ["| AC | Status | Evidence |", "|----|--------|----------|", ...criteria].join("\n"),
    "### Test Results",
    ["| Test | Result | Details |", "|------|--------|---------|", ...tests].join("\n"),
    "### Files Changed",
    list(report.files_changed.map(({ path, change }) => `${path} (${change})`)),
    "### Issues and Notes",
    list(message.notes),
    "",
  ].join("\n\n");
}
