import type { Answer, Issue } from "../protocol/answer.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { Submission } from "../protocol/message.ts";
import type { PlanSubmission } from "../protocol/plan.ts";
import type { CompletionReport } from "../protocol/report.ts";
import { planFaults } from "./plan-faults.ts";
import type { SuiteRun } from "./record.ts";
import { type Failure, inScopeFailures, outOfScopeFailures } from "./scope-of-failure.ts";

/** What the owner `rules` finds out by itself about a commit; nothing of it comes from the worker. */
export interface Found {
  /** the commit that was looked at; null: none, or it is not there */
  readonly head: string | null;
  /** a line of a file in that commit; null: there is none */
  line(file: string, line: number): string | null;
  /** whether this branch wrote that line */
  isChanged(file: string, line: number): boolean;
  readonly changed: ReadonlySet<string>;
  /** the suites, run on a clean checkout of that commit, and on the base */
  readonly suites: readonly SuiteRun[];
  readonly baseline: readonly SuiteRun[] | null;
}

type To = Pick<Answer, "agent_id" | "task_id" | "in_reply_to" | "by" | "sent_at">;

/** The answer of the rules to a plan: GO, or FEEDBACK with everything that it lacks. */
export function answerPlan({ plan }: PlanSubmission, assignment: Assignment, to: To): Answer {
  const issues = planFaults(plan, assignment).map((text, n): Issue => ({ id: `P${n + 1}`, text, about: "plan" }));
  return issues.length === 0 ? { message_type: "GO", ...to } : { message_type: "FEEDBACK", ...to, issues };
}

/**
 * The answer of the rules to a report (architecture 9.5): FIX with everything that is not so, BLOCKED where all that is
 * wrong lies out of scope, which only a person can resolve, else NEXT.
 */
export function answerReport(
  message: CompletionReport,
  assignment: Assignment,
  of: { readonly found: Found; readonly to: To },
): Answer {
  const { found, to } = of;
  const runs = { validated: found.suites, baseline: found.baseline };
  const faults = [
    ...evidenceFaults(message, assignment, found),
    ...[...suiteFaults(message, assignment, found), ...liesOf(message, found)].map((text): Fault => ({ text })),
  ];
  const issues: Issue[] = [
    ...faults.map((fault, n): Issue => ({ id: `R${n + 1}`, ...fault, about: "code" })),
    ...inScopeFailures(runs).map(
      ({ words }, n): Issue => ({ id: `T${n + 1}`, text: `a suite fails: ${words}`, about: "code" }),
    ),
  ];
  if (issues.length > 0) return { message_type: "FIX", ...to, issues };
  const out = outOfScopeFailures(runs);
  return out.length > 0 ? blocked(out, to) : { message_type: "NEXT", ...to };
}

const blocked = (out: readonly Failure[], to: To): Answer => ({
  message_type: "BLOCKED",
  ...to,
  reason: `suites fail that failed before the work began, and somebody has to say what that means: ${out.map(({ suite }) => suite).join(", ")}`,
});

/** What is not so, and where it stands. */
export interface Fault {
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/** What the evidence for each criterion lacks, or says that is not so. */
export function evidenceFaults(
  { report, head }: CompletionReport,
  assignment: Pick<Assignment, "acceptance_criteria">,
  found: Pick<Found, "head" | "line" | "isChanged" | "changed">,
): readonly Fault[] {
  if (found.head === null) return [{ text: `the report is about commit ${head ?? "none"}, which is not there` }];
  const criteria = new Set(assignment.acceptance_criteria.map(({ id }) => id));
  const unknown = report.ac_verification.filter(({ ac }) => !criteria.has(ac));
  return [
    ...[...criteria].flatMap((id) => criterionFaults(id, report, found)),
    ...unknown.map(({ ac }) => ({ text: `${ac} is no acceptance criterion of this task` })),
  ];
}

type Seen = Parameters<typeof evidenceFaults>[2];

function criterionFaults(id: string, report: CompletionReport["report"], found: Seen): readonly Fault[] {
  const [row, another] = report.ac_verification.filter(({ ac }) => ac === id);
  if (!row) return [{ text: `${id} is not reported on` }];
  if (another) return [{ text: `${id} is reported on twice` }];
  if (row.status === "FAIL") return [{ text: `${id} is not met, as the report itself says` }];
  // where nothing was changed there is no changed line that could show it
  if (row.evidence.length === 0) return found.changed.size > 0 ? [{ text: `${id}: PASS without evidence` }] : [];
  return row.evidence.flatMap(({ file, line, text }) => {
    const fault = lineFault(found, { ac: id, file, line, text });
    return fault === null ? [] : [{ text: fault, file, line }];
  });
}

/** Each suite of the task was run on what is reported, and is reported. */
function suiteFaults({ report }: CompletionReport, { test_delta }: Assignment, found: Found): readonly string[] {
  const ran = new Set(found.suites.map(({ name }) => name));
  const said = new Set(report.test_results.map(({ test }) => test));
  return test_delta.regression.flatMap(({ name }) => [
    ...(ran.has(name) ? [] : [`${name} was not run on the commit that is reported`]),
    ...(said.has(name) ? [] : [`${name} is not reported on`]),
  ]);
}

/** null: nothing is wrong with it */
function lineFault(
  found: Seen,
  { ac, file, line, text }: { ac: string; file: string; line: number; text: string },
): string | null {
  const there = found.line(file, line);
  const place = `${ac}: ${file}:${line}`;
  if (there === null) return `${place} is not there`;
  if (there.trim() === "") return `${place} is blank`;
  if (!found.changed.has(file)) return `${place}: this branch did not touch ${file}`;
  if (!found.isChanged(file, line)) return `${place} was not changed by this branch`;
  return text.trim() !== "" && text.trim() !== there.trim() ? `${place} reads otherwise: ${there.trim()}` : null;
}

/** What the report says and is not so: of suites, and of files. */
function liesOf({ report }: CompletionReport, found: Found): readonly string[] {
  const ran = new Map(found.suites.map((run) => [run.name, run]));
  const said = new Set(report.files_changed.map(({ path }) => path));
  return [
    ...report.test_results
      .filter(({ test }) => !ran.has(test))
      .map(({ test }) => `the report names a test that was not run here: ${test}`),
    ...report.test_results
      .filter(({ test, result }) => result === "PASS" && ran.get(test)?.passed === false)
      .map(({ test }) => `${test} is reported as passed, and fails`),
    ...[...found.changed].filter((path) => !said.has(path)).map((path) => `${path} was changed, and is not reported`),
    ...[...said]
      .filter((path) => !found.changed.has(path))
      .map((path) => `${path} is reported as changed, and is as it was`),
  ];
}

/** Which rules there are for a submission. */
export const isPlan = (submission: Submission): submission is PlanSubmission =>
  submission.message_type === "PLAN_SUBMISSION";
