import type { Answer } from "./answer.ts";
import { PERCENT, type WorkerStatus } from "./progress.ts";

/**
 * What a worker and its owner may say next (agent-runner.md, "Execution Loop"). Both sides of a mailbox run it.
 *
 * States are the worker's statuses. Moves:
 *   initializing -> researching -> planning -PLAN_SUBMISSION-> awaiting_go
 *   awaiting_go  -GO-> implementing | -FEEDBACK-> planning, the third one -> blocked
 *   implementing <-> testing -> reporting -COMPLETION_REPORT-> awaiting_next
 *   awaiting_next -NEXT-> completed | -FIX-> implementing or testing, the third one -> blocked
 *   BLOCKED at a gate, END anywhere -> blocked; EXTEND anywhere moves the time limit and nothing else.
 */
export interface Session {
  readonly status: WorkerStatus;
  readonly percent: number;
  /** submissions so far: the number of the last one */
  readonly seq: number;
  readonly revisions: number;
  readonly fixes: number;
  /** what the owner granted on top of the assignment's time limit */
  readonly extraMinutes: number;
  /** issues of the last FEEDBACK or FIX: the next submission of that kind answers them */
  readonly issues: Extract<Answer, { message_type: "FIX" }>["issues"];
  /** how it ended, short of NEXT; null: it goes on, or is completed. An END by its owner is no block but FAIL */
  readonly ended: { readonly verdict: "BLOCKED" | "FAIL"; readonly reason: string } | null;
}

export interface SessionLimits {
  /** how many FEEDBACKs lead to a revision */
  readonly planRevisions: number;
  readonly fixAttempts: number;
}
export const SESSION_LIMITS: SessionLimits = { planRevisions: 2, fixAttempts: 2 };

/** What an assignment says of it. */
export const sessionLimits = (of: {
  readonly limits?:
    | { readonly plan_revisions?: number | undefined; readonly fix_attempts?: number | undefined }
    | undefined;
}): SessionLimits => ({
  planRevisions: of.limits?.plan_revisions ?? SESSION_LIMITS.planRevisions,
  fixAttempts: of.limits?.fix_attempts ?? SESSION_LIMITS.fixAttempts,
});

export type SessionEvent =
  | { readonly kind: "status"; readonly status: WorkerStatus; readonly percent?: number; readonly reason?: string }
  | { readonly kind: "submitted"; readonly what: "PLAN_SUBMISSION" | "COMPLETION_REPORT"; readonly seq: number }
  | { readonly kind: "answered"; readonly seq: number; readonly answer: Answer };

/** An event that may not be now: what it was, and what may be instead. */
export interface Illegal {
  readonly illegal: string;
  readonly allowed: readonly string[];
}

export const newSession = (): Session => ({
  status: "initializing",
  percent: 0,
  seq: 0,
  revisions: 0,
  fixes: 0,
  extraMinutes: 0,
  issues: [],
  ended: null,
});

/** The steps that a worker may go to by itself; the others are reached by a message. */
const BY_ITSELF: Partial<Record<WorkerStatus, readonly WorkerStatus[]>> = {
  initializing: ["researching"],
  researching: ["planning"],
  planning: [],
  implementing: ["testing"],
  testing: ["implementing", "reporting"],
  reporting: [],
};
const SUBMITS: Partial<Record<WorkerStatus, string>> = {
  planning: "PLAN_SUBMISSION",
  reporting: "COMPLETION_REPORT",
};
const ANSWERS: Partial<Record<WorkerStatus, readonly string[]>> = {
  awaiting_go: ["GO", "FEEDBACK", "BLOCKED"],
  awaiting_next: ["NEXT", "FIX", "BLOCKED"],
};

/** What may be said in this state, by either side: statuses and types of messages. */
export function allowed(session: Session): readonly string[] {
  if (session.ended !== null || session.status === "completed") return [];
  const { status } = session;
  return [
    status,
    ...(BY_ITSELF[status] ?? []),
    ...(SUBMITS[status] ? [SUBMITS[status]] : []),
    ...(ANSWERS[status] ?? []),
  ];
}

