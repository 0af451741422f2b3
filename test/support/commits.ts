import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Commit } from "../../src/domain/names.ts";
import { git } from "./scratch.ts";

/** A commit on `parent` with these files changed (null: deleted), made without touching any branch or checkout. */
export function commitOn(repo: string, parent: string, files: Record<string, string | null>, title = "Work"): Commit {
  const index = join(git(repo, "rev-parse", "--absolute-git-dir"), `test-index-${process.pid}`);
  const env = { ...process.env, GIT_INDEX_FILE: index, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const run = (args: string[], input?: string) =>
    execFileSync("git", args, { cwd: repo, env, encoding: "utf8", input }).trim();
  run(["read-tree", parent]);
  const entries = Object.entries(files).map(([path, text]) => {
    const blob = text === null ? "0".repeat(40) : run(["hash-object", "-w", "--stdin"], text);
    return `${text === null ? "0" : "100644"} ${blob}\t${path}\0`;
  });
  run(["update-index", "-z", "--index-info"], entries.join(""));
  const tree = run(["write-tree"]);
  rmSync(index, { force: true });
  return git(repo, "commit-tree", tree, "-p", parent, "-m", title) as Commit;
}
