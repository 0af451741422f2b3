import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createFile, json, readRecord, replaceFile } from "../../../adapters/agents/files.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Answer } from "../../../protocol/answer.ts";
import type { Assignment } from "../../../protocol/assignment.ts";
import { foldMailbox, submit } from "../../../protocol/fold-mailbox.ts";
import { isIllegal, type Session } from "../../../protocol/machine.ts";
import { type Submission, type SubmissionKind, submissionSchema } from "../../../protocol/message.ts";
import { messageName } from "../../../protocol/message-name.ts";
import { progressSchema } from "../../../protocol/progress.ts";
import { RUN_FILES } from "../../../protocol/run-folder.ts";
import { git } from "../../config/repository.ts";
import { durationOf } from "../../config/units.ts";
import { answerIn, type Exchanged, mailboxOf } from "../../worker/mailbox.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { mustBeWorker, type WorkerFolder } from "../worker-folder.ts";
import { after } from "./progress.ts";

interface Options {
  readonly wait?: string;
}

const KINDS = { plan: "PLAN_SUBMISSION", report: "COMPLETION_REPORT" } as const;
const LOOK_MS = 50;
const WAIT_MS = 10_000;

/**
 * `pawl submit plan|report FILE`: hands in a message, durable when this goes on, and prints the owner's answer. What was
 * handed in before is not handed in again: the same command in a later leg prints its answer. Exit code: 0 GO or NEXT; 1
 * FEEDBACK, FIX or BLOCKED (then the verdict is written too); 5 nobody has answered: end with it, and a later leg goes on.
 */
export async function run(ctx: Context, [what = "", file = ""]: readonly string[], options: Options): Promise<number> {
  const kind = kindOf(what);
  const waitMs = options.wait === undefined ? WAIT_MS : waitOf(options.wait);
  const worker = mustBeWorker("submit", ctx.env);
  const mailbox = mailboxOf(worker.run);
  const session = foldMailbox(mailbox);
  const message = await messageOf(ctx, file, { kind, worker });
  const seq = sent(mailbox, message) ?? send(message, { mailbox, session, worker });
  const answer = await heard(worker.run, seq, waitMs);
  if (answer === null) return parked(ctx, seq);
  return told(ctx, answer, worker);
}

function kindOf(what: string): SubmissionKind {
  if (Object.hasOwn(KINDS, what)) return KINDS[what as keyof typeof KINDS];
  throw new PawlError("USAGE", `"${what}" cannot be submitted`, {
    next: "pawl submit plan FILE  |  pawl submit report FILE",
  });
}

function waitOf(wait: string): number {
  const ms = /^0[smhd]?$/.test(wait) ? 0 : durationOf(wait);
  if (ms !== null) return ms;
  throw new PawlError("USAGE", `--wait cannot be "${wait}"`, { next: "write it like --wait 30s" });
}

/** What the file says; who and when, and the commit that it is about, are filled in where it leaves them out. */
async function messageOf(
  ctx: Context,
  file: string,
  { kind, worker }: { kind: SubmissionKind; worker: WorkerFolder },
): Promise<Submission> {
  const { agent_id = "" } = readRecord<Assignment>(join(worker.run, RUN_FILES.assignment)) ?? {};
  const head = (await git(ctx.cwd, ["rev-parse", "--verify", "--quiet", "HEAD"])).stdout || null;
  const known = { message_type: kind, agent_id, task_id: worker.task, submitted_at: new Date().toISOString(), head };
  const parsed = submissionSchema.safeParse({ ...known, ...(await jsonIn(ctx, file)), message_type: kind });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new PawlError("SUBMISSION_INVALID", `${file} is no ${kind}: ${issue?.path.join(".")}: ${issue?.message}`, {
    next: "put it right, and submit it again; nothing was handed in.",
  });
}

async function jsonIn(ctx: Context, file: string): Promise<object> {
  const invalid = (why: string) =>
    new PawlError("SUBMISSION_INVALID", `${file} cannot be read: ${why}`, { next: "nothing was handed in." });
  try {
    const text =
      file === "-"
        ? Buffer.from((await ctx.input()) ?? []).toString("utf8")
        : readFileSync(resolve(ctx.cwd, file), "utf8");
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
  throw invalid("it is no JSON object");
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
  replaceFile(path, json(after(before, { status, percent, activity: undefined }, { now, task, agent })));
}

async function heard(run: string, seq: number, waitMs: number): Promise<Answer | null> {
  const end = performance.now() + waitMs;
  for (;;) {
    const answer = answerIn(run, seq);
    if (answer !== null || performance.now() > end) return answer;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function parked(ctx: Context, seq: number): number {
  if (ctx.flags.json) ctx.json({ ok: true, seq, answer: null });
  else ctx.say(`${String(seq).padStart(3, "0")} waits for its owner; end with exit code 5, and a later leg goes on`);
  return EXIT.waits;
}

function told(ctx: Context, answer: Answer, worker: WorkerFolder): number {
  const session = foldMailbox(mailboxOf(worker.run));
  const ended = isIllegal(session) ? null : session.ended;
  if (!isIllegal(session)) noteStatus(worker, session);
  if (ended !== null) writeVerdict(worker, ended);
  if (ctx.flags.json) ctx.json({ ok: true, answer, ended });
  else
    ctx.out(
      [
        answer.message_type,
        ...linesOf(answer),
        ...(ended === null ? [] : [`verdict ${ended.verdict}: ${ended.reason}`]),
      ].join("\n"),
    );
  return answer.message_type === "GO" || answer.message_type === "NEXT" ? EXIT.done : EXIT.no;
}

const linesOf = (answer: Answer): readonly string[] =>
  answer.message_type === "FEEDBACK" || answer.message_type === "FIX"
    ? answer.issues.map(
        ({ id, text, file, line }) => `${id}: ${file === undefined ? "" : `${file}${line ? `:${line}` : ""}: `}${text}`,
      )
    : answer.reason === undefined
      ? []
      : [answer.reason];

/** The third no, and a BLOCKED, end the run: its worker has nothing to say any more. */
function writeVerdict({ run, leg }: WorkerFolder, { verdict, reason }: NonNullable<Session["ended"]>): void {
  const said = { version: 1, ...(leg ? { leg } : {}), verdict, detail: reason, at: new Date().toISOString() };
  replaceFile(join(run, RUN_FILES.verdict), json(said));
}
