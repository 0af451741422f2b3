import { join } from "node:path";
import { git } from "../support/plain-git.ts";

export { git, gitTold, write } from "../support/plain-git.ts";

/** An empty repo/ with a bare origin.git/ that keeps a log of every ref, its own or not of git's. */
export function repository(folder: string): string {
  const repo = join(folder, "repo");
  const origin = join(folder, "origin.git");
  git(folder, "init", "-q", "--template=", "--bare", "-b", "main", origin);
  git(origin, "config", "core.logAllRefUpdates", "always");
  // as a forge serves it
  git(origin, "config", "http.receivepack", "true");
  git(origin, "config", "uploadpack.allowAnySHA1InWant", "true");
  git(folder, "init", "-q", "--template=", "-b", "main", repo);
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
