import { join } from "node:path";
import picomatch from "picomatch";
import { readRecord } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import type { SpawnOrder } from "../../ports/runtime.ts";
import { RUN_FILES, WORKER_ENV } from "../../protocol/run-folder.ts";
import { authorized } from "../../tactics/authorized.ts";
import type { Scope } from "../../workspace/edit/locate.ts";

/** What the worker of a leg is to do, and where. */
export interface AcpTask {
  readonly order: SpawnOrder;
  /** absolute: the run's folder, and the worktree */
  readonly run: string;
  readonly worktree: string;
  readonly leg: string;
  readonly id: string;
  /** the base as git names it there, best name first */
  readonly bases: readonly string[];
  /** it works in a checkout that is thrown away: it judges, and changes nothing */
  readonly isJudge: boolean;
}

/** From the environment that a driver gives. Throws NOT_IN_WORKER, RUN_FOLDER. */
export function taskOf(env: NodeJS.ProcessEnv): AcpTask {
  const run = env[WORKER_ENV.runDir];
  const worktree = env[WORKER_ENV.worktree];
  if (!run || !worktree)
    throw new PawlError("NOT_IN_WORKER", "pawl acp-worker drives an agent for pawl run, which gives it a run folder", {
      next: "agents: {implementer: {acp: gemini --acp}} in pawl.yaml, and pawl run.",
    });
  const order = readRecord<SpawnOrder>(join(run, RUN_FILES.order));
  if (!order?.brief)
    throw new PawlError("RUN_FOLDER", `${join(run, RUN_FILES.order)} cannot be read, so it is not known what to do`, {
      next: "see that nothing of the worker's writes into its run folder.",
    });
  const base = env[WORKER_ENV.base] ?? order.brief.assignment.base;
  return {
    order,
    run,
    worktree,
    leg: env[WORKER_ENV.leg] ?? order.wish.leg,
    id: order.brief.assignment.task_id,
    bases: [`origin/${base}`, base],
    isJudge: order.wish.place.kind === "clean",
  };
}

/** What an agent may write through us: what the assignment authorizes, less what nobody may change. */
export function scopeOf({ order: { brief } }: Pick<AcpTask, "order">): Scope {
  const may = authorized(brief.assignment);
  const isProtected = picomatch([...brief.protect], { dot: true, flags: "s" });
  return (path) => {
    if (isProtected(path)) return `${path} is protected`;
    return may(path) ? null : `this task may change ${brief.assignment.authorized_files.join(" ")}`;
  };
}
