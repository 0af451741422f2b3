import type { Commit } from "../../domain/names.ts";
import type { Change } from "../../domain/task.ts";
import { atFar, atHome, ended, type Hands, homeHas, output } from "./refs.ts";

/**
 * What a head brings against where it left the base. patchId null: it changes nothing, or too much to be read. It is
 * counted in the user's repository where both commits are there: its attributes say what is text, and the host counts
 * there too, so that both give one patchId.
 */
export async function changeOf(hands: Hands, base: Commit, head: Commit): Promise<Change> {
  const home = (await homeHas(hands, base)) && (await homeHas(hands, head));
  const ask = home ? atHome : atFar;
  const range = `${base}...${head}`;
  const commits = Number(await output(ask(hands, ["rev-list", "--count", `${base}..${head}`, "--"]), "count commits"));
  const numbers = await ask(hands, [...DIFF, "--numstat", "-z", range, "--"]);
  // no common ancestor: nothing to compare with
  if (numbers.code !== 0) return { commits, files: 0, added: 0, deleted: 0, patchId: null };
  const patchId = await patchIdOf(hands, home ? hands.repo : hands.far.gitDir, range);
  return { commits, ...sum(numbers.stdout), patchId };
}

/** The same text whatever the user's own settings of diff are. */
const DIFF = [
  ...["-c", "diff.noprefix=false", "-c", "diff.mnemonicPrefix=false", "diff"],
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--diff-algorithm=myers"],
];

/** `added deleted path` per file; a binary file has no lines. */
function sum(numstat: string): { files: number; added: number; deleted: number } {
  const rows = numstat.split("\0").filter((row) => row !== "");
  const total = (column: number) => rows.reduce((all, row) => all + (Number(row.split("\t")[column]) || 0), 0);
  return { files: rows.length, added: total(0), deleted: total(1) };
}

/** `--binary --full-index`, and byte for byte: two pictures, or two texts that are no UTF-8, must not have one id. */
async function patchIdOf(hands: Hands, cwd: string, range: string): Promise<string | null> {
  const args = [...DIFF, "-U3", "--binary", "--full-index", range, "--"];
  const patch = await hands.git.run(args, { cwd, signal: hands.signal, encoding: "latin1" });
  hands.signal.throwIfAborted(); // "too much to be read" must not be kept of a look that was cut off
  if (patch.code !== 0 || patch.stdout === "") return null;
  const input = Buffer.from(patch.stdout, "latin1");
  const { code, stdout } = await ended(hands, ["patch-id", "--stable"], { cwd, input });
  return code === 0 ? stdout.split(" ")[0]?.trim() || null : null;
}
