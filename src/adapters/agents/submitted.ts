import { join } from "node:path";
import { openSubmission, submissionsIn } from "../../protocol/mailbox.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { type LegPlace, names } from "./leg.ts";

// Told by the names of messages alone: a driver asks this, and needs nothing of what reads messages.

export const outboxOf = (at: LegPlace): readonly string[] => names(join(at.run, RUN_FILES.outbox));
export const inboxOf = (at: LegPlace): readonly string[] => names(join(at.run, RUN_FILES.inbox));

/** How many submissions a run has made so far. */
export const submittedSoFar = (at: LegPlace): number => submissionsIn(outboxOf(at)).at(-1)?.seq ?? 0;

/** Whether a submission of this run waits for an answer. */
export const isAtGate = (at: LegPlace): boolean => openSubmission(outboxOf(at), inboxOf(at)) !== null;
