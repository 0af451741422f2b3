import { z } from "zod";

/** Statuses of a worker and the percent that each allows (agent-runner.md); outside is clamped and noted. */
export const PERCENT = {
  initializing: [0, 5],
  researching: [5, 15],
  planning: [15, 25],
  awaiting_go: [25, 25],
  implementing: [30, 70],
  testing: [70, 90],
  reporting: [90, 95],
  awaiting_next: [95, 100],
  completed: [100, 100],
  blocked: [0, 100],
} as const;
export type WorkerStatus = keyof typeof PERCENT;

/** progress.json: replaced whole; its history is progress.jsonl. */
export const progressSchema = z.looseObject({
  agent_id: z.string().default(""),
  task_id: z.string().default(""),
  status: z.enum(Object.keys(PERCENT) as [WorkerStatus, ...WorkerStatus[]]),
  percent: z.number().min(0).max(100),
  activity: z.string().default(""),
  warning: z.string().optional(),
  step_started_at: z.string().optional(),
  updated_at: z.string(),
});
export type Progress = z.infer<typeof progressSchema>;
