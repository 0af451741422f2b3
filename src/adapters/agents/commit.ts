import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Reported } from "../../domain/outcome.ts";
import type { Git } from "../../ports/system.ts";
import type { Drive } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { isRefused, stage, unstage } from "./stage.ts";
import type { Uncommitted } from "./uncommitted.ts";

type On = HostParts & { readonly signal: AbortSignal };

interface Split {
  readonly ours: readonly Uncommitted[];
  /** what is to stay as it is */
  readonly others: readonly Uncommitted[];
}

/**
 * Commits `ours` as they are in the worktree, and tells what git refused. Staged in the worktree's own index; committed
 * from a copy of it without what is staged of the others, if anything is. Hooks run.
 */
export async function commitPart({ ours, others }: Split, drive: Drive, on: On): Promise<readonly Reported[]> {
  if (ours.length === 0) return [];
  const at = { git: on.git, signal: on.signal, worktree: drive.worktree };
  const faults = await stage(ours, at);
  const staged = others.filter(({ isStaged }) => isStaged);
  if (staged.length === 0) return [...faults, ...(await commitIndex(drive, {}, on))];
  const copy = join(drive.gitDir, "pawl-index");
  copyFileSync(join(drive.gitDir, "index"), copy);
  try {
    const env = { GIT_INDEX_FILE: copy };
    await unstage(staged, { ...at, env });
    return [...faults, ...(await commitIndex(drive, env, on))];
  } finally {
    for (const path of [copy, `${copy}.lock`]) rmSync(path, { force: true });
  }
}

async function commitIndex(
  { worktree, title, wish }: Drive,
  env: Readonly<Record<string, string>>,
  on: On,
): Promise<readonly Reported[]> {
  const options = { cwd: worktree, signal: on.signal, env };
  const differs = await on.git.run(
    ["diff-index", "--cached", "--quiet", "--ignore-submodules=none", "HEAD", "--"],
    options,
  );
  if (!isRefused(differs)) return [];
  const subject = title.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() || wish.run;
  // no signature: nobody is asked for a passphrase here. No signal: a hook that is cut off at each try begins for ever
  const args = ["commit", "--quiet", "--no-gpg-sign", "-m", subject, "-m", `Pawl-Run: ${wish.run}`];
  const made = await on.git.run(args, {
    cwd: worktree,
    env: { ...env, ...(await author(on.git, options)) },
    timeoutMs: MAX_HOOK_MS,
  });
  if (made.code !== -1 && !isRefused(made)) return [];
  const words = `${made.stdout}\n${made.stderr}`.trim().slice(-1_500);
  return [{ text: `the work is not committed, and git refuses to: ${words}` }];
}
const MAX_HOOK_MS = 15 * 60_000;

/** The user's name from git's configuration; ours where there is none, so that work is not lost for want of a name. */
async function author(
  git: Git,
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<Record<string, string>> {
  const known = await git.run(["var", "GIT_COMMITTER_IDENT"], { cwd, signal });
  if (known.code === 0) return {};
  const [name, email] = ["pawl", "pawl@localhost"];
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
}
