import { z } from "zod";

/** One row for each acceptance criterion: what is done for it, where, and what test shows it. */
const mappingSchema = z.looseObject({
  ac: z.string().min(1),
  implementation: z.string(),
  file: z.string(),
  test: z.string(),
});

/** What a worker means to do (agent-runner.md, step 2); `plan` has the specification's fields in its order. */
export const planSubmissionSchema = z.looseObject({
  message_type: z.literal("PLAN_SUBMISSION"),
  agent_id: z.string(),
  task_id: z.string(),
  plan: z.looseObject({
    approach: z.string(),
    ac_mapping: z.array(mappingSchema),
    files: z.array(z.looseObject({ path: z.string().min(1), changes: z.array(z.string()).default([]) })),
    tests: z.array(
      z.looseObject({ name: z.string().min(1), kind: z.string().default(""), text: z.string().default("") }),
    ),
  }),
  questions: z.array(z.string()).default([]),
  /** ISO 8601, UTC */
  submitted_at: z.string(),
  potential_issues: z.array(z.string()).default([]),
  /** on a revision: what was done about each issue of the FEEDBACK */
  answers: z.array(z.looseObject({ issue_id: z.string(), text: z.string() })).default([]),
  /** the commit that the plan was made on */
  head: z.string().nullable().default(null),
});
export type PlanSubmission = z.infer<typeof planSubmissionSchema>;
export type Plan = PlanSubmission["plan"];
