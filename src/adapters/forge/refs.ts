import { PawlError } from "../../domain/errors.ts";
import type { Commit } from "../../domain/names.ts";
import type { Git, GitResult } from "../../ports/system.ts";
import type { FarEnd } from "./origin.ts";
import type { KnownBlobs } from "./pulls.ts";

/** What one call to the forge works with: both repositories, and the right to touch them. */
export interface Hands {
  readonly git: Git;
  /** the user's repository */
  readonly repo: string;
  readonly far: FarEnd;
  /** folder of the task files, from the top of the repository */
  readonly backlog?: string;
  readonly signal: AbortSignal;
  /** pull requests by blob */
  readonly pulls: KnownBlobs;
  /** ms since 1970 */
  readonly now: () => number;
}

type Extra = { readonly input?: string | Uint8Array; readonly env?: Readonly<Record<string, string>> };

/** Git at the far end. A command that did not end by itself is an exception: its effect is in doubt. */
export const atFar = (hands: Hands, args: readonly string[], extra: Extra = {}): Promise<GitResult> =>
  ended(hands, ["--git-dir", hands.far.gitDir, ...args], { cwd: hands.far.gitDir, ...extra });

/** Git in the user's repository. */
export const atHome = (hands: Hands, args: readonly string[], extra: Extra = {}): Promise<GitResult> =>
  ended(hands, args, { cwd: hands.repo, ...extra });

/** Git in any folder, as a result; -1 (ended by a signal) is thrown. */
export async function ended(
  hands: Hands,
  args: readonly string[],
  options: Extra & { cwd: string },
): Promise<GitResult> {
  const result = await hands.git.run(args, { ...options, signal: hands.signal });
  if (result.code !== -1) return result;
  throw new PawlError("GIT_ENDED", `git ${verb(args)} was ended before it was done`, {
    retryable: true,
    data: { stderr: result.stderr },
  });
}

/** stdout of a command that has to work; else GIT_FAILED with what git said. */
export async function output(result: Promise<GitResult>, what: string): Promise<string> {
  const { code, stdout, stderr } = await result;
  if (code === 0) return stdout;
  throw new PawlError("GIT_FAILED", `git could not ${what} (exit ${code}): ${stderr.trim() || "it said nothing"}`);
}

/** A name as an object id, or null where there is none. Anything but yes and no is an exception, never "gone". */
async function resolve(ask: Promise<GitResult>, name: string): Promise<Commit | null> {
  const { code, stdout, stderr } = await ask;
  if (code === 0) return stdout.trim() as Commit;
  if (code === 1) return null;
  throw new PawlError("GIT_FAILED", `git could not look up ${name} (exit ${code}): ${stderr.trim()}`);
}

/** The tip of a branch at the far end; null: there is no such branch. */
export const farTip = (hands: Hands, branch: string): Promise<Commit | null> =>
  resolve(atFar(hands, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]), branch);

export const farHas = async (hands: Hands, commit: Commit): Promise<boolean> =>
  (await resolve(atFar(hands, ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]), commit)) !== null;

export const homeHas = async (hands: Hands, commit: Commit): Promise<boolean> =>
  (await resolve(atHome(hands, ["rev-parse", "--verify", "--quiet", `${commit}^{commit}`]), commit)) !== null;

/** Whether `old` is `young` or before it, at the far end. Both have to be there. */
export async function isBefore(hands: Hands, old: Commit, young: Commit): Promise<boolean> {
  if (old === young) return true;
  const { code, stderr } = await atFar(hands, ["merge-base", "--is-ancestor", old, young]);
  if (code === 0 || code === 1) return code === 0;
  throw new PawlError("GIT_FAILED", `git could not compare ${old} with ${young} (exit ${code}): ${stderr.trim()}`);
}

export const short = (commit: Commit | null): string => (commit === null ? "nothing" : commit.slice(0, 7));

const verb = (args: readonly string[]): string =>
  args.find((arg, i) => !arg.startsWith("-") && args[i - 1] !== "--git-dir" && args[i - 1] !== "-c") ?? "";
