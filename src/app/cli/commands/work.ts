import { mkdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { systemClock } from "../../../adapters/system/clock.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Instant } from "../../../domain/names.ts";
import { type Assignment, assignmentSchema } from "../../../protocol/assignment.ts";
import { missingFields } from "../../../protocol/completeness.ts";
import { RUN_FILES, WORKER_ENV } from "../../../protocol/run-folder.ts";
import type { Chains } from "../../../tactics/chained-owner.ts";
import type { WorkerEnd } from "../../../tactics/worker.ts";
import { usualProtect } from "../../config/assemble.ts";
import type { PawlFile } from "../../config/pawl-file.ts";
import { readPawlFile } from "../../config/read-pawl-file.ts";
import { readRepository } from "../../config/repository.ts";
import { prepareState } from "../../config/state-folder.ts";
import { WAIT_MS, type Waiting } from "../../worker/answer-in-time.ts";
import type { WorkCheckout } from "../../worker/checkout.ts";
import type { WorkerOrder } from "../../worker/compose-worker.ts";
import { issueNamed } from "../../worker/issue-name.ts";
import { mailboxOf } from "../../worker/mailbox.ts";
import { ownerBeyond } from "../../worker/mailbox-owner.ts";
import { modelsFor } from "../../worker/models.ts";
import { isSameTicket, mustBeApart, mustBeSameTicket } from "../../worker/same-ticket.ts";
import type { Tape } from "../../worker/tape.ts";
import { assignmentFor, readTicket } from "../../worker/ticket.ts";
import { workGates } from "../../worker/work-gates.ts";
import { placeOf } from "../../worker/work-place.ts";
import { verdictIn, workRun } from "../../worker/work-runs.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { kindOf, noteBlameless, noteWaiting } from "../note-waiting.ts";
import { onStopOrder } from "../stop-signals.ts";
import { ahead, localOffset } from "../views/times.ts";
import { waitOf } from "../wait-flag.ts";

interface Options {
  readonly model?: string;
  readonly planner?: string;
  readonly executor?: string;
  readonly compaction?: string;
  readonly inPlace?: boolean;
  readonly again?: boolean;
  readonly wait?: string;
  readonly record?: string;
  readonly replay?: string;
}

/**
 * `pawl work TICKET.md`: carries out one ticket. The same command goes on where it was, and says how it ended where it has;
 * in a worker's environment (PAWL_ASSIGNMENT) it carries out that assignment. Exit code: 0 PASS or NO_CHANGE, 1 FAIL or
 * BLOCKED, 4 no key, 5 somebody has to answer or a provider is away.
 */
export async function run(ctx: Context, [ticket]: readonly string[], options: Options): Promise<number> {
  try {
    return await work(ctx, ticket, options);
  } catch (error) {
    if (ticket === undefined) noteBlameless(ctx.env, error);
    throw error;
  }
}

async function work(ctx: Context, ticket: string | undefined, options: Options): Promise<number> {
  // it loads while git is asked
  const worker = import("../../worker/compose-worker.ts");
  worker.catch(() => {});
  const waiting = waitingOf(options);
  const tape = await tapeOf(ctx, options);
  const order = await (ticket === undefined
    ? spawned(ctx, { ...options, waiting })
    : ofTicket(ctx, ticket, { ...options, ...tape, waiting }));
  if ("ended" in order) return tellEnded(ctx, ticket!, order);
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  try {
    const end = await (await worker).runWorker(order, stop.signal);
    if (end.how === "finished") tape.finish();
    return tell(ctx, order, end);
  } finally {
    listening.off();
  }
}

const waitingOf = ({ wait }: Options): Waiting => ({
  clock: systemClock(),
  waitMs: wait === undefined ? WAIT_MS : waitOf(wait),
});

const NO_TAPE: Tape = { way: {}, finish: () => {} };

async function tapeOf({ cwd }: Context, { record, replay }: Options): Promise<Tape> {
  if (record === undefined && replay === undefined) return NO_TAPE;
  const { tapeFor } = await import("../../worker/tape.ts");
  return tapeFor({
    ...(record === undefined ? {} : { record: resolve(cwd, record) }),
    ...(replay === undefined ? {} : { replay: resolve(cwd, replay) }),
  });
}

/** The ticket was carried out already, word for word, and nobody said that it is to be done again. */
interface EndedBefore {
  readonly ended: { readonly verdict: string; readonly detail: string };
  /** the run's folder */
  readonly folder: string;
  readonly task: string;
}

function tellEnded(ctx: Context, ticket: string, { ended: { verdict, detail }, folder, task }: EndedBefore): number {
  const where = relative(ctx.cwd, folder);
  if (ctx.flags.json) ctx.json({ ok: isGood(verdict), task, run: folder, how: "ended before", verdict, detail });
  ctx.say(`${verdict.padEnd(9)} ${detail.split("\n")[0]} · ${where} · ended before, nothing was done now`);
  if (!isGood(verdict)) ctx.say(`next: change the ticket, or pawl work ${ticket} --again: another run on its branch.`);
  return isGood(verdict) ? EXIT.done : EXIT.no;
}

/** A ticket, in a worktree of its own or in the one that is there. */
async function ofTicket(
  ctx: Context,
  ticket: string,
  options: Options & Pick<Tape, "way"> & { readonly waiting: Waiting },
): Promise<WorkerOrder | EndedBefore> {
  const repo = await ctx.repo();
  const { file: pawl, root, errors } = readPawlFile(repo, false);
  const faults = [...errors, ...root.text.faults];
  if (faults.length > 0) throw new PawlError("CONFIG_INVALID", "pawl.yaml has faults", { data: { errors: faults } });
  const models = modelsFor(options, pawl.models ?? {}, ctx.env, options.way);
  const base = pawl.base ?? (await readRepository(repo)).usual ?? "HEAD";
  const state = prepareState(join(repo, ".pawl"));
  const path = await ticketPath(ctx, ticket, { state, pawl });
  const read = readTicket(repo, path, { pawl, base });
  mustBeApart(join(state, "runs"), read.file.id);
  const at = workRun(join(state, "runs"), read.file.id);
  const ended = options.again || at.before === null || !isSameTicket(at.before, path) ? null : verdictIn(at.before);
  if (ended !== null) return { ended, folder: at.before!, task: read.file.id };
  const checkout = await placeOf({
    repo,
    cwd: ctx.cwd,
    isInPlace: options.inPlace ?? false,
    branch: read.branch,
    task: read.file.id,
    base,
    at,
  });
  mkdirSync(at.folder, { recursive: true });
  mustBeSameTicket(at.folder, path);
  const assignment = assignmentFor(read, { run: `${read.file.id}/${at.visit}/1`, worktree: checkout.folder, base });
  const gates = workGates(pawl, {
    runDir: at.folder,
    waiting: options.waiting,
    modelOf: (model) => modelsFor({ model }, pawl.models ?? {}, ctx.env, options.way).executor,
  });
  introduce(ctx, { assignment, checkout, repo, isNew: at.isNew, ...gates });
  return {
    ...orderOf(ctx, { assignment, checkout, models, repo, pawl }),
    ...gates,
    runDir: at.folder,
    logsDir: join(state, "runs"),
  };
}

/** A file as it is named here, or the file that an issue is brought into. */
async function ticketPath(
  { cwd, env }: Context,
  ticket: string,
  { state, pawl }: { readonly state: string; readonly pawl: Partial<PawlFile> },
): Promise<string> {
  const issue = issueNamed(ticket);
  if (issue === null) return resolve(cwd, ticket);
  const isUnderWay = (task: string) => !workRun(join(state, "runs"), task).isNew;
  const stop = new AbortController();
  const listening = onStopOrder(() => stop.abort());
  const { issueTicket } = await import("../../worker/issue-ticket.ts");
  return issueTicket(issue, { state, pawl, env, isUnderWay, signal: stop.signal }).finally(() => listening.off());
}

/** As the worker of a processor: its folders and its branch are made already, and somebody else publishes. */
async function spawned(ctx: Context, options: Options & { readonly waiting: Waiting }): Promise<WorkerOrder> {
  const [file, runDir] = [ctx.env[WORKER_ENV.assignment], ctx.env[WORKER_ENV.runDir]];
  if (!file || !runDir)
    throw new PawlError("USAGE", "pawl work needs a ticket", { next: "pawl work TICKET.md --model PROVIDER/MODEL" });
  const assignment = assignmentIn(file);
  const repo = await ctx.repo();
  const { file: pawl } = readPawlFile(repo, false);
  const { git } = await import("../../config/repository.ts");
  const fork = await git(ctx.cwd, ["merge-base", "HEAD", ctx.env[WORKER_ENV.base] ?? assignment.base]);
  const checkout = { folder: ctx.cwd, branch: assignment.branch, base: fork.stdout, remote: null };
  const order = orderOf(ctx, {
    assignment,
    checkout,
    models: modelsFor(options, pawl.models ?? {}, ctx.env),
    repo,
    pawl,
  });
  const owner = ownerBeyond(runDir, options.waiting);
  return { ...order, tree: "run", owner, runDir, logsDir: join(runDir, "..", "..") };
}

function assignmentIn(file: string): Assignment {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  const missing = missingFields(value);
  if (missing.length > 0)
    throw new PawlError("ASSIGNMENT_INCOMPLETE", `${file} lacks ${missing.join(", ")}`, {
      next: "give each of them in the task file; nothing was started.",
      data: { missing },
    });
  return assignmentSchema.parse(value);
}

interface Parts {
  readonly assignment: Assignment;
  readonly checkout: WorkCheckout;
  readonly models: WorkerOrder["models"];
  readonly repo: string;
  readonly pawl: Partial<PawlFile>;
}

const orderOf = (
  ctx: Context,
  { assignment, checkout, models, repo, pawl }: Parts,
): Omit<WorkerOrder, "runDir" | "logsDir"> => ({
  assignment,
  worktree: checkout.folder,
  baseCommit: checkout.base,
  main: repo,
  remote: checkout.remote,
  leg: ctx.env[WORKER_ENV.leg] ?? assignment.leg,
  models,
  env: ctx.env,
  materials: [repo],
  tree: "branch",
  protect: usualProtect(pawl),
  ...(pawl.patterns === undefined ? {} : { patterns: join(repo, pawl.patterns) }),
  ...(pawl.skills === undefined ? {} : { skills: pawl.skills }),
  ...(pawl.research === undefined ? {} : { research: pawl.research }),
  ...(pawl.mcp_servers === undefined ? {} : { mcpServers: pawl.mcp_servers }),
  say: (line) => ctx.say(line),
});

function introduce(
  ctx: Context,
  {
    assignment,
    checkout,
    repo,
    isNew,
    chains: { go, next },
  }: { assignment: Assignment; checkout: WorkCheckout; repo: string; isNew: boolean; chains: Chains },
): void {
  const where = relative(repo, checkout.folder) || ".";
  ctx.say(
    `${assignment.task_id.padEnd(9)} ${assignment.title}   scope ${assignment.authorized_files.join(" ")}   gates ${go.join("+")}, ${next.join("+")}`,
  );
  ctx.say(
    isNew
      ? `begins    in ${where} on ${checkout.branch}, from ${assignment.base} ${checkout.base.slice(0, 7)}`
      : `resumed   in ${where} on ${checkout.branch}`,
  );
  const filled = (assignment.filled ?? []).filter((field) => field !== "title");
  if (filled.length > 0) ctx.say(`filled    ${filled.join(", ")}: the ticket's front matter does not say them`);
}

function tell(ctx: Context, { runDir, assignment }: WorkerOrder, end: WorkerEnd): number {
  const context = relative(ctx.cwd, runDir);
  if (ctx.flags.json)
    ctx.json({ ok: end.how === "finished" && isGood(end.verdict), task: assignment.task_id, run: runDir, ...end });
  switch (end.how) {
    case "finished":
      ctx.say(`${end.verdict.padEnd(9)} ${end.detail.split("\n")[0]} · ${context}`);
      return isGood(end.verdict) ? EXIT.done : EXIT.no;
    case "parked":
      ctx.say(
        `waits     for the owner's answer to ${RUN_FILES.outbox}/${String(end.seq).padStart(3, "0")} · ${context}`,
      );
      if (ctx.env[WORKER_ENV.runDir] === undefined) ctx.say(`next: ${adviceFor(assignment, runDir)}`);
      return EXIT.waits;
    case "waiting":
      noteWaiting(ctx.env, { for: kindOf(end.code, end.why), until: end.until, why: end.why });
      ctx.say(
        `waits     ${end.why}${end.until === null ? "" : `; until ${ahead(end.until, hereAndNow())}`}; the same command goes on`,
      );
      return EXIT.waits;
    case "stopped":
      ctx.say(`stopped   all is saved; the same command goes on · ${context}`);
      return EXIT.interrupted;
  }
}

const hereAndNow = () => ({ now: Date.now() as Instant, offset: localOffset });

/** What a person types who is the owner, and then the same command again. */
function adviceFor({ task_id: id }: Assignment, runDir: string): string {
  const isPlan = mailboxOf(runDir).at(-1)?.kind === "PLAN_SUBMISSION";
  const [yes, no, file] = isPlan ? ["go", "feedback", "plan.md"] : ["next", "fix", "report.md"];
  return `read ${file} there; pawl ${yes} ${id} | pawl ${no} ${id} -m "…" | pawl block ${id} -m "…"; then the same command.`;
}

const isGood = (verdict: string): boolean => verdict === "PASS" || verdict === "NO_CHANGE";
