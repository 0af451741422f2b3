import type { Task } from "../domain/task.ts";
import type { TaskFile } from "../protocol/task-file.ts";

/** The text of a pull request: the ticket, its criteria, and what was found and put right on the way. */
export function pullRequestBody(task: Task, file: TaskFile): string {
  const criteria = file.acceptanceCriteria.map(({ id, text }) => `- ${id}: ${text}`);
  const findings = task.findings.map((f) => `- ${f.label} (${f.state}), from ${f.source}: ${f.text}`);
  return [
    file.body.trim(),
    ...(criteria.length > 0 ? ["## Acceptance criteria", criteria.join("\n")] : []),
    ...(findings.length > 0 ? ["## Findings", findings.join("\n")] : []),
    `Task ${task.id} · round ${task.round}`,
  ].join("\n\n");
}
