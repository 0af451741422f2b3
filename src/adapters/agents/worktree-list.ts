import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Commit } from "../../domain/names.ts";
import type { Git } from "../../ports/system.ts";

/** One worktree as git's list has it. */
export interface Listed {
  readonly path: string;
  readonly head: Commit | null;
  /** full ref; null: detached */
  readonly branch: string | null;
  /** why it is locked, or null */
  readonly locked: string | null;
  /** its folder is gone */
  readonly prunable: boolean;
}

export async function listWorktrees(git: Git, repo: string, signal: AbortSignal): Promise<readonly Listed[]> {
  const text = await git.must(["worktree", "list", "--porcelain", "-z"], { cwd: repo, signal });
  return text
    .split("\0\0")
    .filter((block) => block !== "")
    .map(parse);
}

function parse(block: string): Listed {
  const lines = new Map(block.split("\0").map((line) => split(line)));
  return {
    path: lines.get("worktree") ?? "",
    head: (lines.get("HEAD") as Commit | undefined) ?? null,
    branch: lines.get("branch") ?? null,
    locked: lines.get("locked") ?? null,
    prunable: lines.has("prunable"),
  };
}

function split(line: string): [string, string] {
  const space = line.indexOf(" ");
  return space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
}

/** A path without links, also if its last part is not there (any more). */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
