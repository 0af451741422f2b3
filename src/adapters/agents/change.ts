import type { Commit } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import type { Git, GitOptions, GitResult } from "../../ports/system.ts";
import { submodulePaths } from "./submodules.ts";

interface Between {
  readonly git: Git;
  readonly repo: string;
  readonly base: Commit;
  readonly head: Commit;
  readonly signal: AbortSignal;
}

/** What a head brings against where it left the base, and every path that it touches (of a renamed file both names). */
export interface Brought {
  readonly change: Change;
  /** null: it has no commit in common with the base */
  readonly files: readonly string[] | null;
  /** those of them that are a repository of its own at the head, and no submodule of it */
  readonly repositories: readonly string[];
}

/** patchId null: it changes nothing, or too much to be read. */
export async function changeOf(on: Between): Promise<Brought> {
  const { git, repo, base, head, signal } = on;
  const commits = Number(await git.must(["rev-list", "--count", `${base}..${head}`, "--"], { cwd: repo, signal }));
  const nothing = { commits, files: 0, added: 0, deleted: 0, patchId: null };
  if (commits === 0) return { change: nothing, files: [], repositories: [] };
  const numbers = await diff(["--raw", "--numstat", "-z"], on);
  if (numbers.code !== 0) return { change: nothing, files: null, repositories: [] };
  const { rows, links } = parse(numbers.stdout);
  const sum = (which: "added" | "deleted") => rows.reduce((all, row) => all + row[which], 0);
  const change = {
    commits,
    files: rows.length,
    added: sum("added"),
    deleted: sum("deleted"),
    patchId: await patchId(on),
  };
  const declared = links.length > 0 ? await submodulePaths(git, { cwd: repo, signal }, head) : new Set();
  const repositories = links.filter((path) => !declared.has(path));
  return { change, files: rows.map(({ path }) => path), repositories };
}

interface Row {
  readonly added: number;
  readonly deleted: number;
  readonly path: string;
}

/** First `:OLD NEW …` and a path for each file, then `added deleted path`, with tabs, which a path may hold too. */
function parse(text: string): { readonly rows: readonly Row[]; readonly links: readonly string[] } {
  const parts = text.split("\0");
  const links: string[] = [];
  let at = 0;
  for (; parts[at]?.startsWith(":"); at += 2)
    if (/^:(?!160000)\d+ 160000 /.test(parts[at]!)) links.push(parts[at + 1]!);
  const rows = parts.slice(at).filter((row) => row !== "");
  return { rows: rows.map(parseRow), links };
}

/** a binary file has no lines */
function parseRow(row: string): Row {
  const [added, deleted, ...path] = row.split("\t");
  return { added: Number(added) || 0, deleted: Number(deleted) || 0, path: path.join("\t") };
}

/** `--binary --full-index`, and byte for byte: two pictures, or two texts that are no UTF-8, must not have one id. */
async function patchId(on: Between): Promise<string | null> {
  const patch = await diff(["--binary", "--full-index"], on, "latin1");
  if (patch.code !== 0 || patch.stdout === "") return null;
  const { git, repo, signal } = on;
  const input = Buffer.from(patch.stdout, "latin1");
  const { code, stdout } = await git.run(["patch-id", "--stable"], { cwd: repo, signal, input });
  return code === 0 ? stdout.split(" ")[0]?.trim() || null : null;
}

/** The same text whatever the user's own settings of diff are. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];
const DEFAULTS = ["noprefix=false", "mnemonicPrefix=false", "context=3", "algorithm=myers"].flatMap((setting) => [
  "-c",
  `diff.${setting}`,
]);

const diff = (
  what: readonly string[],
  { git, repo, base, head, signal }: Between,
  encoding: GitOptions["encoding"] = "utf8",
): Promise<GitResult> =>
  git.run([...DEFAULTS, "diff", ...PLAIN, ...what, `${base}...${head}`, "--"], { cwd: repo, signal, encoding });
