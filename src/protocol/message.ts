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
