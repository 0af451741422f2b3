import { farTip, tipOf } from "../../adapters/agents/base.ts";
import { systemGit } from "../../adapters/system/git.ts";
import type { WantedIntent } from "../../domain/intent.ts";
import type { Commit } from "../../domain/names.ts";

/** The tips from which tasks would start now, by base: origin's where origin is on this machine. Fetches nothing. */
export async function baseCommits(wanted: readonly WantedIntent[], repo: string): Promise<ReadonlyMap<string, Commit>> {
  const places = wanted.flatMap((intent) => (intent.kind === "spawn" ? [intent.wish.place] : []));
  const bases = new Set(
    places.flatMap((place) => (place.kind === "worktree" && place.start === null ? place.base : [])),
  );
  const on = { git: systemGit(), repo, signal: AbortSignal.timeout(MOST_MS) };
  const found = await Promise.all(
    [...bases].map(async (base) => {
      const tip = (await farTip(base, on)) ?? (await tipOf(`refs/heads/${base}`, on));
      return tip === null ? [] : [[base, tip] as const];
    }),
  );
  return new Map(found.flat());
}
const MOST_MS = 60_000;
