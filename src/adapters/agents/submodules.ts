import type { GitOptions } from "../../ports/system.ts";
import type { HostParts } from "./parts.ts";

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
