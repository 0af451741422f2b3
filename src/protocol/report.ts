import { z } from "zod";

/** A line of a file that shows a criterion to be met; `text` is the line as it stands there. */
const evidenceSchema = z.looseObject({
  file: z.string().min(1),
  line: z.number().int().positive(),
  text: z.string().default(""),
});

/** What a worker has done (agent-runner.md, steps 7 and 8); `report` has the specification's fields in its order. */
export const completionReportSchema = z.looseObject({
  message_type: z.literal("COMPLETION_REPORT"),
  agent_id: z.string(),
  task_id: z.string(),
  report: z.looseObject({
    ac_verification: z.array(
      z.looseObject({ ac: z.string().min(1), status: z.enum(["PASS", "FAIL"]), evidence: z.array(evidenceSchema) }),
    ),
    test_results: z.array(
      z.looseObject({
        test: z.string().min(1),
        result: z.enum(["PASS", "FAIL"]),
        details: z.string().default(""),
        /** out: it failed on the untouched base too, or needs a file that is not authorized */
        scope: z.enum(["in", "out"]).default("in"),
      }),
    ),
    files_changed: z.array(
      z.looseObject({ path: z.string().min(1), change: z.enum(["created", "modified", "deleted"]) }),
    ),
  }),
  /** ISO 8601, UTC */
  submitted_at: z.string(),
  started_at: z.string().optional(),
  summary: z.string().default(""),
  notes: z.array(z.string()).default([]),
  /** the commit that is reported on: owners read this commit, never a worktree */
  head: z.string().nullable().default(null),
});
export type CompletionReport = z.infer<typeof completionReportSchema>;
export type Report = CompletionReport["report"];
