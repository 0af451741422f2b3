import { lstat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { Commit } from "../../domain/names.ts";
import { type Entry, holdsCandidate, holdsFile, stage } from "./half-landed.ts";
import { locked } from "./in-the-way.ts";
import { leftAt } from "./left-at.ts";
import { atFar, ended, type Hands, output } from "./refs.ts";

export type FastForward =
  | { readonly kind: "moved" }
  /** changes of a person: nothing was touched */
  | { readonly kind: "dirty"; readonly files: readonly string[] }
  /** the branch was moved under its checkout, which still holds the files of that commit: nothing was touched */
  | { readonly kind: "behind"; readonly at: Commit }
  | { readonly kind: "failed"; readonly detail: string };

/** Folders at the far end in which a branch is checked out now. A folder that is gone is nobody's. */
export async function checkoutsOf(hands: Hands, branch: string): Promise<readonly string[]> {
  const listed = await output(atFar(hands, ["worktree", "list", "--porcelain", "-z"]), "list the worktrees");
  const folders = listed.split("\0\0").flatMap((block) => {
    const lines = block.split("\0");
    const folder = lines.find((line) => line.startsWith("worktree "))?.slice("worktree ".length);
    return folder !== undefined && lines.includes(`branch refs/heads/${branch}`) ? [folder] : [];
  });
  const there = await Promise.all(folders.map((folder) => exists(folder)));
  return folders.filter((_, i) => there[i]);
}

/**
 * Moves a checked-out branch from `tip` to `candidate`, with its files and its index. Git does it in the order files,
 * index, branch: as long as the branch stands at `tip`, a repetition finds what was done and goes on from there.
 */
export async function fastForward(
  hands: Hands,
  { folder, tip, candidate }: { folder: string; tip: Commit; candidate: Commit },
): Promise<FastForward> {
  const entries = await changedEntries(hands, tip, candidate);
  const { inTheWay, isBacklogChanged } = await inTheWayOf(hands, folder, entries);
  if (isBacklogChanged && inTheWay.length === 0) {
    const at = await leftAt(hands, folder, tip);
    if (at !== null) return { kind: "behind", at };
  }
  if (inTheWay.length > 0) {
    const ours = await holdsCandidate(hands, { folder, paths: inTheWay, entries });
    if (!ours) return notOurs(hands, { folder, tip, files: inTheWay });
    const stuck = await stage(hands, { folder, paths: inTheWay, entries });
    if (stuck !== null) return whyNot(hands, { folder, stderr: stuck, entries });
  }
  const args = ["-c", "merge.autoStash=false", "merge", "--ff-only", "--no-overwrite-ignore", "--no-stat", candidate];
  const { code, stderr } = await inFolder(hands, folder, args);
  return code === 0 ? { kind: "moved" } : whyNot(hands, { folder, stderr, entries });
}

async function notOurs(
  hands: Hands,
  { folder, tip, files }: { folder: string; tip: Commit; files: readonly string[] },
): Promise<FastForward> {
  const at = await leftAt(hands, folder, tip);
  return at === null ? { kind: "dirty", files } : { kind: "behind", at };
}

/** Every path that differs between two commits, and what it is in the second. */
async function changedEntries(hands: Hands, tip: Commit, candidate: Commit): Promise<ReadonlyMap<string, Entry>> {
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", "--full-index", tip, candidate, "--"];
  const fields = (await output(atFar(hands, args), "compare the candidate with its base")).split("\0");
  const found = new Map<string, Entry>();
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = "", , blob = "", status = ""] = fields[at]!.split(" ");
    found.set(fields[at + 1]!, { mode, blob, added: status.startsWith("A") });
  }
  return found;
}

/**
 * What a person changed or staged, and files that git does not know where the candidate adds one. A backlog is written in
 * all the time, by people and by intakes: a task file is in the way only where the candidate has another one.
 */
async function inTheWayOf(
  hands: Hands,
  folder: string,
  entries: ReadonlyMap<string, Entry>,
): Promise<{ inTheWay: readonly string[]; isBacklogChanged: boolean }> {
  const dirty = await dirtyFiles(hands, folder);
  const changed = dirty.filter((path) => entries.has(path) || !isTaskFile(hands, path));
  const added = [...entries].filter(([, { added }]) => added).map(([path]) => path);
  const there = await Promise.all(added.map((path) => holdsFile(join(folder, path))));
  const inTheWay = [...new Set([...changed, ...added.filter((_, i) => there[i])])];
  return { inTheWay, isBacklogChanged: changed.length < dirty.length };
}

const isTaskFile = ({ backlog }: Hands, path: string): boolean =>
  backlog !== undefined && path.startsWith(posix.join(backlog, "/"));

async function dirtyFiles(hands: Hands, folder: string): Promise<readonly string[]> {
  const args = ["status", "--porcelain=v1", "-z", "--untracked-files=no", "--ignore-submodules=all", "--no-renames"];
  const said = await output(inFolder(hands, folder, args), "look at the checkout");
  return said.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}

/** Git refused and touched nothing: changes that came meanwhile, a lock, or a rule of the user's. */
async function whyNot(
  hands: Hands,
  { folder, stderr, entries }: { folder: string; stderr: string; entries: ReadonlyMap<string, Entry> },
): Promise<FastForward> {
  if (locked(hands, stderr) !== null) return { kind: "failed", detail: stderr.trim() };
  const named = [...stderr.matchAll(/^\t(.+)$/gm)].map(([, path]) => path!.trim());
  const dirty = [...new Set([...named, ...(await inTheWayOf(hands, folder, entries)).inTheWay])];
  return dirty.length > 0 ? { kind: "dirty", files: dirty } : { kind: "failed", detail: stderr.trim() };
}

/** Readers take no lock of the user's index; a writer may. */
const inFolder = (hands: Hands, folder: string, args: readonly string[]) =>
  ended(hands, args, { cwd: folder, env: { GIT_OPTIONAL_LOCKS: "0", GIT_REFLOG_ACTION: "pawl" } });

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