/** Where an event leads, or why it may not be. Never throws. */
export function step(session: Session, event: SessionEvent, limits: SessionLimits = SESSION_LIMITS): Session | Illegal {
  if (session.ended !== null || session.status === "completed") return illegal(session, wordOf(event));
  switch (event.kind) {
    case "status":
      return toStatus(session, event);
    case "submitted":
      return submitted(session, event);
    case "answered":
      return answered(session, event, limits);
  }
}

export const isIllegal = (next: Session | Illegal): next is Illegal => "illegal" in next;

function toStatus(
  session: Session,
  { status, percent, reason }: Extract<SessionEvent, { kind: "status" }>,
): Session | Illegal {
  if (status === "blocked")
    return {
      ...session,
      status,
      ended: { verdict: "BLOCKED", reason: reason ?? "the worker says that it is blocked" },
    };
  const stays = status === session.status;
  if (!stays && !(BY_ITSELF[session.status] ?? []).includes(status)) return illegal(session, status);
  const least = stays ? session.percent : PERCENT[status][0];
  const said = Number.isFinite(percent) ? percent! : least;
  return { ...session, status, percent: within(status, Math.max(least, said)) };
}

function submitted(session: Session, { what, seq }: Extract<SessionEvent, { kind: "submitted" }>): Session | Illegal {
  if (SUBMITS[session.status] !== what || seq !== session.seq + 1) return illegal(session, `${what} ${seq}`);
  const status = what === "PLAN_SUBMISSION" ? "awaiting_go" : "awaiting_next";
  return { ...session, status, seq, percent: PERCENT[status][1] };
}

function answered(
  session: Session,
  { seq, answer }: Extract<SessionEvent, { kind: "answered" }>,
  limits: SessionLimits,
): Session | Illegal {
  const kind = answer.message_type;
  if (kind === "EXTEND") return { ...session, extraMinutes: session.extraMinutes + answer.minutes };
  if (kind === "END") return { ...session, status: "blocked", ended: { verdict: "FAIL", reason: answer.reason } };
  if (!ANSWERS[session.status]?.includes(kind) || seq !== session.seq) return illegal(session, `${kind} ${seq}`);
  switch (kind) {
    case "GO":
      return { ...session, status: "implementing", percent: PERCENT.implementing[0], issues: [] };
    case "NEXT":
      return { ...session, status: "completed", percent: 100, issues: [] };
    case "BLOCKED":
      return { ...session, status: "blocked", ended: { verdict: "BLOCKED", reason: answer.reason } };
    case "FEEDBACK":
      return sentBack(session, answer, { counter: "revisions", most: limits.planRevisions, to: "planning" });
    case "FIX": {
      const isTestOnly = answer.issues.every((issue) => issue.about === "test");
      const to = isTestOnly ? "testing" : "implementing";
      return sentBack(session, answer, { counter: "fixes", most: limits.fixAttempts, to });
    }
  }
}

interface Back {
  readonly counter: "revisions" | "fixes";
  readonly most: number;
  readonly to: WorkerStatus;
}

function sentBack(
  session: Session,
  answer: Extract<Answer, { message_type: "FEEDBACK" | "FIX" }>,
  back: Back,
): Session {
  const { issues } = answer;
  if (session[back.counter] >= back.most) {
    const what = back.counter === "revisions" ? "plan revisions" : "fix attempts";
    const first = issues[0]!;
    return {
      ...session,
      issues,
      status: "blocked",
      ended: { verdict: "BLOCKED", reason: `after ${back.most} ${what} the owner still says: ${first.text}` },
    };
  }
  return {
    ...session,
    issues,
    [back.counter]: session[back.counter] + 1,
    status: back.to,
    percent: PERCENT[back.to][0],
  };
}

const within = (status: WorkerStatus, percent: number): number =>
  Math.min(PERCENT[status][1], Math.max(PERCENT[status][0], percent));

const illegal = (session: Session, said: string): Illegal => ({ illegal: said, allowed: allowed(session) });

const wordOf = (event: SessionEvent): string =>
  event.kind === "status" ? event.status : event.kind === "submitted" ? event.what : event.answer.message_type;
