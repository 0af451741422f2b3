import { z } from "zod";

/** How a worker ends (architecture 8). Only `verdict` is required, and `detail` unless PASS. */
export const verdictSchema = z
  .looseObject({
    version: z.literal(1).default(1),
    /** the leg that wrote it; another leg's is refused */
    leg: z.string().optional(),
    verdict: z.enum(["PASS", "FAIL", "BLOCKED", "NO_CHANGE"]),
    detail: z.string().default(""),
    findings: z
      .array(
        z.looseObject({
          key: z.string().optional(),
          text: z.string().min(1),
          file: z.string().optional(),
          line: z.number().int().positive().optional(),
        }),
      )
      .default([]),
    /** what this reporter raised before and does not say again is fixed */
    complete: z.boolean().default(false),
    /** how many of the task's acceptance criteria were looked up and found met */
    criteria: z
      .looseObject({ met: z.number().int().min(0), of: z.number().int().positive() })
      .refine(({ met, of }) => met <= of, { message: "met is at most of" })
      .optional(),
    usage: z
      .looseObject({
        cost_usd: z.number().min(0).optional(),
        tokens: z.number().min(0).optional(),
      })
      .optional(),
    at: z.string().optional(),
  })
  .refine((v) => v.verdict === "PASS" || v.detail.trim() !== "", {
    message: "detail is required unless the verdict is PASS",
    path: ["detail"],
  });
export type Verdict = z.infer<typeof verdictSchema>;
