import { z } from "zod";
import { answerSchema } from "./answer.ts";
import { planSubmissionSchema } from "./plan.ts";
import { completionReportSchema } from "./report.ts";

/** What a worker puts into its outbox: each needs an answer before it goes on. */
export const submissionSchema = z.discriminatedUnion("message_type", [planSubmissionSchema, completionReportSchema]);
export type Submission = z.infer<typeof submissionSchema>;
export type SubmissionKind = Submission["message_type"];

/** Any message of the mailbox, read as what its type says; fields that nobody here knows are kept. */
export const messageSchema = z.union([submissionSchema, answerSchema]);
export type Message = z.infer<typeof messageSchema>;

/** `001-PLAN_SUBMISSION.json`: submissions are numbered from 1 within a run, and an answer has the number of what it answers. */
export const messageName = (seq: number, kind: Message["message_type"]): string =>
  `${String(seq).padStart(3, "0")}-${kind}.json`;

/** Number and type in a message's file name; null: this is no message. */
export function parseMessageName(name: string): { readonly seq: number; readonly kind: string } | null {
  const found = /^(\d{3,6})-([A-Z_]+)\.json$/.exec(name);
  return found ? { seq: Number(found[1]), kind: found[2]! } : null;
}
