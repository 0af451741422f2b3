import { statSync } from "node:fs";
import { PawlError } from "../../domain/errors.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";

/** Where a worker's files lie, and which leg it is. */
export interface WorkerFolder {
  readonly run: string;
  readonly leg: string | undefined;
  readonly task: string;
}

/** The run folder of the worker that calls; null: nobody started this as a worker. Throws RUN_FOLDER where the folder is gone. */
export function workerFolder(env: Readonly<Record<string, string | undefined>>): WorkerFolder | null {
  const run = env[WORKER_ENV.runDir];
  if (!run) return null;
  if (!statSync(run, { throwIfNoEntry: false })?.isDirectory())
    throw new PawlError("RUN_FOLDER", `the run folder ${run} of this worker is not there`, {
      next: "see that nothing of the worker's deletes .pawl/runs; or unset PAWL_RUN_DIR.",
    });
  return { run, leg: env[WORKER_ENV.leg], task: env[WORKER_ENV.task] ?? "" };
}

/** The same, where there has to be one. Throws NOT_IN_WORKER. */
export function mustBeWorker(command: string, env: Readonly<Record<string, string | undefined>>): WorkerFolder {
  const folder = workerFolder(env);
  if (folder) return folder;
  throw new PawlError(
    "NOT_IN_WORKER",
    `pawl ${command} is for workers: it writes into the run folder that pawl run gives them (PAWL_RUN_DIR)`,
    {
      next: "call it from a program that pawl run starts; pawl status shows where tasks are.",
    },
  );
}
