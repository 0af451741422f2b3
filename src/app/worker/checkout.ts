import { existsSync } from "node:fs";
import { join } from "node:path";
import { oftenGit } from "../../adapters/system/git-reads.ts";
import { PawlError } from "../../domain/errors.ts";
import { git } from "../config/repository.ts";

/** Where `pawl work` works. */
export interface WorkCheckout {
  /** absolute */
  readonly folder: string;
  readonly branch: string;
  /** the commit that the work began on */
  readonly base: string;
  readonly remote: string | null;
}

interface Where {
  readonly repo: string;
  readonly branch: string;
  readonly task: string;
  readonly base: string;
}

/** A worktree of its own on the ticket's branch, made where it is not there yet. Throws BASE_MISSING, CHECKOUT_FAILED, JOURNAL_HELD, PLACE_MOVED. */
export async function ownCheckout({ repo, branch, task, base }: Where): Promise<WorkCheckout> {
  const folder = join(repo, ".pawl", "worktrees", task);
  const remote = remoteOf(repo);
  remote.catch(() => {}); // it is waited for below, when git has made the worktree
  const [tip, own] = await commitsOf(repo, [base, `refs/heads/${branch}`]);
  if (!tip)
    throw new PawlError("BASE_MISSING", `there is no commit ${base} to begin on`, {
      next: "git commit something, or name another base in pawl.yaml.",
    });
  if (existsSync(join(folder, ".git"))) await mustBeOn(folder, branch);
  else {
    const { code, stderr } = await addWorktree(
      repo,
      folder,
      own ? [folder, branch] : ["--no-track", "-b", branch, folder, tip],
    );
    if (code !== 0) throw (await isBegunElsewhere(repo, { branch, own, folder })) ? held(task) : failed(folder, stderr);
  }
  if (!own || own === tip) return { folder, branch, base: tip, remote: await remote };
  const fork = await git(folder, ["merge-base", "HEAD", tip]);
  return { folder, branch, base: fork.code === 0 ? fork.stdout : tip, remote: await remote };
}

/** A run goes on where it began. Throws PLACE_MOVED where another branch is checked out there, or none. */
export async function mustBeOn(folder: string, branch: string): Promise<void> {
  const { code, stdout } = await git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (code === 0 && stdout === branch) return;
  throw new PawlError("PLACE_MOVED", `this run began in ${folder} on ${branch}, which is not checked out there`, {
    next: `git -C ${folder} switch ${branch}, then the same command.`,
  });
}

/** One that was deleted by hand git still knows: what was not committed there is gone, its branch is not. */
async function addWorktree(repo: string, folder: string, what: readonly string[]) {
  const add = () => git(repo, ["worktree", "add", "--quiet", ...what]);
  const added = await add();
  if (added.code === 0 || existsSync(folder)) return added;
  const removed = await git(repo, ["worktree", "remove", "--force", folder]);
  return removed.code === 0 ? add() : added;
}

/** Whether somebody else has just made what was not there a moment ago: git takes away a folder that it could not fill. */
const isBegunElsewhere = async (
  repo: string,
  { branch, own, folder }: { branch: string; own: string | null | undefined; folder: string },
): Promise<boolean> => existsSync(folder) || (!own && (await commitOf(repo, `refs/heads/${branch}`)) !== null);

const held = (task: string): PawlError =>
  new PawlError("JOURNAL_HELD", `another pawl work is just beginning ${task}`, {
    next: "wait for it to end, or end it; two workers on one run would do everything twice.",
  });

/** The checkout that is there, where nothing of it is changed: what is not committed could not be told from the work. Throws TREE_DIRTY. */
export async function inPlace(repo: string, top: string): Promise<WorkCheckout> {
  const { stdout } = await git(top, ["status", "--porcelain", "--untracked-files=all"]);
  const paths = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.slice(3));
  if (paths.length > 0)
    throw new PawlError(
      "TREE_DIRTY",
      `${paths.length} files have changes that are not committed: ${paths.slice(0, 5).join(", ")}`,
      {
        next: "commit them, or leave out --in-place: the work then happens in its own worktree.",
      },
    );
  const branch = (await git(top, ["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout;
  if (branch === "") throw failed(top, "HEAD is on no branch");
  const head = await commitOf(top, "HEAD");
  if (head === null) throw failed(top, "there are no commits yet");
  return { folder: top, branch, base: head, remote: await remoteOf(repo) };
}

async function commitOf(cwd: string, name: string): Promise<string | null> {
  return (await commitsOf(cwd, [name]))[0] ?? null;
}

/** With one run of git; null: there is no such commit. */
async function commitsOf(cwd: string, names: readonly string[]): Promise<readonly (string | null)[]> {
  const input = names.map((name) => `${name}^{commit}\n`).join("");
  const { stdout } = await oftenGit(["cat-file", "--batch-check=%(objectname)"], { cwd, input, timeoutMs: 30_000 });
  return stdout.split("\n").map((line) => /^[0-9a-f]{40,64}$/.exec(line)?.[0] ?? null);
}

async function remoteOf(repo: string): Promise<string | null> {
  const { stdout } = await git(repo, ["remote"]);
  return stdout.split("\n").includes("origin") ? "origin" : null;
}

const failed = (folder: string, why: string): PawlError =>
  new PawlError("CHECKOUT_FAILED", `no worktree could be made in ${folder}: ${why}`, {
    next: "see git worktree list; git worktree prune takes away what is gone.",
  });
