import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
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
 * A folder with `repo` and, with an origin, `origin.git`: to be copied, never worked in. Made once in a run of the tests,
 * since starting git is most of a small test's time. Its config names the folder itself as the place of origin.
 */
export function modelOf(shape: Shape): string {
  const models = inject("models");
  const model = join(models, createHash("sha1").update(JSON.stringify(shape)).digest("hex"));
  if (existsSync(model)) return model;
  const fresh = mkdtempSync(join(models, "new-"));
  make(fresh, model, shape);
  try {
    renameSync(fresh, model);
  } catch (error) {
    if (!existsSync(model)) throw error;
    rmSync(fresh, { recursive: true }); // another test file was faster
  }
  return model;
}

function make(root: string, model: string, { commits, origin, programs }: Shape): void {
  const repo = join(root, "repo");
  git(root, "init", "-q", "--template=", "-b", "main", repo);
  // without git's own template, but with the folders of it that tests write to
  for (const folder of ["hooks", "info"]) mkdirSync(join(repo, ".git", folder));
  git(repo, "config", "user.name", "Test");
  git(repo, "config", "user.email", "test@example.org");
  for (const [message, files] of Object.entries(commits)) {
    write(repo, { ...files });
    for (const program of programs) if (program in files) chmodSync(join(repo, program), 0o755);
    git(repo, "add", "--all");
    git(repo, "commit", "-q", "--allow-empty", "-m", message);
  }
  if (!origin) return;
  git(root, "clone", "-q", "--template=", "--bare", repo, join(root, "origin.git"));
  git(repo, "remote", "add", "origin", join(root, "origin.git"));
  git(repo, "fetch", "-q", "origin");
  git(repo, "branch", "-q", "--set-upstream-to=origin/main");
  git(repo, "remote", "set-url", "origin", join(model, "origin.git"));
}
