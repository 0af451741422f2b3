import { readFileSync } from "node:fs";
import { join } from "node:path";
import { json, replaceFile } from "../../../adapters/agents/files.ts";
import { SCREEN_FOLDER } from "../../../adapters/agents/screen-work.ts";
import type { DeviceRunEnd } from "../../../device/run-on-device.ts";
import { PawlError } from "../../../domain/errors.ts";
import { RUN_FILES, WORKER_ENV } from "../../../protocol/run-folder.ts";
import { verdictSchema } from "../../../protocol/verdict.ts";
import type { Context } from "../context.ts";
import { workerFolder } from "../worker-folder.ts";

/** A run on a screen as the worker of a processor: what is to be done, and where it lies. */
export interface DeviceWork {
  readonly goal: string;
  readonly taskId: string;
  /** the run's folder; the trajectory lies in it */
  readonly folder: string;
  readonly leg: string | undefined;
  /** the run folder of the task */
  readonly run: string;
}

/** The task that this process was spawned for; null: nobody spawned it. A device task needs an id, criteria and a title. */
export function deviceWork(ctx: Context): DeviceWork | null {
  const at = workerFolder(ctx.env);
  const file = ctx.env[WORKER_ENV.assignment];
  if (at === null || !file) return null;
  const read = JSON.parse(readFileSync(file, "utf8")) as Partial<Given>;
  const missing = ["task_id", "title", "acceptance_criteria"].filter((key) => read[key as keyof Given] === undefined);
  if (missing.length > 0)
    throw new PawlError("ASSIGNMENT_INCOMPLETE", `the assignment lacks ${missing.join(", ")}`, {
      next: "give each of them in the task file; nothing was started.",
      data: { missing },
    });
  const given = read as Given;
  return { goal: goalOf(given), taskId: given.task_id, folder: join(at.run, SCREEN_FOLDER), leg: at.leg, run: at.run };
}

interface Given {
  readonly task_id: string;
  readonly title: string;
  readonly body?: string;
  readonly acceptance_criteria: readonly { readonly id: string; readonly text: string }[];
  readonly findings?: readonly { readonly text: string }[];
}

function goalOf({ title, body = "", acceptance_criteria: criteria, findings = [] }: Given): string {
  const list = (items: readonly { readonly text: string }[]) => items.map(({ text }) => `- ${text}`).join("\n");
  const found = findings.length === 0 ? "" : `What was wrong the last time:\n${list(findings)}`;
  return [title, body.trim(), `It is done when:\n${list(criteria)}`, found].filter((part) => part !== "").join("\n\n");
}

/**
 * Says how it ended, in verdict.json. FINISH is PASS, with the agent's reason; the trajectory beside it shows what was done.
 * Anything else is FAIL, with what stopped it as a finding.
 */
export function writeVerdict(ctx: Context, { leg }: DeviceWork, end: DeviceRunEnd): void {
  const run = workerFolder(ctx.env)!.run;
  const isDone = end.status === "success";
  const said = {
    version: 1,
    ...(leg ? { leg } : {}),
    verdict: isDone ? "PASS" : "FAIL",
    detail: `${isDone ? "done on the screen" : end.status}: ${end.reason} (${end.steps} steps)`,
    findings: isDone ? [] : [{ key: `device-${end.status}`, text: end.reason }],
    complete: true,
    usage: { tokens: end.tokens, ...(end.microUsd === null ? {} : { cost_usd: end.microUsd / 1e6 }) },
    at: new Date().toISOString(),
  };
  replaceFile(join(run, RUN_FILES.verdict), json(verdictSchema.parse(said)));
}
