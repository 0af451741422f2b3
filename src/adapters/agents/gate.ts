import { join } from "node:path";
import type { Seen } from "../../ports/runtime.ts";
import { answerTo, openSubmission, type Submitted, submissionsIn } from "../../protocol/mailbox.ts";
import { submissionSchema } from "../../protocol/message.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import { readBounded } from "./files.ts";
import { type Claim, fileMark, type LegPlace, readEnded, writtenBy } from "./leg.ts";
import { inboxOf, outboxOf } from "./submitted.ts";
import { readVerdict } from "./verdict-file.ts";

type AtGate = Extract<Seen, { kind: "gate" }>;

const MAX_BYTES = 1024 * 1024;
/** What a worker ends with that waits for an answer. */
const WAITS = 5;

/** A living leg that waits for an answer; null: it does not. */
export function aliveAtGate(at: LegPlace, claim: Claim): AtGate | null {
  const open = openSubmission(outboxOf(at), inboxOf(at));
  return open === null || writtenBy(at, claim, "verdict") !== null ? null : gateOf(at, open, true);
}

/**
 * A leg that ended and whose run has not (architecture 5.3): it left no verdict, and its question is open; or it was
 * answered just when it went (it ended with 5 or by a signal), and has not said anything since. Null: it is over.
 */
export function parkedAtGate(at: LegPlace, claim: Claim): AtGate | null {
  if (readVerdict(writtenBy(at, claim, "verdict"), at.leg).kind === "verdict") return null;
  if (fileMark(join(at.folder, LEG_FILES.waiting)) !== null) return null;
  const last = submissionsIn(outboxOf(at)).at(-1);
  if (last === undefined) return null;
  const isOpen = answerTo(inboxOf(at), last.seq) === null;
  return isOpen || (last.seq > (claim.before.submitted ?? 0) && wentWaiting(at)) ? gateOf(at, last, false) : null;
}

function wentWaiting(at: LegPlace): boolean {
  const ended = readEnded(at);
  if (ended === null) return true;
  return ended.ending === "exit" && (ended.exit_code === WAITS || ended.signal !== null);
}

/** A message that is none is no submission: its worker waits in vain, and its end is read as any other. */
function gateOf(at: LegPlace, { seq, kind, name }: Submitted, alive: boolean): AtGate | null {
  const reading = readBounded(join(at.run, RUN_FILES.outbox, name), MAX_BYTES);
  if (reading.kind !== "text") return null;
  const message = messageIn(reading.text);
  if (message === null || message.message_type !== kind) return null;
  const gate = kind === "PLAN_SUBMISSION" ? "GO" : "NEXT";
  return { kind: "gate", gate, seq, head: message.head as AtGate["head"], alive, message: reading.text };
}

function messageIn(text: string) {
  try {
    return submissionSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
