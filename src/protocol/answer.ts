import { z } from "zod";

/** What an owner wants otherwise; `about` decides where a FIX goes back to. */
export const issueSchema = z.looseObject({
  id: z.string().min(1),
  text: z.string().min(1),
  about: z.enum(["plan", "code", "test"]),
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
});
export type Issue = z.infer<typeof issueSchema>;

const to = {
  agent_id: z.string().default(""),
  task_id: z.string().default(""),
  /** name of the submission's file that is answered, "" for what is said unasked (EXTEND, END) */
  in_reply_to: z.string().default(""),
  by: z.string().default(""),
  reason: z.string().optional(),
  /** ISO 8601, UTC */
  sent_at: z.string().default(""),
};
const issues = z.array(issueSchema).min(1);

/**
 * What an owner says to a worker. FEEDBACK and FIX carry at least one issue, BLOCKED and END a reason, EXTEND a number
 * of minutes. GO and FEEDBACK answer a plan, NEXT and FIX a report, BLOCKED either; EXTEND and END may come at any time.
 */
export const answerSchema = z.discriminatedUnion("message_type", [
  z.looseObject({ message_type: z.literal("GO"), ...to }),
  z.looseObject({ message_type: z.literal("FEEDBACK"), ...to, issues }),
  z.looseObject({ message_type: z.literal("NEXT"), ...to }),
  z.looseObject({ message_type: z.literal("FIX"), ...to, issues }),
  z.looseObject({ message_type: z.literal("BLOCKED"), ...to, reason: z.string().min(1) }),
  z.looseObject({ message_type: z.literal("EXTEND"), ...to, minutes: z.number().positive() }),
  z.looseObject({ message_type: z.literal("END"), ...to, reason: z.string().min(1) }),
]);
export type Answer = z.infer<typeof answerSchema>;
