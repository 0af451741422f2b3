import type { Commit } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import { atFar, type Hands, output } from "./refs.ts";

/** What a head brings against where it left the base. patchId null: it changes nothing, or too much to be read. */
export async function changeOf(hands: Hands, base: Commit, head: Commit): Promise<Change> {
  const commits = Number(
    await output(atFar(hands, ["rev-list", "--count", `${base}..${head}`, "--"]), "count commits"),
  );
  const numbers = await atFar(hands, [...DIFF, "--numstat", "-z", "--no-renames", `${base}...${head}`, "--"]);
  // no common ancestor: nothing to compare with
  if (numbers.code !== 0) return { commits, files: 0, added: 0, deleted: 0, patchId: null };
  return { commits, ...sum(numbers.stdout), patchId: await patchIdOf(hands, base, head) };
}

const DIFF = ["-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color"];

/** `added deleted path` per file; a binary file has no lines. */
function sum(numstat: string): { files: number; added: number; deleted: number } {
  const rows = numstat.split("\0").filter((row) => row !== "");
  const total = (column: number) => rows.reduce((all, row) => all + (Number(row.split("\t")[column]) || 0), 0);
  return { files: rows.length, added: total(0), deleted: total(1) };
}

/** `--binary --full-index`: two pictures that differ must not have one id. */
async function patchIdOf(hands: Hands, base: Commit, head: Commit): Promise<string | null> {
  const args = [...DIFF, "--no-renames", "--binary", "--full-index", `${base}...${head}`, "--"];
  const patch = await hands.git.run(args, { cwd: hands.far.gitDir, signal: hands.signal }).catch(() => null);
  if (patch === null || patch.code !== 0 || patch.stdout === "") return null;
  const { code, stdout } = await atFar(hands, ["patch-id", "--stable"], { input: patch.stdout });
  return code === 0 ? stdout.split(" ")[0]?.trim() || null : null;
}
