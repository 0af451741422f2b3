import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitOptions } from "../../ports/system.ts";
import type { HostParts } from "./parts.ts";

type On = Pick<HostParts, "git"> & { readonly signal: AbortSignal };

/** The paths that .gitmodules names: of a commit, or of the worktree that `options` stand in. Without that file none. */
export async function submodulePaths(
  git: HostParts["git"],
  options: GitOptions,
  commit: string | null = null,
): Promise<ReadonlySet<string>> {
  const from = commit === null ? ["--file", ".gitmodules"] : ["--blob", `${commit}:.gitmodules`];
  const asked = await git.run(["config", ...from, "-z", "--get-regexp", "^submodule\\..*\\.path$"], options);
  // `submodule.NAME.path LF PATH NUL`
  const paths = asked.stdout.split("\0").map((entry) => entry.slice(entry.indexOf("\n") + 1));
  return new Set(asked.code === 0 ? paths.filter(Boolean) : []);
}

/** Folders of submodules that somebody filled, in a worktree and in each other. */
export async function filledIn(worktree: string, on: On): Promise<readonly string[]> {
  if (!existsSync(join(worktree, ".gitmodules"))) return [];
  const paths = await submodulePaths(on.git, { cwd: worktree, signal: on.signal });
  const filled = [...paths].map((path) => join(worktree, path)).filter((path) => existsSync(join(path, ".git")));
  const deeper = await Promise.all(filled.map((path) => filledIn(path, on)));
  return [...filled, ...deeper.flat()];
}

/** A commit in a submodule that nobody else has; null: there is none. */
export async function onlyThere(submodule: string, { git, signal }: On): Promise<string | null> {
  const args = ["rev-list", "--max-count=1", "HEAD", "--exclude=refs/tags/*", "--all", "--not", "--remotes"];
  return (await git.must(args, { cwd: submodule, signal })) || null;
}

/**
 * Whether a submodule merely stayed behind when `recorded` was recorded for it: it stands before that commit, or does
 * not know it and nothing was committed in it.
 */
export async function isBehind(submodule: string, recorded: string, { git, signal }: On): Promise<boolean> {
  const before = await git.run(["merge-base", "--is-ancestor", "HEAD", recorded], { cwd: submodule, signal });
  if (before.code === 0 || before.code === 1) return before.code === 0;
  return (await onlyThere(submodule, { git, signal })) === null;
}
