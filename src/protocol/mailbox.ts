import type { SubmissionKind } from "./message.ts";
import { parseMessageName } from "./message-name.ts";

/** A submission as its file's name says: its number, what it is, and the name. */
export interface Submitted {
  readonly seq: number;
  readonly kind: SubmissionKind;
  readonly name: string;
}

const ANSWERS: ReadonlySet<string> = new Set(["GO", "FEEDBACK", "NEXT", "FIX", "BLOCKED"]);
const SUBMISSIONS: ReadonlySet<string> = new Set<SubmissionKind>(["PLAN_SUBMISSION", "COMPLETION_REPORT"]);

/** Submissions by the names in an outbox, by their numbers. */
export const submissionsIn = (outbox: readonly string[]): readonly Submitted[] =>
  outbox
    .flatMap((name) => {
      const said = parseMessageName(name);
      return said && SUBMISSIONS.has(said.kind) ? [{ seq: said.seq, kind: said.kind as SubmissionKind, name }] : [];
    })
    .sort((a, b) => a.seq - b.seq);

/** Name of the message in an inbox that answers the submission of that number; null: none has come. */
export const answerTo = (inbox: readonly string[], seq: number): string | null =>
  inbox.find((name) => {
    const said = parseMessageName(name);
    return said !== null && said.seq === seq && ANSWERS.has(said.kind);
  }) ?? null;

/** The last submission where nobody has answered it; null: none is open. */
export function openSubmission(outbox: readonly string[], inbox: readonly string[]): Submitted | null {
  const last = submissionsIn(outbox).at(-1);
  return last && answerTo(inbox, last.seq) === null ? last : null;
}
