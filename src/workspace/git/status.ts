import { type Checkout, mustGit } from "./checkout.ts";

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
