import { BY_NAME, mustGit, named } from "./checkout.ts";
import type { Kept } from "./look.ts";
import type { Shadowed } from "./shadow-folder.ts";

const EXECUTE = 0o111;

/**
 * Puts files back as they were, with all their permission bits. Where those are not known, a file keeps the ones that it
 * has now, but for the one that git knows.
 */
export async function putBack({ on, env }: Shadowed, was: Kept, paths: readonly string[]): Promise<void> {
  const now = new Map(paths.map((path) => [path, on.files.stat(`${on.top}/${path}`)]));
  const args = ["restore", "--quiet", `--source=${was.tree}`, "--staged", "--worktree", ...BY_NAME];
  await mustGit(on, args, { env, input: named(paths) });
  for (const path of paths) {
    const made = on.files.stat(`${on.top}/${path}`);
    if (made.kind !== "file") continue;
    const before = now.get(path)!;
    const kept = before.kind === "file" ? (before.mode & ~EXECUTE) | (made.mode & EXECUTE) : made.mode;
    const wanted = was.modes?.get(path) ?? kept;
    if (wanted !== made.mode) on.files.chmod(`${on.top}/${path}`, wanted);
  }
}
