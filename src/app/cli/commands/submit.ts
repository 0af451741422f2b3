import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Answer } from "../../../protocol/answer.ts";
import type { SubmissionKind } from "../../../protocol/message.ts";
import { type HandedIn, handIn } from "../../worker/hand-in.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { waitOf } from "../wait-flag.ts";
import { mustBeWorker } from "../worker-folder.ts";

interface Options {
  readonly wait?: string;
}

const KINDS = { plan: "PLAN_SUBMISSION", report: "COMPLETION_REPORT" } as const;
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
  const said = await jsonIn(ctx, file);
  const { seq, answer, ended } = await handIn(said, { kind, name: file, worker, cwd: ctx.cwd, waitMs });
  return answer === null ? parked(ctx, seq) : told(ctx, answer, ended);
}

function kindOf(what: string): SubmissionKind {
  if (Object.hasOwn(KINDS, what)) return KINDS[what as keyof typeof KINDS];
  throw new PawlError("USAGE", `"${what}" cannot be submitted`, {
    next: "pawl submit plan FILE  |  pawl submit report FILE",
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

function parked(ctx: Context, seq: number): number {
  if (ctx.flags.json) ctx.json({ ok: true, seq, answer: null });
  else ctx.say(`${String(seq).padStart(3, "0")} waits for its owner; end with exit code 5, and a later leg goes on`);
  return EXIT.waits;
}

function told(ctx: Context, answer: Answer, ended: HandedIn["ended"]): number {
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

export const linesOf = (answer: Answer): readonly string[] =>
  answer.message_type === "FEEDBACK" || answer.message_type === "FIX"
    ? answer.issues.map(
        ({ id, text, file, line }) => `${id}: ${file === undefined ? "" : `${file}${line ? `:${line}` : ""}: `}${text}`,
      )
    : answer.reason === undefined
      ? []
      : [answer.reason];
