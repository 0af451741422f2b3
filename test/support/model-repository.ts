import { createHash } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { git, write } from "./plain-git.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** a folder that lives as long as the run of all tests */
    models: string;
  }
}

export interface Shape {
  /** what each commit adds, by its message */
  readonly commits: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly origin: boolean;
  /** files that may be executed */
  readonly programs: readonly string[];
}

/**
 * A folder with `repo` and, with an origin, `origin.git`: to be copied, never worked in. Its config names the folder itself
 * as the place of origin.
 */
export const modelOf = (shape: Shape): string =>
  madeOnce(JSON.stringify(shape), (root, model) => make(root, model, shape));

/** A folder to copy, made once in a run of the tests: starting git is most of a small test's time. `fresh` becomes `model`. */
export function madeOnce(what: string, fill: (fresh: string, model: string) => void): string {
  const models = inject("models");
  const model = join(models, createHash("sha1").update(what).digest("hex"));
  if (existsSync(model)) return model;
  const fresh = mkdtempSync(join(models, "new-"));
  fill(fresh, model);
  try {
    renameSync(fresh, model);
  } catch (error) {
    if (!existsSync(model)) throw error;
    rmSync(fresh, { recursive: true }); // another test file was faster
  }
  return model;
}

/** What git init and clone, remote add, fetch and push would leave, by as few processes of git as can be. */
function make(root: string, model: string, { commits, origin, programs }: Shape): void {
  const repo = join(root, "repo");
  const own = join(repo, ".git");
  git(root, "init", "-q", "--template=", "-b", "main", repo);
  // without git's own template, but with the folders of it that tests write to
  for (const folder of ["hooks", "info"]) mkdirSync(join(own, folder));
  appendFileSync(join(own, "config"), CONFIG);
  for (const [message, files] of Object.entries(commits)) {
    write(repo, { ...files });
    for (const program of programs) if (program in files) chmodSync(join(repo, program), 0o755);
    git(repo, "add", "--all");
    git(repo, "commit", "-q", "--allow-empty", "-m", message);
  }
  if (!origin) return;
  const far = join(root, "origin.git");
  for (const name of ["HEAD", "objects", "refs"]) cpSync(join(own, name), join(far, name), { recursive: true });
  writeFileSync(join(far, "config"), BARE);
  const tip = readFileSync(join(own, "refs/heads/main"));
  write(own, { "refs/remotes/origin/main": tip.toString() });
  appendFileSync(join(own, "config"), remote(join(model, "origin.git")));
}

const CONFIG = `[user]
\tname = Test
\temail = test@example.org
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;
/** nobody tidies up behind a push: that would be two processes more for each */
const BARE = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[receive]
\tautogc = false
`;
const remote = (url: string): string => `[remote "origin"]
\turl = ${url}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
`;
