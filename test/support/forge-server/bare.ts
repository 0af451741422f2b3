import { execFileSync } from "node:child_process";
import type { Commit } from "../../../src/domain/names.ts";
import { git } from "../plain-git.ts";

/** What a forge's server knows and does in its bare repository. */
export function bareRepository(gitDir: string) {
  const run = (...args: string[]) => git(gitDir, ...args);
  const ok = (...args: string[]): boolean => {
    try {
      run(...args);
      return true;
    } catch {
      return false;
    }
  };
  const tip = (branch: string) =>
    (run("for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`) || null) as Commit | null;
  const isBefore = (a: string, b: string) => ok("merge-base", "--is-ancestor", a, b);
  return {
    run,
    tip,
    isBefore,
    count: (range: string) => Number(run("rev-list", "--count", range)),
    /** all branches and where they are */
    heads: () =>
      new Map(
        run("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads/")
          .split("\n")
          .filter(Boolean)
          .map((line) => line.split(" ") as [string, Commit]),
      ),
    /** a commit that no branch has yet */
    commit: (tree: string, parents: readonly string[], message: string) => commitOf(gitDir, tree, parents, message),
    mergesCleanly: (base: string, head: string) => ok("merge-tree", "--write-tree", base, head),
    /** the squash of a head on a tip, as a commit; the branch is moved by compare-and-swap */
    squash(branch: string, { head, message }: { head: string; message: string }): Commit {
      const on = tip(branch)!;
      const commit = commitOf(gitDir, run("merge-tree", "--write-tree", on, head).split("\n")[0]!, [on], message);
      run("update-ref", `refs/heads/${branch}`, commit, on);
      return commit;
    },
    merge(branch: string, { head, message }: { head: string; message: string }): Commit {
      const on = tip(branch)!;
      const tree = run("merge-tree", "--write-tree", on, head).split("\n")[0]!;
      const commit = commitOf(gitDir, tree, [on, head], message);
      run("update-ref", `refs/heads/${branch}`, commit, on);
      return commit;
    },
    /** the commit of the base's first parents by which a head came onto it; null: it is not there */
    broughtBy(base: string, head: string): Commit | null {
      const on = tip(base);
      if (on === null || !isBefore(head, on)) return null;
      const rows = run("rev-list", "--first-parent", "--ancestry-path", "--parents", `${head}..${on}`).split("\n");
      const [oldest = "", parent] = rows.at(-1)!.split(" ");
      return (oldest === "" || parent === head ? head : oldest) as Commit;
    },
  };
}
export type Bare = ReturnType<typeof bareRepository>;

function commitOf(cwd: string, tree: string, parents: readonly string[], message: string): Commit {
  const who = { GIT_AUTHOR_NAME: "Forge", GIT_AUTHOR_EMAIL: "f@example.org" };
  const env = { ...process.env, ...who, GIT_COMMITTER_NAME: "Forge", GIT_COMMITTER_EMAIL: "f@example.org" };
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  return execFileSync("git", args, { cwd, env, encoding: "utf8", input: message }).trim() as Commit;
}
