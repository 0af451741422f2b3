import type { Commit } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import type { Git, GitResult } from "../../ports/system.ts";

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
}

/** patchId null: it changes nothing, or too much to be read. */
export async function changeOf(on: Between): Promise<Brought> {
  const { git, repo, base, head, signal } = on;
  const commits = Number(await git.must(["rev-list", "--count", `${base}..${head}`, "--"], { cwd: repo, signal }));
  const numbers = await diff(["--numstat", "-z"], on);
  if (numbers.code !== 0) return { change: { commits, files: 0, added: 0, deleted: 0, patchId: null }, files: null };
  const rows = numbers.stdout
    .split("\0")
    .filter((row) => row !== "")
    .map(parseRow);
  const sum = (which: "added" | "deleted") => rows.reduce((all, row) => all + row[which], 0);
  const change = {
    commits,
    files: rows.length,
    added: sum("added"),
    deleted: sum("deleted"),
    patchId: await patchId(on),
  };
  return { change, files: rows.map(({ path }) => path) };
}

/** `added deleted path`, with tabs, which a path may hold too; a binary file has no lines. */
function parseRow(row: string): { added: number; deleted: number; path: string } {
  const [added, deleted, ...path] = row.split("\t");
  return { added: Number(added) || 0, deleted: Number(deleted) || 0, path: path.join("\t") };
}

/** `--binary --full-index`: two pictures that differ must not have one id. */
async function patchId(on: Between): Promise<string | null> {
  const patch = await diff(["--binary", "--full-index"], on);
  if (patch.code !== 0 || patch.stdout === "") return null;
  const { git, repo, signal } = on;
  const { code, stdout } = await git.run(["patch-id", "--stable"], { cwd: repo, signal, input: patch.stdout });
  return code === 0 ? stdout.split(" ")[0]?.trim() || null : null;
}

/** The same text whatever the user's own settings of diff are. */
const PLAIN = ["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"];
const DEFAULTS = ["noprefix=false", "mnemonicPrefix=false", "context=3", "algorithm=myers"].flatMap((setting) => [
  "-c",
  `diff.${setting}`,
]);

const diff = (what: readonly string[], { git, repo, base, head, signal }: Between): Promise<GitResult> =>
  git.run([...DEFAULTS, "diff", ...PLAIN, ...what, `${base}...${head}`, "--"], { cwd: repo, signal });
