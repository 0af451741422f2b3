import type { Task } from "../domain/task.ts";
import { openFindings } from "../domain/task.ts";
import type { TaskFile } from "../protocol/task-file.ts";

export interface PromptParts {
  readonly role: string;
  readonly roleText: string;
  readonly file: TaskFile;
  readonly task: Task;
  readonly authorized: readonly string[];
  readonly protect: readonly string[];
  readonly checks: readonly string[];
}

/** UTF-16 units that a prompt may have; the rest is cut, and the prompt says so. */
export const PROMPT_BUDGET = 100_000;
/** Together less than the budget: no part, however long, pushes out the constraints at the end. */
const SHARE = {
  role: 16_000,
  body: 40_000,
  criteria: 8_000,
  tests: 4_000,
  findings: 18_000,
  notes: 6_000,
  constraints: 6_000,
} as const;

/**
 * The prompt of one attempt: role, task, open findings, notes, constraints. Deterministic: the same row and files give
 * the same text. Each part has a share of the budget and is cut, visibly, where it is longer.
 */
export function composePrompt(parts: PromptParts): string {
  const { task, file } = parts;
  const sections = [
    cut(parts.roleText.trim(), SHARE.role, "the role text"),
    `# Task ${task.id}: ${task.terms.title}`,
    cut(file.body.trim(), SHARE.body, "the task's text"),
    criteriaOf(file),
    cut(testDelta(file), SHARE.tests, "the tests and documents"),
    findingsOf(task),
    notesOf(task),
    cut(constraints(parts), SHARE.constraints, "the constraints"),
    `Branch ${task.terms.branch} of base ${task.terms.base} · phase ${task.phase} · round ${task.round}`,
  ];
  return cut(sections.filter((section) => section !== "").join("\n\n"), PROMPT_BUDGET, "the prompt") + "\n";
}

const list = (heading: string, lines: readonly string[]): string =>
  lines.length === 0 ? "" : [heading, ...lines].join("\n");

function criteriaOf({ acceptanceCriteria }: TaskFile): string {
  const lines = acceptanceCriteria.map(({ id, text }) => `- ${id}: ${text}`);
  return cut(list("## Acceptance criteria", lines), SHARE.criteria, "the acceptance criteria");
}

function testDelta({ testDelta: { add, update, regression }, specification }: TaskFile): string {
  return list("## Tests and documents", [
    ...(specification ? [`- read the specification: ${specification}`] : []),
    ...add.map((path) => `- add tests in ${path}`),
    ...update.map((path) => `- update tests in ${path}`),
    ...regression.map(({ command }) => `- must still pass: \`${command}\``),
  ]);
}

function findingsOf(task: Task): string {
  const lines = openFindings(task).map((f) => {
    const place = f.file ? ` (${f.file}${f.line ? `:${f.line}` : ""})` : "";
    const times = f.seen > 1 ? `, said ${f.seen} times` : "";
    return `- ${f.label}${place}, from ${f.source}${times}: ${f.text}`;
  });
  return cut(list("## Open findings: what has to be put right", lines), SHARE.findings, "the findings");
}

/** The newest first: what is cut is the oldest. */
function notesOf(task: Task): string {
  const lines = task.notes.map((note) => `- ${note.from}, at ${note.phase}: ${note.text}`).reverse();
  return cut(list("## Notes", lines), SHARE.notes, "the notes");
}

function constraints({ authorized, protect, checks }: PromptParts): string {
  return list("## Constraints", [
    `- change only files that match: ${authorized.join(", ")}`,
    ...(protect.length > 0 ? [`- never change: ${protect.join(", ")}`] : []),
    ...checks.map((check) => `- \`${check}\` must pass`),
  ]);
}

function cut(text: string, budget: number, what: string): string {
  if (text.length <= budget) return text;
  const kept = text.slice(0, budget).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n\n[${what} was cut here: ${text.length - kept.length} of ${text.length} characters are left out]`;
}
