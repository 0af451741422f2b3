import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ENV = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"))),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** Runs git, returns its output without the last newline; throws with stderr. */
export const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, env: ENV, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).replace(/\n$/, "");

/** The same, told something; its output as it is. */
export const gitTold = (cwd: string, input: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, env: ENV, encoding: "utf8", input, stdio: ["pipe", "pipe", "pipe"] });

/** An empty repo/ with a bare origin.git/ that keeps a log of every ref, its own or not of git's. */
export function repository(folder: string): string {
  const repo = join(folder, "repo");
  const origin = join(folder, "origin.git");
  git(folder, "init", "-q", "--bare", "-b", "main", origin);
  git(origin, "config", "core.logAllRefUpdates", "always");
  git(folder, "init", "-q", "-b", "main", repo);
  for (const [key, value] of [
    ["user.name", "Sweep"],
    ["user.email", "sweep@example.org"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
    ["receive.autogc", "false"],
  ] as const)
    for (const one of [repo, origin]) git(one, "config", key, value);
  git(repo, "remote", "add", "origin", origin);
  return repo;
}

/** Writes files (path -> text), folders made on the way. */
export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
