import { join } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { Task } from "../../../domain/task.ts";
import { findRunFolder } from "../../../protocol/run-folder.ts";
import { namesIn } from "./run-folders.ts";

/** Throws RUN_UNKNOWN where the store knows of workers of that task, and somebody deleted the folders of their runs. */
export function assertRunsThere({ id, ledger, doing }: Task, state: string): void {
  const folder = join(state, "runs", id);
  const names = namesIn(folder);
  const wasAtWork = ledger.spent.spawns > 0 || ledger.spent.wallMs > 0;
  const isGone = doing.kind === "running" ? findRunFolder(names, doing.leg) === null : wasAtWork && names.length === 0;
  if (!isGone) return;
  throw new PawlError("RUN_UNKNOWN", `what the workers of ${id} wrote is gone: its folder was deleted from ${folder}`, {
    next: `pawl show ${id} (its history is in the store)`,
  });
}
