import type { Answer } from "./answer.ts";
import { type Illegal, isIllegal, newSession, type Session, type SessionLimits, step } from "./machine.ts";
import type { SubmissionKind } from "./message.ts";
import type { WorkerStatus } from "./progress.ts";

/** A submission of a run, and what was said to it so far; null: nothing. */
export interface Exchange {
  readonly seq: number;
  readonly kind: SubmissionKind;
  readonly answer: Answer | null;
}

/** What a worker goes through to the next submission of a kind, where nobody notes its steps. */
const WAY: Readonly<Record<SubmissionKind, readonly WorkerStatus[]>> = {
  PLAN_SUBMISSION: ["researching", "planning"],
  COMPLETION_REPORT: ["testing", "reporting"],
};

/** Where a run stands by its mailbox alone (a worker that is a script keeps nothing else), or what in it may not be. */
export function foldMailbox(exchanges: readonly Exchange[], limits?: SessionLimits): Session | Illegal {
  let session: Session | Illegal = newSession();
  for (const { seq, kind, answer } of exchanges) {
    session = submit(session, { seq, kind }, limits);
    if (isIllegal(session)) return session;
    if (answer !== null) session = step(session, { kind: "answered", seq, answer }, limits);
    if (isIllegal(session)) return session;
  }
  return session;
}

/** The session after one more submission, or what may be said instead. */
export function submit(
  from: Session,
  { seq, kind }: { readonly seq: number; readonly kind: SubmissionKind },
  limits?: SessionLimits,
): Session | Illegal {
  let session: Session = from;
  for (const status of WAY[kind]) {
    const next = step(session, { kind: "status", status }, limits);
    if (!isIllegal(next)) session = next;
  }
  return step(session, { kind: "submitted", what: kind, seq }, limits);
}
