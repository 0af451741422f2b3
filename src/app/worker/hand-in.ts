import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createFile, json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import type { Answer } from "../../protocol/answer.ts";
import type { Assignment } from "../../protocol/assignment.ts";
import { foldMailbox, submit } from "../../protocol/fold-mailbox.ts";
import { isIllegal, type Session, sessionLimits } from "../../protocol/machine.ts";
import { type Submission, type SubmissionKind, submissionSchema } from "../../protocol/message.ts";
import { messageName } from "../../protocol/message-name.ts";
import { nextProgress } from "../../protocol/next-progress.ts";
import { progressSchema } from "../../protocol/progress.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import type { WorkerFolder } from "../cli/worker-folder.ts";
import { git } from "../config/repository.ts";
import { answerIn, type Exchanged, mailboxOf } from "./mailbox.ts";

const LOOK_MS = 50;

/** What came of handing something in. */
export interface HandedIn {
  readonly seq: number;
  /** null: nobody has answered in time */
  readonly answer: Answer | null;
  /** the run is over with that answer, and its verdict is written */
  readonly ended: Session["ended"];
}

/**
 * Hands in a plan or a report, durable before its answer is waited for. What was handed in before is not handed in again:
 * in a later leg the same gives its answer. Throws SUBMISSION_INVALID, SUBMISSION_NOT_NOW; then nothing was handed in.
 */
export async function handIn(
  said: object,
  of: {
    readonly kind: SubmissionKind;
    readonly name: string;
    readonly worker: WorkerFolder;
    readonly cwd: string;
    readonly waitMs: number;
  },
): Promise<HandedIn> {
  const { worker } = of;
  const mailbox = mailboxOf(worker.run);
  const session = foldMailbox(mailbox, limitsOf(worker));
  const message = await messageOf(said, of);
  const seq = sent(mailbox, message) ?? send(message, { mailbox, session, worker });
  const answer = await heard(worker.run, seq, of.waitMs);
  return { seq, answer, ended: answer === null ? null : taken(worker) };
}

const limitsOf = ({ run }: WorkerFolder) =>
  sessionLimits(readRecord<Assignment>(join(run, RUN_FILES.assignment)) ?? {});

/** What is said; who and when, and the commit that it is about, are filled in where it leaves them out. */
async function messageOf(
  said: object,
  {
    kind,
    name,
    worker,
    cwd,
  }: { readonly kind: SubmissionKind; readonly name: string; readonly worker: WorkerFolder; readonly cwd: string },
): Promise<Submission> {
  const { agent_id = "" } = readRecord<Assignment>(join(worker.run, RUN_FILES.assignment)) ?? {};
  const head = (await git(cwd, ["rev-parse", "--verify", "--quiet", "HEAD"])).stdout || null;
  const known = { message_type: kind, agent_id, task_id: worker.task, submitted_at: new Date().toISOString(), head };
  const parsed = submissionSchema.safeParse({ ...known, ...said, message_type: kind });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new PawlError("SUBMISSION_INVALID", `${name} is no ${kind}: ${issue?.path.join(".")}: ${issue?.message}`, {
    next: "put it right, and submit it again; nothing was handed in.",
  });
}

/** The number under which it was handed in already; null: it was not. A plan is known by its content, a report by its commit too. */
function sent(mailbox: readonly Exchanged[], message: Submission): number | null {
  const same = mailbox.findLast((one) => one.message !== null && essence(one.message) === essence(message));
  return same?.seq ?? null;
}

const essence = ({ submitted_at: _, ...message }: Submission): string =>
  JSON.stringify(message.message_type === "PLAN_SUBMISSION" ? { ...message, head: null } : message);

function send(
  message: Submission,
  {
    mailbox,
    session,
    worker,
  }: { mailbox: readonly Exchanged[]; session: ReturnType<typeof foldMailbox>; worker: WorkerFolder },
): number {
  const seq = (mailbox.at(-1)?.seq ?? 0) + 1;
  const kind = message.message_type;
  const next = isIllegal(session) ? session : submit(session, { seq, kind });
  if (isIllegal(next))
    throw new PawlError("SUBMISSION_NOT_NOW", `${kind} cannot be handed in now`, {
      next:
        next.allowed.length === 0 ? "the run is over: pawl verdict" : `what may come now: ${next.allowed.join(", ")}.`,
    });
  // of two at once one is first; the other's is not what was asked about
  if (!createFile(join(worker.run, RUN_FILES.outbox, messageName(seq, kind)), json(message)))
    throw new PawlError("SUBMISSION_NOT_NOW", `${kind} ${seq} was handed in by somebody else just now`, {
      next: "submit it again.",
    });
  noteStatus(worker, next);
  return seq;
}

function noteStatus({ run, task }: WorkerFolder, { status, percent }: Session): void {
  const path = join(run, RUN_FILES.progress);
  const before = progressSchema.safeParse(readRecord(path)).data;
  const { agent_id: agent = "" } = readRecord<Assignment>(join(run, RUN_FILES.assignment)) ?? {};
  const now = new Date().toISOString();
  const progress = nextProgress(before, { status, percent, activity: undefined }, { now, task, agent });
  replaceFile(path, json(progress));
  if (before?.status !== status) appendFileSync(join(run, RUN_FILES.progressLog), `${JSON.stringify(progress)}\n`);
}

async function heard(run: string, seq: number, waitMs: number): Promise<Answer | null> {
  const end = performance.now() + waitMs;
  for (;;) {
    const answer = answerIn(run, seq);
    if (answer !== null || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** An answer that came: where the run stands now, and its verdict where that ended it. */
function taken(worker: WorkerFolder): Session["ended"] {
  const session = foldMailbox(mailboxOf(worker.run), limitsOf(worker));
  if (isIllegal(session)) return null;
  noteStatus(worker, session);
  if (session.ended !== null) writeVerdict(worker, session.ended);
  return session.ended;
}

/** The third no, and a BLOCKED, end the run: its worker has nothing to say any more. */
function writeVerdict({ run, leg }: WorkerFolder, { verdict, reason }: NonNullable<Session["ended"]>): void {
  const said = { version: 1, ...(leg ? { leg } : {}), verdict, detail: reason, at: new Date().toISOString() };
  replaceFile(join(run, RUN_FILES.verdict), json(said));
}
