import { copyFile, lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { ended, type Hands, output } from "./refs.ts";

/** What a path is in the candidate: mode 000000 where it is deleted. */
export interface Entry {
  readonly mode: string;
  readonly blob: string;
  /** it is not there at the tip */
  readonly added: boolean;
}

interface Look {
  readonly folder: string;
  /** what stands in the way */
  readonly paths: readonly string[];
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * Whether every path that stands in the way already holds what the candidate brings: then it was left by a landing
 * that a crash cut off (or is the same by chance), and going on loses nothing. Git compares, with the user's filters
 * and line endings, in a copy of the index: nothing of theirs is touched.
 */
export async function holdsCandidate(hands: Hands, look: Look): Promise<boolean> {
  if (!look.paths.every((path) => look.entries.has(path))) return false;
  const index = await indexOf(hands, look.folder);
  const copy = `${index}.pawl-${process.pid}`;
  try {
    await copyFile(index, copy);
    if ((await stage(hands, look, { GIT_INDEX_FILE: copy })) !== null) return false;
    const differing = await differ(hands, look, { GIT_INDEX_FILE: copy });
    return !look.paths.some((path) => differing.has(path)) && (await deletedAreGone(look));
  } finally {
    await rm(copy, { force: true });
    await rm(`${copy}.lock`, { force: true });
  }
}

/** Puts the candidate's entries of those paths into the index. Null: done; else what git said. */
export async function stage(
  hands: Hands,
  look: Look,
  env: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const lines = look.paths.map((path) => {
    const { mode, blob } = look.entries.get(path)!;
    return `${mode} ${blob}\t${path}\0`;
  });
  const options = { cwd: look.folder, env };
  const args = ["update-index", "-z", "--index-info"];
  const { code, stderr } = await ended(hands, args, { ...options, input: lines.join("") });
  if (code !== 0) return stderr;
  await ended(hands, ["update-index", "-q", "--refresh"], options); // exit 1 where a file differs: not our question here
  return null;
}

async function differ(hands: Hands, look: Look, env: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const args = ["diff-files", "--name-only", "-z", "--ignore-submodules=all"];
  const said = await output(ended(hands, args, { cwd: look.folder, env }), "compare the checkout");
  return new Set(said.split("\0"));
}

/** diff-files does not see a file that its index does not have: one the candidate deletes has to be gone. */
async function deletedAreGone({ folder, paths, entries }: Look): Promise<boolean> {
  const deleted = paths.filter((path) => /^0+$/.test(entries.get(path)!.mode));
  const there = await Promise.all(deleted.map((path) => holdsFile(join(folder, path))));
  return !there.includes(true);
}

/** Whether a file or a link is there. A folder is not: git makes room for a file where nothing is lost by it. */
export const holdsFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );

/** The index file of a checkout. */
export async function indexOf(hands: Hands, folder: string): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", "--git-path", "index"];
  const said = await output(ended(hands, args, { cwd: folder }), "find the index");
  return said.replace(/\n$/, "");
}
