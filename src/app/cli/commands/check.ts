import { join, resolve } from "node:path";
import { json, readRecord, replaceFile } from "../../../adapters/agents/files.ts";
import { PawlError } from "../../../domain/errors.ts";
import type { Check, SpawnOrder } from "../../../ports/runtime.ts";
import type { Assignment } from "../../../protocol/assignment.ts";
import { RUN_FILES, WORKER_ENV } from "../../../protocol/run-folder.ts";
import { type Verdict, verdictSchema } from "../../../protocol/verdict.ts";
import { readPawlFile } from "../../config/read-pawl-file.ts";
import { readConfiguration } from "../../config/reading.ts";
import { git } from "../../config/repository.ts";
import { inWords } from "../../config/task-terms.ts";
import { changeHere } from "../../review/change-here.ts";
import { type Judged, judgeByModel, judgeEvidence } from "../../review/judge-change.ts";
import { latestReport } from "../../review/latest-report.ts";
import { modelsFor } from "../../worker/models.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-code.ts";
import { noteBlameless } from "../note-waiting.ts";
import { findingOf, isGood, type Result, runChecks } from "../run-checks.ts";
import { type WorkerFolder, workerFolder } from "../worker-folder.ts";

interface Job {
  readonly checks: readonly Check[];
  readonly cwd: string;
  /** what the work started from, best name first */
  readonly bases: readonly string[];
  readonly worker: WorkerFolder | null;
  /** the ticket that the work is for; null: nobody says */
  readonly assignment: Assignment | null;
}

/**
 * `pawl check`: runs every check in order, also after one that failed. In a worker it writes verdict.json at its end
 * (PASS, or FAIL with one finding for each check that failed); cancelled, it writes none. Exit 0, or 1 where one failed.
 */
export async function run(ctx: Context, _: readonly string[], { model }: { readonly model?: string }): Promise<number> {
  const worker = workerFolder(ctx.env);
  if (!worker && model !== undefined)
    throw new PawlError("USAGE", "--model is for a worker: only there is a ticket to read the change against", {
      next: "agents: {verifier: {pawl: {model: NAME}}} in pawl.yaml has pawl run do it.",
    });
  const job = worker ? fromOrder(worker, ctx) : await fromPawlYaml(ctx);
  if (job.checks.length === 0 && model === undefined) return withoutChecks(ctx, job);
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, cancel);
  try {
    const results = await runChecks(job, { ...ctx, echo: ctx.pass, signal: stop.signal });
    const judged = stop.signal.aborted ? [] : await judge(ctx, job, { model, signal: stop.signal });
    return stop.signal.aborted ? EXIT.interrupted : tell(ctx, job, { results, judged });
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, cancel);
  }
}

function fromOrder(worker: WorkerFolder, { cwd, env }: Context): Job {
  const order = readRecord<SpawnOrder>(join(worker.run, RUN_FILES.order));
  if (!order?.brief)
    throw new PawlError(
      "RUN_FOLDER",
      `${join(worker.run, RUN_FILES.order)} cannot be read, so it is not known what to check`,
      {
        next: "see that nothing of the worker's writes into its run folder.",
      },
    );
  const base = env[WORKER_ENV.base] ?? order.brief.assignment.base;
  return {
    checks: order.brief.checks,
    cwd,
    bases: [`origin/${base}`, base],
    worker,
    assignment: order.brief.assignment,
  };
}

async function fromPawlYaml(ctx: Context): Promise<Job> {
  const repo = await ctx.repo();
  const { file, root, repository } = await readConfiguration({ repo, overrides: ctx.overrides });
  const broken = root.text.faults.filter(({ at }) => at.file === "pawl.yaml");
  if (broken[0]) throw broken[0];
  const here = await git(resolve(ctx.cwd, ctx.flags.repo ?? ctx.env.PAWL_REPO ?? "."), [
    "rev-parse",
    "--show-toplevel",
  ]);
  const base = file.base ?? repository?.usual;
  return {
    checks: file.checks ?? [],
    cwd: here.stdout || repo,
    bases: base ? [`origin/${base}`, base] : [],
    worker: null,
    assignment: null,
  };
}

