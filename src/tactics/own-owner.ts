import type { Answer } from "../protocol/answer.ts";
import { addedLines } from "./added-lines.ts";
import { answerPlan, answerReport, type Found, isPlan } from "./owner-rules.ts";
import type { Owner, WorkerHands } from "./worker-hands.ts";
import type { WorkerState } from "./worker-state.ts";

/**
 * The owner `rules` beside its worker, in one process. What it believes is what our own commands wrote into the journal,
 * and git; a report's suites are those that ran on the files as they were committed.
 */
export const rulesBeside = (of: {
  readonly state: () => WorkerState;
  readonly hands: WorkerHands;
  readonly now: () => string;
}): Owner => ({
  async answer(submission, { assignment }) {
    const state = of.state();
    const in_reply_to = `${String(state.session.seq).padStart(3, "0")}-${submission.message_type}.json`;
    const { agent_id, task_id } = assignment;
    const to = { agent_id, task_id, in_reply_to, by: "rules", sent_at: of.now() };
    if (isPlan(submission)) return answerPlan(submission, assignment, to);
    const now = await of.hands.head();
    if (submission.head !== null && submission.head !== now) return moved(submission.head, now, to);
    return answerReport(submission, assignment, { found: await find(submission.head, state, of.hands), to });
  },
});

type To = Pick<Answer, "agent_id" | "task_id" | "in_reply_to" | "by" | "sent_at">;

/** Its own head is not what a worker gets wrong: nothing that a model could mend. */
const moved = (head: string, now: string | null, to: To): Answer => ({
  ...to,
  message_type: "BLOCKED",
  reason: `the work stands at ${head}, and its branch at ${now ?? "no commit"}: somebody moved it meanwhile; bring it back, or begin anew from there (pawl work … --again)`,
});

async function find(head: string | null, state: WorkerState, hands: WorkerHands): Promise<Found> {
  const added = addedLines(state.base === null ? "" : await hands.patch(state.base));
  return {
    head,
    line: (file, line) => hands.lines(file)?.[line - 1] ?? null,
    isChanged: (file, line) => added.get(file)?.has(line) ?? false,
    changed: new Set((await hands.changes(state.base)).map(({ path }) => path)),
    suites: state.validated ?? [],
    baseline: state.baseline,
  };
}
