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

/** What a head brings against where it left the base. patchId null: it changes nothing, or too much to be read. */
export async function changeOf(on: Between): Promise<Change> {
  const { git, repo, base, head, signal } = on;
  const commits = Number(await git.must(["rev-list", "--count", `${base}..${head}`, "--"], { cwd: repo, signal }));
  const numbers = await diff(["--numstat", "-z"], on);
  // no common ancestor: nothing to compare with
  if (numbers.code !== 0) return { commits, files: 0, added: 0, deleted: 0, patchId: null };
  const rows = numbers.stdout.split("\0").filter((row) => row !== "");
  const sum = (column: number) => rows.reduce((all, row) => all + (Number(row.split("\t")[column]) || 0), 0);
  return { commits, files: rows.length, added: sum(0), deleted: sum(1), patchId: await patchId(on) };
}

/** Every path that a head touches, of a renamed file both names. */
export async function changedFiles(on: Between): Promise<readonly string[]> {
  const { stdout } = await diff(["--name-only", "-z"], on);
  return stdout.split("\0").filter((name) => name !== "");
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
