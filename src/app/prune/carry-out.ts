import { rmSync } from "node:fs";
import { cleanUpTask } from "../../adapters/agents/clean-up.ts";
import type { Goner, Ground, Keeper } from "./plan.ts";

/** What went, and what stays after all, because it changed since it was looked at. */
export interface Pruned {
  readonly gone: readonly Goner[];
  readonly kept: readonly Keeper[];
}

/** Takes away what may go. Each worktree is looked at again, by what cleans up after a merge: what changed meanwhile stays. */
export async function carryOut(
  go: readonly Goner[],
  { host, signal }: Pick<Ground, "host" | "signal">,
): Promise<Pruned> {
  const gone: Goner[] = [];
  const kept: Keeper[] = [];
  for (const one of go) {
    const why = one.kind === "runs" ? removed(one.paths) : await cleanedUp(one, { host, signal });
    if (why === null) gone.push(one);
    else kept.push({ kind: one.kind, task: one.task, path: one.kind === "runs" ? one.paths[0]! : one.path, why });
  }
  return { gone, kept };
}

async function cleanedUp(
  { task, branch, merged }: Extract<Goner, { kind: "worktree" }>,
  { host, signal }: Pick<Ground, "host" | "signal">,
): Promise<string | null> {
  const result = await cleanUpTask({ id: task, branch, merged }, { ...host, signal });
  return result.kind === "refused" ? result.detail : null;
}

function removed(paths: readonly string[]): string | null {
  try {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
