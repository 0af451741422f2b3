import { dirname, resolve } from "node:path";
import { oftenGit } from "../../adapters/system/git-reads.ts";
import { PawlError } from "../../domain/errors.ts";
import { nearest, nearestFirst } from "./nearest.ts";

/** What configuration has to know of the repository. */
export interface Repository {
  /** absolute path of the main checkout */
  readonly root: string;
  /** names of branches, here or at origin */
  readonly branches: ReadonlySet<string>;
  /** origin's HEAD, else the current branch; null: neither */
  readonly usual: string | null;
  readonly empty: boolean;
}

/** The main checkout that a folder belongs to, also from inside a worktree. Throws REPO_MISSING, REPO_BARE, GIT_MISSING. */
export async function findRepo(cwd: string): Promise<string> {
  // where there is no working tree git says the first three, and fails at the last
  const asked = ["--is-bare-repository", "--absolute-git-dir", "--git-common-dir", "--show-toplevel"];
  const found = await git(cwd, ["rev-parse", ...asked]);
  const [bare, own = "", common, top] = found.stdout.split("\n");
  if (common === undefined) throw missing(cwd, found.stderr);
  if (bare === "true")
    throw new PawlError("REPO_BARE", `${cwd} is a bare repository: it has no files to work on`, {
      next: "clone it, and run pawl in the clone.",
    });
  if (resolve(cwd, common) !== own) {
    const listed = await git(cwd, ["worktree", "list", "--porcelain"]);
    const main = /^worktree (.+)$/m.exec(listed.stdout)?.[1];
    if (main !== undefined) return main;
  }
  return found.code === 0 && top !== undefined && top !== "" ? top : dirname(own);
}

function missing(cwd: string, stderr: string): PawlError {
  const isNone = stderr === "" || /not a git repository/i.test(stderr);
  return new PawlError(
    "REPO_MISSING",
    isNone ? `${cwd} is not in a git repository` : `git cannot read the repository of ${cwd}: ${stderr}`,
    {
      next: isNone
        ? "git init && git add . && git commit -m Start, or name another folder with --repo DIR."
        : "see what git status says there.",
    },
  );
}

/** Branches and HEAD of a main checkout, with one look. Throws REPO_MISSING, GIT_MISSING. */
export async function readRepository(root: string): Promise<Repository> {
  const format = "--format=%(HEAD)%(refname) %(symref)";
  const { code, stdout, stderr } = await git(root, ["for-each-ref", format, "refs/heads", "refs/remotes/origin"]);
  if (code !== 0) throw missing(root, stderr);
  const refs = stdout.split("\n").flatMap(refOf);
  const names = refs.filter(({ symref }) => symref === "").map(({ name }) => shortName(name));
  const origin = refs.find(({ name }) => name === "refs/remotes/origin/HEAD")?.symref;
  const current = refs.find(({ isCurrent }) => isCurrent)?.name;
  const usual = origin || current;
  const empty =
    names.length === 0 && (await git(root, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])).code !== 0;
  return { root, branches: new Set(names), usual: usual ? shortName(usual) : empty ? await unborn(root) : null, empty };
}

function refOf(line: string): readonly { isCurrent: boolean; name: string; symref: string }[] {
  const [, head, name, symref = ""] = /^([ *])(\S+) ?(\S*)$/.exec(line) ?? [];
  return name === undefined ? [] : [{ isCurrent: head === "*", name, symref }];
}
const shortName = (ref: string): string => ref.replace(/^refs\/(heads|remotes\/origin)\//, "");

/** The branch that the first commit will be on. */
const unborn = async (root: string): Promise<string | null> =>
  (await git(root, ["symbolic-ref", "--quiet", "--short", "HEAD"])).stdout || null;

/** Why nothing can start from this base, or null. */
export function baseFault(
  repository: Repository,
  base: string | null,
): { code: string; message: string; next: string } | null {
  if (repository.empty)
    return {
      code: "REPO_EMPTY",
      message: "the repository has no commits yet, and work starts from one",
      next: "git add . && git commit -m Start",
    };
  const known = [...repository.branches];
  if (base === null)
    return {
      code: "BASE_MISSING",
      message: "no branch is checked out, and origin names none: it is not said where work starts and lands",
      next: "add base: main to pawl.yaml.",
    };
  if (repository.branches.has(base)) return null;
  const meant = nearest(base, known);
  return {
    code: "BASE_MISSING",
    message: `there is no branch "${base}" to start from and to land on`,
    next:
      meant === null
        ? `git branch ${base}, or name another (${nearestFirst(base, known).slice(0, 5).join(", ")}).`
        : `write "${meant}", or git branch ${base}.`,
  };
}

interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Reads with git; an exit code is a result. Throws GIT_MISSING where git cannot be started. */
export async function git(cwd: string, args: readonly string[]): Promise<Said> {
  const { code, stdout, stderr } = await oftenGit(args, { cwd, timeoutMs: 30_000 });
  if (code === -1 && /cannot be started.* ENOENT/s.test(stderr)) throw notStarted(cwd);
  return { code, stdout: stdout.trimEnd(), stderr: stderr.trim() };
}

/** spawn says ENOENT for a program that is not there and for a folder that is not there. */
const notStarted = (cwd: string): PawlError =>
  new PawlError("GIT_MISSING", `git cannot be started in ${cwd}: it is not installed, or that folder is not there`, {
    next: "install git 2.38 or newer, or name a folder that exists with --repo DIR.",
  });
