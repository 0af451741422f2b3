import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { json, readRecord, replaceFile } from "../../../adapters/agents/files.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Assignment } from "../../../protocol/assignment.ts";
import { nextProgress, type SaidOfProgress } from "../../../protocol/next-progress.ts";
import { PERCENT, type Progress, progressSchema, type WorkerStatus } from "../../../protocol/progress.ts";
import { RUN_FILES } from "../../../protocol/run-folder.ts";
import { nearest } from "../../config/nearest.ts";
import type { Context } from "../context.ts";
import { mustBeWorker } from "../worker-folder.ts";

type Options = {
  readonly status?: string;
  readonly percent?: string;
  readonly activity?: string;
  readonly cost?: string;
  readonly tokens?: string;
};

/** `pawl progress`: what a worker says of itself. What is left out stays as it was said before. */
export async function run(ctx: Context, _args: readonly string[], options: Options): Promise<number> {
  if (Object.keys(options).length === 0)
    throw new PawlError("USAGE", "pawl progress needs something to say", {
      next: 'pawl progress --status implementing --percent 50 --activity "filter by colour"',
    });
  const usage = usageOf(options);
  const status = options.status === undefined ? undefined : statusOf(options.status);
  const percent = options.percent === undefined ? undefined : numberOf("--percent", options.percent);
  const { run: folder, task } = mustBeWorker("progress", ctx.env);
  if (usage)
    replaceFile(join(folder, RUN_FILES.usage), json({ ...readRecord(join(folder, RUN_FILES.usage)), ...usage }));
  if (status === undefined && percent === undefined && options.activity === undefined) {
    if (ctx.flags.json) ctx.json({ ok: true, ...usage });
    return 0;
  }
  const progress = noteProgress({ run: folder, task }, { status, percent, activity: options.activity });
  if (progress.warning) ctx.say(`note: ${progress.warning}`);
  if (ctx.flags.json) ctx.json({ ok: true, ...progress });
  return 0;
}

/** Keeps what a worker says of itself. */
export function noteProgress(
  { run, task }: { readonly run: string; readonly task: string },
  said: SaidOfProgress,
): Progress {
  const before = progressSchema.safeParse(readRecord(join(run, RUN_FILES.progress))).data;
  const of = { now: new Date().toISOString(), task, agent: agentOf(run) };
  const progress = nextProgress(before, { ...said, activity: said.activity?.trim() }, of);
  replaceFile(join(run, RUN_FILES.progress), json(progress));
  appendFileSync(join(run, RUN_FILES.progressLog), `${JSON.stringify(progress)}\n`);
  return progress;
}

const agentOf = (folder: string): string => {
  const id = readRecord<Partial<Assignment>>(join(folder, RUN_FILES.assignment))?.agent_id;
  return typeof id === "string" ? id : "";
};

function statusOf(word: string): WorkerStatus {
  const known = word.toLowerCase().replaceAll("-", "_");
  if (Object.hasOwn(PERCENT, known)) return known as WorkerStatus;
  const words = Object.keys(PERCENT);
  const meant = nearest(known, words);
  throw new PawlError("USAGE", `"${word}" is no status of a worker`, {
    next: meant === null ? `write one of ${words.join(", ")}.` : `write "${meant}" (known: ${words.join(", ")}).`,
  });
}

function numberOf(flag: string, text: string): number {
  const value = Number(text.replace(/%$/, "").trim());
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw new PawlError("USAGE", `${flag} has to be a number that is not negative, and is "${text}"`, {
    next: `pawl progress ${flag} 50`,
  });
}

function usageOf({ cost, tokens }: Options): Record<string, number> | null {
  const usage = {
    ...(cost === undefined ? {} : { cost_usd: numberOf("--cost", cost) }),
    ...(tokens === undefined ? {} : { tokens: Math.round(numberOf("--tokens", tokens)) }),
  };
  return Object.keys(usage).length === 0 ? null : usage;
}
