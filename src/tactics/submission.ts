import type { Submission } from "../protocol/message.ts";
import { outOfScopeFailures } from "./scope-of-failure.ts";
import type { FileChange } from "./worker-hands.ts";
import type { Done, WorkerState } from "./worker-state.ts";

/** A plan or report as it is sent: what the executor made of it, and what is known without asking it. */
export function submissionOf(
  what: Submission["message_type"],
  state: WorkerState,
  of: { readonly now: string; readonly changes: readonly FileChange[] },
): Submission {
  const { now } = of;
  const { assignment, head, session } = state;
  const to = { agent_id: assignment.agent_id, task_id: assignment.task_id };
  const said = lastMade(state, what === "PLAN_SUBMISSION" ? "plan.submit" : "report.submit");
  const texts = (name: string): string[] => (Array.isArray(said[name]) ? (said[name] as unknown[]).map(String) : []);
  if (what === "PLAN_SUBMISSION")
    return {
      message_type: what,
      ...to,
      plan: said.plan as Extract<Submission, { message_type: "PLAN_SUBMISSION" }>["plan"],
      questions: texts("questions"),
      submitted_at: now,
      potential_issues: texts("potential_issues"),
      answers: answersTo(session.issues, said.answers),
      head,
    };
  return {
    message_type: what,
    ...to,
    report: {
      ac_verification: said.ac_verification as Extract<
        Submission,
        { message_type: "COMPLETION_REPORT" }
      >["report"]["ac_verification"],
      test_results: testResults(state),
      files_changed: of.changes.map((change) => ({ ...change })),
    },
    submitted_at: now,
    started_at: new Date(state.startedAt).toISOString(),
    summary: typeof said.summary === "string" ? said.summary : "",
    notes: texts("notes"),
    head,
  };
}

/** What the tool that makes it found in order: its data. */
function lastMade({ done }: WorkerState, tool: string): Readonly<Record<string, unknown>> {
  const made = done.findLast((one: Done) => one.tool === tool && one.result?.ok);
  return (made?.result?.data ?? {}) as Record<string, unknown>;
}

/** Each issue of the owner has its answer; what was not said is said so. */
function answersTo(issues: WorkerState["session"]["issues"], said: unknown): { issue_id: string; text: string }[] {
  const given = Array.isArray(said) ? (said as { issue_id?: unknown; text?: unknown }[]) : [];
  return issues.map(({ id }) => {
    const text = given.find((one) => one.issue_id === id)?.text;
    return { issue_id: id, text: typeof text === "string" ? text : "the plan was made anew" };
  });
}

/** Results of the suites as we ran them: nobody is asked for them. */
function testResults(state: WorkerState) {
  const out = outOfScopeFailures(state);
  return (state.validated ?? []).map(({ name, passed, words }) => ({
    test: name,
    result: passed ? ("PASS" as const) : ("FAIL" as const),
    details: words,
    scope: out.some(({ suite }) => suite === name) ? ("out" as const) : ("in" as const),
  }));
}
