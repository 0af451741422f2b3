import { systemGit } from "../../adapters/system/git.ts";
import { addedLines } from "../../tactics/added-lines.ts";
import type { Found } from "../../tactics/owner-rules.ts";

/** What a branch changed, by git alone: committed work only. */
export interface ChangeHere extends Pick<Found, "head" | "isChanged" | "changed"> {
  /** the commit that the branch left its base at */
  readonly root: string;
  /** as text; what is no UTF-8 in it has U+FFFD */
  readonly patch: string;
  /** the lines of a file as it was committed; null: there is none */
  lines(file: string): Promise<readonly string[] | null>;
}

/** `bases`: what the work started from, best name first. Null: none of them is known here. */
export async function changeHere(cwd: string, bases: readonly string[]): Promise<ChangeHere | null> {
  const git = systemGit();
  for (const base of bases) {
    const fork = await git.run(["merge-base", base, "HEAD"], { cwd });
    if (fork.code !== 0) continue;
    const root = fork.stdout.trim();
    const head = await git.must(["rev-parse", "HEAD"], { cwd });
    const diff = ["diff", "--no-color", "--no-ext-diff", "--no-renames", root, head];
    const bytes = await git.must(diff, { cwd, encoding: "latin1" });
    const added = addedLines(bytes);
    return {
      root,
      head,
      patch: Buffer.from(bytes, "latin1").toString("utf8"),
      isChanged: (file, line) => added.get(file)?.has(line) ?? false,
      changed: new Set(added.keys()),
      async lines(file) {
        const blob = await git.run(["cat-file", "blob", `${head}:${file}`], { cwd });
        return blob.code === 0 ? blob.stdout.split("\n") : null;
      },
    };
  }
  return null;
}
