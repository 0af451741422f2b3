import { lstatSync } from "node:fs";
import { join } from "node:path";
import { whyWorktreeStays } from "../../adapters/agents/clean-up.ts";
import type { HostParts } from "../../adapters/agents/parts.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { bytesIn, foldersIn } from "./sizes.ts";

/** What may go: a merged task's worktree, or run folders that nobody needs any more. */
export type Goner =
  | {
      readonly kind: "worktree";
      readonly task: TaskId;
      readonly path: string;
      readonly bytes: number;
      readonly branch: string;
      readonly merged: Commit;
    }
  | { readonly kind: "runs"; readonly task: TaskId; readonly paths: readonly string[]; readonly bytes: number };
/** What stays, and why. */
export interface Keeper {
  readonly kind: "worktree" | "runs";
  readonly task: string;
  readonly path: string;
  readonly why: string;
}
export interface Plan {
  readonly go: readonly Goner[];
  readonly keep: readonly Keeper[];
}

export interface Ground {
  readonly host: HostParts;
  readonly signal: AbortSignal;
  /** what the store has of that task; null: nothing */
  task(id: TaskId): Promise<Task | null>;
  /** run folders in which nothing was written since then may go; ms since 1970 */
  readonly before: number;
}

/** Looks at every worktree and run folder, and says of each whether it may go. Changes nothing. */
export async function planPrune(ground: Ground): Promise<Plan> {
  const { host } = ground;
  const go: Goner[] = [];
  const keep: Keeper[] = [];
  for (const name of foldersIn(host.worktreeRoot)) {
    if (name.startsWith(".")) continue; // clean checkouts of live runs
    const found = await worktree(name, join(host.worktreeRoot, name), ground);
    if ("why" in found) keep.push(found);
    else go.push(found);
  }
  for (const name of foldersIn(join(host.state, "runs"))) {
    const found = await runs(name, join(host.state, "runs", name), ground);
    if (found === null) continue;
    if ("why" in found) keep.push(found);
    else go.push(found);
  }
  return { go, keep };
}

async function worktree(name: string, path: string, ground: Ground): Promise<Goner | Keeper> {
  const keep = (why: string): Keeper => ({ kind: "worktree", task: name, path, why });
  const task = await ground.task(name as TaskId);
  if (task === null) return keep("no task of this store has that name");
  if (!isTerminal(task)) return keep(`the task is ${task.status}`);
  if (task.status === "failed") return keep("the task failed, and its work may be there alone");
  if (task.merged === null) return keep("the task was completed without a merge");
  const { id, merged } = task;
  const { branch } = task.terms;
  const why = await whyWorktreeStays({ id, branch, merged }, { ...ground.host, signal: ground.signal });
  return why === null ? { kind: "worktree", task: id, path, bytes: bytesIn(path), branch, merged } : keep(why);
}

/** Null: there is nothing old, so there is nothing to say. */
async function runs(name: string, path: string, ground: Ground): Promise<Goner | Keeper | null> {
  const old = foldersIn(path)
    .map((run) => join(path, run))
    .filter((run) => newestIn(run) < ground.before);
  if (old.length === 0) return null;
  const keep = (why: string): Keeper => ({ kind: "runs", task: name, path, why });
  const task = await ground.task(name as TaskId);
  if (task === null) return keep("no task of this store has that name");
  if (!isTerminal(task)) return keep(`the task is ${task.status}`);
  if (task.chores.length > 0) return keep("something is still to be done for the task");
  return { kind: "runs", task: task.id, paths: old, bytes: old.reduce((sum, run) => sum + bytesIn(run), 0) };
}

/** When anything in there was written last. */
function newestIn(path: string): number {
  const seen = lstatSync(path, { throwIfNoEntry: false });
  if (!seen?.isDirectory()) return seen?.mtimeMs ?? 0;
  return Math.max(seen.mtimeMs, ...foldersIn(path, () => true).map((name) => newestIn(join(path, name))));
}
