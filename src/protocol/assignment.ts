import { z } from "zod";

/** What is to be done, as the worker finds it (agent-runner.md; architecture 8). snake_case: this is the wire. */
export const assignmentSchema = z.looseObject({
  message_type: z.literal("TASK_ASSIGNMENT"),
  version: z.literal(1),
  agent_id: z.string(),
  task_id: z.string(),
  run: z.string(),
  leg: z.string(),
  phase: z.string(),
  role: z.string(),
  round: z.number().int().min(0),
  title: z.string(),
  body: z.string(),
  specification: z.string().optional(),
  acceptance_criteria: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
  test_delta: z.object({
    add: z.array(z.string()).readonly(),
    update: z.array(z.string()).readonly(),
    regression: z.array(z.object({ name: z.string(), command: z.string() })).readonly(),
  }),
  authorized_files: z.array(z.string()).readonly(),
  timeout_minutes: z.number().positive(),
  findings: z
    .array(z.object({ id: z.string(), text: z.string(), file: z.string().optional(), line: z.number().optional() }))
    .readonly(),
  notes: z.array(z.string()).readonly(),
  worktree: z.string(),
  branch: z.string(),
  base: z.string(),
  /** only after a merge conflict: the commit of the base to be merged into the branch */
  merge: z.string().optional(),
  budget: z
    .object({ cost_usd: z.number().optional(), tokens: z.number().optional(), wall_ms: z.number().optional() })
    .optional(),
  /** how often the plan may be sent back, and the report, before that ends it as BLOCKED; missing: twice each */
  limits: z
    .object({ plan_revisions: z.number().int().min(0).optional(), fix_attempts: z.number().int().min(0).optional() })
    .optional(),
  /** names of the fields that the processor filled in, because the task file left them out */
  filled: z.array(z.string()).readonly().optional(),
});
export type Assignment = z.infer<typeof assignmentSchema>;
