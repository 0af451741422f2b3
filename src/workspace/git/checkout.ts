import { randomUUID } from "node:crypto";
import { PawlError } from "../../domain/errors.ts";
import type { Files } from "../../ports/files.ts";
import type { Git, GitOptions, GitResult } from "../../ports/system.ts";

/** A working tree and its git folders, as git itself says where they are: in a worktree or submodule `.git` is a file. */
export interface Checkout {
  readonly git: Git;
  readonly files: Files;
  /** absolute; paths start there, with / */
  readonly top: string;
  /** this worktree's own */
  readonly gitDir: string;
  /** that of all worktrees: objects, branches, hooks */
  readonly commonDir: string;
  /** made by Pawl for its own work, so that its branch may be taken back; nobody else's ever is */
  readonly isOurs: boolean;
  readonly signal?: AbortSignal;
}

interface Opening extends Pick<Checkout, "git" | "files" | "isOurs"> {
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/**
 * The checkout that a folder is in, once it is known that git can write there: better before a model has worked for an
 * hour than after. Throws REPO_MISSING, REPO_BARE, GIT_UNWRITABLE.
 */
export async function openCheckout({ folder, ...parts }: Opening): Promise<Checkout> {
  const ask = (...what: readonly string[]) =>
    parts.git.run(["rev-parse", "--path-format=absolute", ...what], {
      cwd: folder,
      ...(parts.signal ? { signal: parts.signal } : {}),
    });
  const [gitDir, commonDir, top, said] = await whereIs(ask);
  if (!gitDir || !commonDir) throw missing(folder, said);
  if (!top)
    throw new PawlError("REPO_BARE", `${folder} is in a bare repository, which has no files to work on`, {
      next: "clone it, and work in the clone",
    });
  for (const place of new Set([gitDir, commonDir])) tryToWrite(parts.files, place);
  return { ...parts, top, gitDir, commonDir };
}

const PLACES = ["--git-dir", "--git-common-dir", "--show-toplevel"] as const;

/** One run of git tells all three; where a name has a line end in it, and where there are not three, each is asked for. */
async function whereIs(
  ask: (...what: readonly string[]) => Promise<GitResult>,
): Promise<readonly [string, string, string, string]> {
  const { code, stdout } = await ask(...PLACES);
  const lines = stdout.split("\n");
  if (code === 0 && lines.length === PLACES.length + 1) return [lines[0]!, lines[1]!, lines[2]!, ""];
  const answers = await Promise.all(PLACES.map((place) => ask(place)));
  const [gitDir, commonDir, top] = answers.map((answer) => answer.stdout.replace(/\n$/, ""));
  return [gitDir!, commonDir!, top!, answers[0]!.stderr];
}

function missing(folder: string, said: string): PawlError {
  return new PawlError("REPO_MISSING", `${folder} is in no git repository that can be read: ${said.trim()}`, {
    next: "git init, or name the folder of a repository",
  });
}

function tryToWrite(files: Files, folder: string): void {
  const probe = `${folder}/pawl-probe-${randomUUID()}`;
  try {
    files.make(probe, { bytes: new Uint8Array(), mode: null, isExecutable: false, owner: null });
    files.unlink(probe);
  } catch (cause) {
    throw new PawlError("GIT_UNWRITABLE", `git could not commit: ${folder} cannot be written`, {
      next: "let this user, or the sandbox that Pawl runs in, write there",
      cause,
    });
  }
}

type Options = Omit<GitOptions, "cwd" | "signal">;
const options = (on: Checkout, more: Options): GitOptions => ({
  ...more,
  cwd: on.top,
  ...(on.signal ? { signal: on.signal } : {}),
});

/** Git in this checkout; paths are names, never patterns. */
export const runGit = (on: Checkout, args: readonly string[], more: Options = {}): Promise<GitResult> =>
  on.git.run(["--literal-pathspecs", ...args], options(on, more));

/** The same where it has to succeed; throws GIT_FAILED. */
export const mustGit = (on: Checkout, args: readonly string[], more: Options = {}): Promise<string> =>
  on.git.must(["--literal-pathspecs", ...args], options(on, more));

/** One writer at a time in one git folder, as far as this process goes; others are waited for at their lock files. */
export const exclusive = <T>(on: Checkout, work: () => Promise<T>): Promise<T> => on.git.worktrees(on.gitDir, work);

/** Paths for `--pathspec-from-file=- --pathspec-file-nul`: as many as there are, whatever is in their names. */
export const BY_NAME = ["--pathspec-from-file=-", "--pathspec-file-nul"] as const;
export const named = (paths: Iterable<string>): string => [...paths].map((path) => `${path}\0`).join("");

/** What `-z` printed. */
export const split = (text: string): readonly string[] => text.split("\0").filter((part) => part !== "");
