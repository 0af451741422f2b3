import type { Model } from "../ports/model.ts";
import { changeByModel, planByModel } from "./model-answers.ts";
import { isPlan } from "./owner-rules.ts";
import type { Owner, WorkerHands } from "./worker-hands.ts";
import type { WorkerState } from "./worker-state.ts";

/** The owner `model:NAME` beside its worker, in one process: it reads the plan, and of a report the change that it is about. */
export const modelBeside = (of: {
  readonly model: Model;
  readonly prompts: ReadonlyMap<string, string>;
  readonly state: () => WorkerState;
  readonly hands: Pick<WorkerHands, "patch">;
  readonly now: () => string;
}): Owner => ({
  async answer(submission, { assignment, signal }) {
    const { session, base } = of.state();
    const in_reply_to = `${String(session.seq).padStart(3, "0")}-${submission.message_type}.json`;
    const { agent_id, task_id } = assignment;
    const by = {
      model: of.model,
      prompts: promptsIn(of.prompts),
      to: { agent_id, task_id, in_reply_to, by: `model:${of.model.name}`, sent_at: of.now() },
      signal,
    };
    if (isPlan(submission)) return planByModel(submission, assignment, by);
    const patch = base === null ? "" : await of.hands.patch(base);
    return changeByModel(Buffer.from(patch, "latin1").toString("utf8"), assignment, by);
  },
});

/** The two that reviewers are told; an own folder of prompts may have others. */
export const promptsIn = (
  prompts: ReadonlyMap<string, string>,
): { readonly plan: string; readonly change: string } => ({
  plan: prompts.get("prompts/plan-reviewer.md") ?? "",
  change: prompts.get("prompts/reviewer.md") ?? "",
});
