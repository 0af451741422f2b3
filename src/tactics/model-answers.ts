import { z } from "zod";
import type { Model } from "../ports/model.ts";
import type { Answer, Issue } from "../protocol/answer.ts";
import type { Assignment } from "../protocol/assignment.ts";
import type { PlanSubmission } from "../protocol/plan.ts";
import { askForJson } from "./ask-for-json.ts";
import { readAs } from "./decision.ts";
import { planText } from "./plan-text.ts";
import { review, ticketLines } from "./review.ts";

type To = Pick<Answer, "agent_id" | "task_id" | "in_reply_to" | "by" | "sent_at">;

/** What a model that owns a gate is asked with. */
export interface ByModel {
  readonly model: Model;
  /** prompts/plan-reviewer.md and prompts/reviewer.md */
  readonly prompts: { readonly plan: string; readonly change: string };
  readonly to: To;
  readonly signal: AbortSignal;
}

const planReviewSchema = z.looseObject({
  _type: z.literal("PLAN_REVIEW").default("PLAN_REVIEW"),
  issues: z.array(z.looseObject({ text: z.string().min(1) })),
});

/** A model's answer to a plan: GO, or FEEDBACK with each issue. Throws as the model does, and MODEL_MISREAD. */
export async function planByModel(plan: PlanSubmission, assignment: Assignment, by: ByModel): Promise<Answer> {
  const ticket = ticketLines({ ...assignment, criteria: assignment.acceptance_criteria });
  const said = await askForJson(by.model, {
    system: by.prompts.plan,
    text: [...ticket, "", planText(plan)].join("\n"),
    read: (text) => readAs(text, planReviewSchema),
    cost: { tokens: 0, microUsd: 0 },
    signal: by.signal,
  });
  const issues = said.issues.map(({ text }, n): Issue => ({ id: `M${n + 1}`, text, about: "plan" }));
  return issues.length === 0 ? { message_type: "GO", ...by.to } : { message_type: "FEEDBACK", ...by.to, issues };
}

/** A model's answer to a report, by what was changed and not by what is said of it: NEXT, or FIX with each finding. */
export async function changeByModel(patch: string, assignment: Assignment, by: ByModel): Promise<Answer> {
  const { title, body, acceptance_criteria: criteria } = assignment;
  const order = { title, body, criteria, patch, model: by.model, prompt: by.prompts.change, signal: by.signal };
  const { findings, unmet } = await review(order);
  const texts = [
    ...findings.map(({ ac, text, file, line }) => ({
      text: ac ? `${ac}: ${text}` : text,
      ...(file ? { file } : {}),
      ...(line ? { line } : {}),
    })),
    ...unmet.map((id) => ({ text: `${id}: nothing in the change shows it to be met` })),
  ];
  const issues = texts.map((one, n): Issue => ({ id: `M${n + 1}`, ...one, about: "code" }));
  return issues.length === 0 ? { message_type: "NEXT", ...by.to } : { message_type: "FIX", ...by.to, issues };
}
