import { appendFileSync, cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closePullRequest, createLocalForge } from "../../src/adapters/forge/local.ts";
import type { Commit } from "../../src/domain/names.ts";
import type { ForgeWorld } from "../contracts/forge.contract.ts";
import { madeOnce } from "./model-repository.ts";
import { git, scratch } from "./scratch.ts";
import { testGit } from "./test-git.ts";

export interface WorldOptions {
  readonly origin: boolean;
  readonly base?: string;
  readonly onBase?: boolean;
  readonly at?: string;
  /** `at` is a copy of a world already */
  readonly made?: boolean;
}

/** A world of the local forge: `origin` a bare repository beside it, or none. `base` is checked out only with `onBase`. */
export function localWorld(options: WorldOptions): ForgeWorld {
  const base = options.base ?? "main";
  const root = options.at ?? scratch();
  if (!options.made)
    cpSync(template({ base, origin: options.origin, onBase: options.onBase === true }), root, { recursive: true });
  const repo = join(root, "repo");
  const far = options.origin ? join(root, "origin.git") : repo;
  const tipOf = (branch: string) => git(far, "for-each-ref", "--format=%(objectname)", `refs/heads/${branch}`);
  return {
    repo,
    base,
    forge: createLocalForge({ repo, git: testGit() }),
    another: () => createLocalForge({ repo, git: testGit() }),
    tip: async (branch) => (tipOf(branch) || null) as Commit | null,
    move: async (branch, to) => {
      if (far === repo) git(repo, "update-ref", `refs/heads/${branch}`, to);
      else git(repo, "push", "-q", "--force", far, `${to}:refs/heads/${branch}`);
    },
    remove: async (branch) => void git(far, "update-ref", "-d", `refs/heads/${branch}`),
    pulls: async (branch) => pullsOf(far).filter((pull) => pull.branch === branch),
    close: async (url) => void (await closePullRequest({ repo, git: testGit() }, url)),
    mergeByHand: async (branch) => {
      const tree = git(far, "merge-tree", "--write-tree", `refs/heads/${base}`, `refs/heads/${branch}`);
      const parents = ["-p", tipOf(base), "-p", tipOf(branch)];
      const merge = git(far, "commit-tree", tree, ...parents, "-m", `Merge ${branch}`);
      git(far, "update-ref", `refs/heads/${base}`, merge);
      return merge as Commit;
    },
    bringHome: async (branch) => void (far === repo || git(repo, "fetch", "-q", far, branch)),
  };
}

interface Shape {
  readonly base: string;
  readonly origin: boolean;
  readonly onBase: boolean;
}

/** A repository and a bare origin of it, made once in a run of the tests and copied. */
function template({ base, origin, onBase }: Shape): string {
  return madeOnce(`forge ${base} ${origin} ${onBase}`, (root) => {
    const repo = join(root, "repo");
    git(root, "init", "-q", "--template=", "-b", base, repo);
    appendFileSync(join(repo, ".git/config"), CONFIG);
    writeFileSync(join(repo, "README.md"), "# Shop\n");
    git(repo, "add", "README.md");
    git(repo, "commit", "-q", "-m", "Start");
    git(root, "clone", "-q", "--template=", "--bare", repo, join(root, "origin.git"));
    appendFileSync(
      join(root, "origin.git/config"),
      "[core]\n\tlogAllRefUpdates = always\n[receive]\n\tautogc = false\n",
    );
    if (origin) git(repo, "remote", "add", "origin", "../origin.git");
    if (!onBase) git(repo, "update-ref", "--no-deref", "HEAD", "HEAD");
  });
}
const CONFIG = `[user]
\tname = Test
\temail = test@example.org
[core]
\tlogAllRefUpdates = always
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;

interface PullText {
  url: string;
  branch: string;
  state: string;
  title: string;
  body: string;
}

/** The pull requests as git has them, without our reader. */
export const pullsOf = (far: string): readonly PullText[] =>
  git(far, "for-each-ref", "--format=%(refname)", "refs/pawl/pr/")
    .split("\n")
    .filter((ref) => ref !== "")
    .map((ref) => ({
      ...JSON.parse(git(far, "cat-file", "blob", ref)),
      url: ref.replace("refs/", "").replace(/^pawl/, "pawl:/"),
    }));
