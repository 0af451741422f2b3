import { z } from "zod";

/** How a step ended. no_change: it was done, and the screen stayed as it was, where a change was expected and looked for. */
export const OUTCOMES = ["done", "no_change", "failed", "unsure", "invalid", "finished", "interrupted"] as const;
export type StepOutcome = (typeof OUTCOMES)[number];

export const STATUSES = ["success", "timeout", "failed", "interrupted"] as const;
export type RunStatus = (typeof STATUSES)[number];

const size = z.tuple([z.number().int().positive(), z.number().int().positive()]).readonly();
const point = z.tuple([z.number().int().min(0), z.number().int().min(0)]).readonly();

const resultSchema = z.looseObject({
  outcome: z.enum(OUTCOMES),
  /** how often it was tried, from 1 */
  attempts: z.number().int().min(1),
  /** what went wrong; the agent is told of it */
  error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
  /** whether the screen was another one afterwards; missing: nobody looked */
  changed: z.boolean().optional(),
  /** whether the focused field holds what was typed; missing: it cannot be said */
  verified: z.boolean().optional(),
  /** where it went, in pixels of the screenshot */
  at: z.array(point).readonly().optional(),
  note: z.string().optional(),
  user_response: z
    .looseObject({ question: z.string(), answer: z.string().nullable(), timed_out: z.boolean() })
    .optional(),
  tool_result: z
    .looseObject({ tool: z.string(), ok: z.boolean(), content: z.string().optional(), error: z.string().optional() })
    .optional(),
});

const stepSchema = z.looseObject({
  /** from 1 */
  step: z.number().int().min(1),
  /** what the agent saw: a path in the trajectory's folder, or base64, as `screenshots` says */
  screenshot: z.string().min(1),
  size,
  /** what the screen showed afterwards, where it was looked at; the next step's screenshot, mostly */
  screenshot_after: z.string().min(1).optional(),
  thinking: z.string(),
  /** as it is on the wire; for an answer that was none the ActionValidationError */
  action: z.record(z.string(), z.unknown()),
  result: resultSchema,
  /** ISO 8601, when the agent's answer was there */
  timestamp: z.string(),
  /** seconds from the agent being asked to the step's end */
  duration: z.number().min(0),
});

/** What was done on one screen, the same for every kind of screen (DEV-6; architecture 8, 11.9). */
export const trajectorySchema = z.looseObject({
  version: z.literal(1),
  task_goal: z.string(),
  task_id: z.string(),
  /** a run that was killed stands as it was saved last: interrupted, `ended_at` null */
  status: z.enum(STATUSES),
  reason: z.string(),
  total_steps: z.number().int().min(0),
  /** seconds */
  duration: z.number().min(0),
  target: z.string(),
  agent: z.string(),
  screenshots: z.enum(["files", "base64"]),
  settings: z.record(z.string(), z.unknown()),
  usage: z.looseObject({ tokens: z.number(), cost_usd: z.number().nullable() }).optional(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  steps: z.array(stepSchema).readonly(),
});

export type Trajectory = z.infer<typeof trajectorySchema>;
export type TrajStep = z.infer<typeof stepSchema>;
export type StepResult = z.infer<typeof resultSchema>;

/** The trajectory that a text is, or what is wrong with it in one line. */
export function readTrajectory(text: string): Trajectory | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: `it is no JSON (${error instanceof Error ? error.message.split("\n")[0] : error})` };
  }
  const read = trajectorySchema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { fault: `${issue!.path.join(".") || "it"}: ${issue!.message}` };
}
