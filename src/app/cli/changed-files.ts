import { git } from "../config/repository.ts";

/** Files that differ from where the work started, committed or not; null: none of the bases is known here. */
export async function changedFiles(cwd: string, bases: readonly string[]): Promise<readonly string[] | null> {
  for (const base of bases) {
    const fork = await git(cwd, ["merge-base", base, "HEAD"]);
    if (fork.code !== 0) continue;
    const [committed, open] = await Promise.all([
      git(cwd, ["diff", "--name-only", "-z", "--no-renames", fork.stdout]),
      git(cwd, ["ls-files", "-z", "--others", "--exclude-standard"]),
    ]);
    return [...new Set(`${committed.stdout}\0${open.stdout}`.split("\0").filter((path) => path !== ""))];
  }
  return null;
}
