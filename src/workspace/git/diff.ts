import { type Checkout, mustGit, split } from "./checkout.ts";
import { statusOf } from "./status.ts";

/** What is compared: the index with the files, a commit with the index, a commit with the files, or two commits. */
export type Sides =
  | { readonly of: "files" }
  | { readonly of: "index"; readonly from?: string }
  | { readonly of: "files-since"; readonly from: string }
  | { readonly of: "commits"; readonly from: string; readonly to: string };

export interface DiffRow {
  readonly path: string;
  /** null: binary */
  readonly added: number | null;
  readonly deleted: number | null;
}

/**
 * The same whatever the user's own settings are: no colour, no driver of theirs, no renames. `git diff` would write the
 * index anew, also where optional locks are off; told not to, it names files that were only touched, so it is asked about
 * those that differ.
 */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=none"];
const SETTINGS = [
  "autoRefreshIndex=false",
  "noprefix=false",
  "mnemonicPrefix=false",
  "context=3",
  "algorithm=myers",
].flatMap((one) => ["-c", `diff.${one}`]);

const sides = (which: Sides): readonly string[] =>
  which.of === "files"
    ? []
    : which.of === "index"
      ? ["--cached", ...(which.from ? [which.from] : [])]
      : which.of === "files-since"
        ? [which.from]
        : [which.from, which.to];

/** Paths that are more than touched; null: of what is compared nothing can be only touched. */
async function differing(on: Checkout, which: Sides): Promise<ReadonlySet<string> | null> {
  if (which.of === "index" || which.of === "commits") return null;
  const inFiles = (await statusOf(on)).filter((one) => one.unstaged !== null || one.isConflict).map(({ path }) => path);
  const inIndex = which.of === "files" ? [] : await pathsOf(on, { of: "index", from: which.from });
  return new Set([...inFiles, ...inIndex]);
}

/** as many characters as a command line surely holds */
const MOST_WORDS = 64_000;

/** A patch that `git apply` takes, binary files too; one character per byte. No paths: all. */
export async function patchOf(on: Checkout, which: Sides, paths?: readonly string[]): Promise<string> {
  const differ = await differing(on, which);
  const wanted = paths ?? [...(differ ?? [])];
  const asked = differ === null ? wanted : wanted.filter((path) => differ.has(path));
  if (asked.length === 0 && (differ !== null || paths !== undefined)) return "";
  const isTooMany = asked.join(" ").length > MOST_WORDS && paths === undefined;
  const args = [...SETTINGS, "diff", ...PLAIN, "--binary", ...sides(which), "--", ...(isTooMany ? [] : asked)];
  return mustGit(on, args, { encoding: "latin1" });
}

/** Lines per file. `ignoreLineEnds`: a line that differs in its CR alone is the same. */
export async function linesOf(on: Checkout, which: Sides, ignoreLineEnds = false): Promise<readonly DiffRow[]> {
  const how = ["--numstat", "-z", ...(ignoreLineEnds ? ["--ignore-cr-at-eol"] : [])];
  const differ = await differing(on, which);
  const rows = split(await mustGit(on, [...SETTINGS, "diff", ...PLAIN, ...how, ...sides(which), "--"])).map(readRow);
  return rows.filter(({ path }) => differ === null || differ.has(path));
}

function readRow(row: string): DiffRow {
  const [added, deleted, ...path] = row.split("\t");
  const count = (word = "-") => (word === "-" ? null : Number(word));
  return { path: path.join("\t"), added: count(added), deleted: count(deleted) };
}

/** Paths that differ; new files that git does not know are not among them. */
export async function pathsOf(on: Checkout, which: Sides): Promise<readonly string[]> {
  const differ = await differing(on, which);
  const args = [...SETTINGS, "diff", ...PLAIN, "--name-only", "-z", ...sides(which), "--"];
  return split(await mustGit(on, args)).filter((path) => differ === null || differ.has(path));
}

/**
 * Files whose lines differ in nothing but their ends, for the most part: an editor or a setting rewrote them whole, and a
 * reader of the diff would find nothing.
 */
export async function rewrittenEnds(on: Checkout, which: Sides): Promise<readonly string[]> {
  const [all, real] = await Promise.all([linesOf(on, which), linesOf(on, which, true)]);
  const left = new Map(real.map((row) => [row.path, row.added ?? 0]));
  return all.filter(({ path, added }) => (added ?? 0) > 2 * (left.get(path) ?? 0) + 1).map(({ path }) => path);
}
