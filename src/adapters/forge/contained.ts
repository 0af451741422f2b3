import type { Commit } from "../../domain/names.ts";
import { atFar, farTip, type Hands, output } from "./refs.ts";

/** Which of these commits a branch of the far end holds now. What is no commit there is not held. */
export async function contained(hands: Hands, base: string, commits: readonly Commit[]): Promise<ReadonlySet<Commit>> {
  const asked = [...new Set(commits)].filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
  if (asked.length === 0) return new Set();
  const tip = await farTip(hands, base);
  return tip === null ? new Set() : containedIn(hands, tip, asked);
}

/** The same of a tip that is known. */
export async function containedIn(hands: Hands, tip: Commit, commits: readonly Commit[]): Promise<ReadonlySet<Commit>> {
  const there = await existing(hands, commits);
  if (there.length === 0) return new Set();
  const input = `${there.join("\n")}\n^${tip}\n`;
  const outside = await output(atFar(hands, ["rev-list", "--stdin"], { input }), `compare commits with ${tip}`);
  const missing = new Set(outside.split("\n"));
  return new Set(there.filter((commit) => !missing.has(commit)));
}

async function existing(hands: Hands, commits: readonly Commit[]): Promise<readonly Commit[]> {
  const input = `${commits.join("\n")}\n`;
  const args = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
  const lines = (await output(atFar(hands, args, { input }), "look for commits")).split("\n");
  const there = new Set(lines.filter((line) => line.endsWith(" commit")).map((line) => line.split(" ")[0]));
  return commits.filter((commit) => there.has(commit));
}
