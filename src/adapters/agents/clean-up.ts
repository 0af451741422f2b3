import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EffectResult } from "../../domain/input.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";
import { bringCommit, isAncestor, tipOf } from "./base.ts";
import { forgetFork } from "./fork.ts";
import type { HostParts } from "./parts.ts";
import { copiedInto } from "./run-folder.ts";
import { filledIn, onlyThere } from "./submodules.ts";
import { uncommitted } from "./uncommitted.ts";
import { gitDirOf, taskWorktree } from "./worktree.ts";
import { listWorktrees, realPath } from "./worktree-list.ts";

type On = HostParts & { readonly signal: AbortSignal };
interface Merged {
  readonly id: TaskId;
  readonly branch: string;
  /** a commit on the base */
  readonly merged: Commit;
}

/**
 * Takes away the worktree of a merged task, and its local branch, if all that is in them is in `merged` too. Anything
 * that is only there (a commit, a changed or untracked file), and any process that works there, keeps both: refused,
 * with the reason.
 */
export async function cleanUpTask(task: Merged, on: On): Promise<EffectResult> {
  const path = taskWorktree(on, task.id);
  if (!(await bringCommit(task.merged, on))) return kept(`${task.merged} is not in this repository`);
  return on.git.worktrees(on.repo, async () => {
    const listed = (await listWorktrees(on.git, on.repo, on.signal)).find((one) => realPath(one.path) === path);
    if (!listed && existsSync(path)) return kept(`${path} is no worktree of this repository`);
    let looked: Commit | null = null;
    if (listed && existsSync(path)) {
      const refusal = await whyKept(task, path, listed.head, on);
      if (refusal) return refusal;
      looked = listed.head;
      // what we copied in would keep git from removing the rest
      for (const name of copiedInto(await gitDirOf(path, on)))
        rmSync(join(path, name), { recursive: true, force: true });
    }
    if (listed) {
      // git refuses every worktree that holds a submodule; that nothing is lost was looked at
      const force = existsSync(path) && (await filledIn(path, on)).length > 0 ? ["--force"] : [];
      const removed = await on.git.run(["worktree", "remove", ...force, path], { cwd: on.repo, signal: on.signal });
      if (removed.code !== 0) return kept(removed.stderr.trim());
    }
    await dropBranch(task, looked, on);
    await forgetFork(task.id, on);
    return { kind: "done", made: { what: "nothing" }, found: !listed };
  });
}

/** Why that worktree would be kept now, as `cleanUpTask` would say it; null: it would go. Changes nothing. */
export async function whyWorktreeStays(task: Merged, on: On): Promise<string | null> {
  const path = taskWorktree(on, task.id);
  if (!(await bringCommit(task.merged, on))) return `${task.merged} is not in this repository`;
  const listed = (await listWorktrees(on.git, on.repo, on.signal)).find((one) => realPath(one.path) === path);
  if (!listed) return "it is no worktree of this repository";
  const refusal = await whyKept(task, path, listed.head, on);
  return refusal?.kind === "refused" ? refusal.detail : null;
}

async function whyKept(task: Merged, path: string, head: Commit | null, on: On): Promise<EffectResult | null> {
  const living = [...(await on.processes.within(path)), ...(await on.processes.withEnv(WORKER_ENV.worktree, path))];
  if (living[0]) return kept(`process ${living[0].pid} works in ${path}`);
  if (head === null || !(await isContained(head, task.merged, on))) {
    return kept(`${path} is at ${head}, which holds more than ${task.merged}`);
  }
  const changed = await uncommitted({ worktree: path, gitDir: await gitDirOf(path, on) }, on);
  const files = changed.filter((one) => !one.isCopy).map((one) => one.path);
  if (files.length > 0) return kept(`${path} holds ${files.length} files that are not committed`, files.slice(0, 50));
  for (const submodule of await filledIn(path, on)) {
    const only = await onlyThere(submodule, on);
    if (only !== null) return kept(`${submodule} holds commit ${only}, which no other repository has`);
  }
  return null;
}

/** Merging it would bring nothing new: also true of what was squashed. In doubt false. */
async function isContained(head: Commit, merged: Commit, on: On): Promise<boolean> {
  if (await isAncestor(head, merged, on)) return true;
  const options = { cwd: on.repo, signal: on.signal };
  const tree = await on.git.run(["merge-tree", "--write-tree", merged, head], options);
  const has = await on.git.run(["rev-parse", `${merged}^{tree}`], options);
  return tree.code === 0 && has.code === 0 && tree.stdout.trim() === has.stdout.trim();
}

/**
 * The branch goes only as it was seen, and never from under a worktree; its runs stay pinned under refs/pawl. `looked`: a
 * commit that is known to hold nothing but what is merged.
 */
async function dropBranch({ branch, merged }: Merged, looked: Commit | null, on: On): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const tip = await tipOf(ref, on);
  if (tip === null || !(tip === looked || (await isContained(tip, merged, on)))) return;
  if ((await listWorktrees(on.git, on.repo, on.signal)).some((one) => one.branch === ref)) return;
  await on.git.run(["update-ref", "-d", ref, tip], { cwd: on.repo, signal: on.signal });
}

const kept = (detail: string, files: readonly string[] = []): EffectResult => ({
  kind: "refused",
  code: "denied",
  detail,
  files,
  actual: null,
});
