import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Drive } from "./leg.ts";
import { mendIndex } from "./mend-index.ts";
import type { HostParts } from "./parts.ts";
import { copiedInto } from "./run-folder.ts";
import { isBehind, submodulePaths } from "./submodules.ts";

type On = Pick<HostParts, "git"> & { readonly signal: AbortSignal };
export type Where = Pick<Drive, "worktree" | "gitDir">;

/** A path whose HEAD, index and worktree are not all the same. */
export interface Uncommitted {
  /** for people and globs; bytes that are no UTF-8 are replaced */
  readonly path: string;
  /** as git has it, one character per byte: what git is told */
  readonly raw: string;
  /** modes as git writes them; NONE: not there */
  readonly modes: { readonly head: string; readonly index: string; readonly worktree: string };
  readonly headBlob: string;
  readonly isStaged: boolean;
  /** a conflict that nobody resolved */
  readonly isUnmerged: boolean;
  /** a repository of its own lies there, and .gitmodules does not name it: its files are not this one's */
  readonly isRepository: boolean;
  /** a submodule with work that is not committed in it */
  readonly isDirtyInside: boolean;
  /** new, and copied from the main checkout by us: nobody's work */
  readonly isCopy: boolean;
}
export const NONE = "000000";
const LINK = "160000";

/**
 * All that is not committed in a worktree of ours, untracked files too; not what git ignores. Files that git was told
 * not to look at are looked at again: the flags of what is there are taken away.
 */
export async function uncommitted(at: Where, on: On): Promise<readonly Uncommitted[]> {
  await mendIndex(at, on);
  await unhide(at.worktree, on);
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"];
  const text = await on.git.must(args, { cwd: at.worktree, signal: on.signal, encoding: "latin1" });
  const isCopy = copies(copiedInto(at.gitDir));
  const found = text.split("\0").flatMap((line) => parse(line) ?? []);
  const declared = found.some((one) => one.isRepository && one.isStaged)
    ? await submodulePaths(on.git, { cwd: at.worktree, signal: on.signal })
    : new Set();
  const behind = await Promise.all(found.map((one) => isLeftBehind(one, at, on)));
  const done = found.filter((_, i) => !behind[i]);
  return done.map(({ indexBlob: _, ...one }) => ({
    ...one,
    isRepository: one.isRepository && !declared.has(one.path),
    isCopy: one.modes.head === NONE && isCopy(one.path),
  }));
}

/** The form of git's status, version 2: fields with one space between them, the name last. */
const LINE =
  /^(?:1 (?<xy>..) (?<sub>....) (?<head>\d+) (?<index>\d+) (?<worktree>\d+) (?<blob>\w+) (?<indexed>\w+) |(?<unmerged>u) (?:\S+ ){9}|(?<untracked>\?) )(?<raw>.+)$/s;

type Parsed = Omit<Uncommitted, "isCopy"> & { readonly indexBlob: string };

function parse(line: string): Parsed | null {
  const found = LINE.exec(line)?.groups;
  if (!found) return null;
  const { raw = "", xy = "..", sub = "N...", head = NONE, index = NONE, blob = "" } = found;
  const worktree = found.worktree ?? (raw.endsWith("/") ? LINK : found.untracked ? "100644" : NONE);
  return {
    path: Buffer.from(raw, "latin1").toString("utf8"),
    raw,
    modes: { head, index, worktree },
    headBlob: blob,
    indexBlob: found.indexed ?? "",
    isStaged: !xy.startsWith("."),
    isUnmerged: found.unmerged !== undefined,
    isRepository: worktree === LINK && head !== LINK,
    isDirtyInside: head === LINK && /[MU]/.test(sub),
  };
}

/** A merge moves what is recorded for a submodule, not the submodule: that is nobody's change. */
async function isLeftBehind(
  { modes, isStaged, isDirtyInside, raw, indexBlob }: Parsed,
  at: Where,
  on: On,
): Promise<boolean> {
  const isMoved = modes.head === LINK && modes.index === LINK && modes.worktree === LINK && !isStaged && !isDirtyInside;
  return isMoved && isBehind(join(at.worktree, raw), indexBlob, on);
}

function copies(names: readonly string[]): (path: string) => boolean {
  return (path) => names.some((name) => path === name || path.startsWith(`${name}/`));
}

/** `assume-unchanged` and `skip-worktree` hide work. What a sparse checkout leaves out is not there, and keeps its flag. */
async function unhide(worktree: string, { git, signal }: On): Promise<void> {
  const options = { cwd: worktree, signal, encoding: "latin1" } as const;
  const paths = (await git.must(["ls-files", "-v", "-z"], options)).split("\0");
  const flagged = (flag: RegExp) => paths.filter((line) => flag.test(line)).map((line) => line.slice(2));
  await clear("--no-assume-unchanged", flagged(/^[a-z] /));
  await clear(
    "--no-skip-worktree",
    flagged(/^[sS] /).filter((raw) => isThere(worktree, raw)),
  );

  async function clear(flag: string, raws: readonly string[]): Promise<void> {
    if (raws.length === 0) return;
    const input = nulled(raws);
    await git.must(["update-index", flag, "-z", "--stdin"], { cwd: worktree, signal, input });
  }
}

/** Names for git's `-z`, byte for byte. */
export const nulled = (raws: readonly string[]): Uint8Array =>
  Buffer.from(raws.map((raw) => `${raw}\0`).join(""), "latin1");

/** The path of a name whose bytes may be no UTF-8. */
export const bytePath = (folder: string, raw: string): Buffer =>
  Buffer.concat([Buffer.from(join(folder, "/")), Buffer.from(raw, "latin1")]);

function isThere(worktree: string, raw: string): boolean {
  return lstatSync(bytePath(worktree, raw), { throwIfNoEntry: false }) !== undefined;
}
