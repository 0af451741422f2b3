import { z } from "zod";
import { type Read, readAs } from "./decision.ts";

/** What a reviewer says of a change, or of a part of it. */
const reviewDecisionSchema = z.looseObject({
  _type: z.literal("REVIEW_DECISION").default("REVIEW_DECISION"),
  /** ids of criteria */
  met: z.array(z.string()),
  findings: z.array(
    z.looseObject({
      ac: z.string().nullish(),
      file: z.string().min(1).nullish(),
      line: z.number().int().positive().nullish(),
      text: z.string().min(1),
    }),
  ),
});
export type ReviewDecision = z.infer<typeof reviewDecisionSchema>;

/** Both lists have to be there: an answer that says neither has judged nothing. */
export const readReviewDecision = (text: string): Read<ReviewDecision> => readAs(text, reviewDecisionSchema);
