import { type Checkout, mustGit, named, split } from "./checkout.ts";

/** A path that is not as the last commit has it. */
export interface Changed {
  readonly path: string;
  /** against HEAD, in the index; null: the same */
  readonly staged: Mark | null;
  /** against the index, in the files; null: the same */
  readonly unstaged: Mark | null;
  readonly isUntracked: boolean;
  readonly isConflict: boolean;
  /** a repository within this one: a submodule, or one that is none; what is in it is not looked at */
  readonly isRepository: boolean;
}
export type Mark = "added" | "modified" | "deleted" | "type";

/** All that is changed, also files in new folders, without what is ignored; a move is a deletion and an addition. */
export async function statusOf(on: Checkout): Promise<readonly Changed[]> {
  const flags = ["--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"];
  return (await mustGit(on, ["status", ...flags])).split("\0").flatMap(read);
}

/** Those of the paths that are as the last commit has them; what git ignores, and is there, nobody can say that of. */
export async function asCommitted(on: Checkout, paths: readonly string[]): Promise<readonly string[]> {
  const changed = new Set((await statusOf(on)).map(({ path }) => path));
  const same = paths.filter((path) => !changed.has(path));
  if (same.length === 0) return [];
  const { stdout } = await on.git.run(["check-ignore", "-z", "--stdin"], { cwd: on.top, input: named(same) });
  const ignored = new Set(split(stdout));
  return same.filter((path) => !ignored.has(path) || on.files.read(`${on.top}/${path}`, 0).kind === "none");
}

/** 1 XY SUB mH mI mW hH hI PATH · u XY SUB m1 m2 m3 mW h1 h2 h3 PATH · ? PATH */
function read(row: string): readonly Changed[] {
  const words = row.split(" ");
  if (words[0] === "?") return [untracked(row.slice(2))];
  if (words[0] !== "1" && words[0] !== "u") return [];
  const [kind, xy = "..", submodule = "N"] = words;
  const isConflict = kind === "u";
  return [
    {
      path: words.slice(isConflict ? 10 : 8).join(" "),
      staged: isConflict ? null : markOf(xy[0]),
      unstaged: isConflict ? null : markOf(xy[1]),
      isUntracked: false,
      isConflict,
      isRepository: submodule.startsWith("S"),
    },
  ];
}

/** git names a folder, with its /, only where it is a repository of its own */
const untracked = (path: string): Changed => ({
  path: path.replace(/\/$/, ""),
  staged: null,
  unstaged: "added",
  isUntracked: true,
  isConflict: false,
  isRepository: path.endsWith("/"),
});

const MARKS: Readonly<Record<string, Mark>> = { A: "added", M: "modified", D: "deleted", T: "type" };
const markOf = (letter = "."): Mark | null => MARKS[letter] ?? null;