/** What can be seen of the change beside the checks: the evidence of its report, and with a model whether it does what is asked. */
async function judge(
  ctx: Context,
  { cwd, bases, worker, assignment }: Job,
  { model, signal }: { readonly model: string | undefined; readonly signal: AbortSignal },
): Promise<readonly Judged[]> {
  const report = worker && latestReport(worker.run);
  if (assignment === null || (model === undefined && !report)) return [];
  const change = await changeHere(cwd, bases);
  if (change === null) throw noBase(bases);
  const evidence = report ? [await judgeEvidence(report, assignment, change)] : [];
  if (model === undefined) return evidence;
  const { file } = readPawlFile(await ctx.repo(), false);
  try {
    const { executor } = modelsFor({ model }, file.models ?? {}, ctx.env);
    return [...evidence, await judgeByModel(executor, assignment, { change, signal })];
  } catch (error) {
    if (worker) noteBlameless(ctx.env, error);
    throw error;
  }
}

const noBase = (bases: readonly string[]): PawlError =>
  new PawlError("BASE_MISSING", `none of ${bases.join(", ")} is known here, so it is not known what was changed`, {
    next: "fetch the base branch into this repository.",
  });

function tell(ctx: Context, job: Job, of: Outcome): number {
  const { results, judged } = of;
  const verdict = verdictOf(job, of);
  if (job.worker) replaceFile(join(job.worker.run, RUN_FILES.verdict), json(verdict));
  if (ctx.flags.json) ctx.json({ ok: verdict.verdict === "PASS", ...verdict, checks: results.map(asJson) });
  else
    for (const line of [...results.map((result) => lineOf(result, ctx)), ...judged.map((one) => judgedLine(one, ctx))])
      ctx.out(line);
  return verdict.verdict === "PASS" ? EXIT.done : EXIT.no;
}

const asJson = ({ check, end }: Result) => ({
  run: check.run,
  ending: end?.ending ?? "skipped",
  code: end?.code ?? null,
  ms: end?.ms ?? 0,
});

function lineOf(result: Result, { colour }: Context): string {
  const { check, end } = result;
  const words = inWords(check.run);
  if (end === null) return `${colour.dim("skip")}  ${words}  none of ${check.when.join(", ")} changed`;
  const time = `${(end.ms / 1_000).toFixed(1)}s`;
  return isGood(result)
    ? `${colour.green("ok")}    ${words}  ${time}`
    : `${colour.red("FAIL")}  ${words}  ${end.why}, ${time}`;
}

const judgedLine = ({ findings, words }: Judged, { colour }: Context): string =>
  `${findings.length === 0 ? colour.green("ok") : colour.red("FAIL")}    `.slice(0, 6) + words;

interface Outcome {
  readonly results: readonly Result[];
  readonly judged: readonly Judged[];
}

function verdictOf(job: Job, { results, judged }: Outcome): Verdict {
  const ran = results.filter(({ end }) => end !== null);
  const bad = results.filter((result) => !isGood(result));
  const skipped = results.length - ran.length;
  const count = `${ran.length - bad.length} of ${ran.length} checks${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const findings = [...bad.map((result) => findingOf(result, job.cwd)), ...judged.flatMap((one) => one.findings)];
  const first = findings[0]?.text.split("\n")[0];
  const words = [count, ...judged.map((one) => one.words)].join("; ");
  const usage = judged.find((one) => one.usage)?.usage;
  const criteria = judged.find((one) => one.criteria)?.criteria;
  return verdictSchema.parse({
    version: 1,
    ...(job.worker?.leg ? { leg: job.worker.leg } : {}),
    verdict: findings.length === 0 ? "PASS" : "FAIL",
    detail: first === undefined ? words : `${count} passed: ${first}`,
    findings,
    complete: true,
    ...(usage ? { usage } : {}),
    ...(criteria ? { criteria } : {}),
    at: new Date().toISOString(),
  });
}

/** Nothing can be proved: in a worker that is for a person to decide, and no task goes round for it. */
function withoutChecks(ctx: Context, { worker }: Job): number {
  const next = "add checks: [npm test] to pawl.yaml (the command that tests yours).";
  if (!worker) throw new PawlError("CHECKS_MISSING", "pawl.yaml has no checks to run", { next });
  const detail = `no checks are configured, so nothing can be proved; ${next}`;
  const verdict = {
    version: 1,
    ...(worker.leg ? { leg: worker.leg } : {}),
    verdict: "BLOCKED",
    detail,
    at: new Date().toISOString(),
  };
  replaceFile(join(worker.run, RUN_FILES.verdict), json(verdictSchema.parse(verdict)));
  if (ctx.flags.json) ctx.json({ ok: false, ...verdict, checks: [] });
  else ctx.say(`verdict BLOCKED: ${detail}`);
  return EXIT.no;
}
