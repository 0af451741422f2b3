import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder of this test's own, gone when the test is (kept with PAWL_KEEP=1). */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pawl-test-")));
  onTestFinished(() => {
    if (!process.env.PAWL_KEEP) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  return folder;
}

const GIT_ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.org",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.org",
};

/** Runs git, returns its output without the last newline; throws with stderr. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, env: GIT_ENV, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).replace(
    /\n$/,
    "",
  );

/** Writes files (path -> text), folders made on the way. */
export function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A repository with one commit on main; with `origin: true` also a bare origin beside it, pushed. */
export function repository(
  files: Record<string, string>,
  options: { origin?: boolean; at?: string } = {},
): { repo: string; origin: string | null } {
  const root = options.at ?? scratch();
  const repo = join(root, "repo");
  mkdirSync(repo, { recursive: true });
  git(repo, "init", "-q", "-b", "main");
  git(repo, "config", "user.name", "Test");
  git(repo, "config", "user.email", "test@example.org");
  write(repo, files);
  git(repo, "add", "--all");
  git(repo, "commit", "-q", "--allow-empty", "-m", "Start");
  if (!options.origin) return { repo, origin: null };
  const origin = join(root, "origin.git");
  git(root, "init", "-q", "--bare", "-b", "main", origin);
  git(repo, "remote", "add", "origin", origin);
  git(repo, "push", "-q", "-u", "origin", "main");
  return { repo, origin };
}
