import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atForge, type Backlog, type ForgeKind, makeProject } from "./backlog.ts";
import { linesOf } from "./end-state.ts";
import { ASKED } from "./far/files.ts";
import { chained, type Listing, type Point } from "./point.ts";
import { bundlePrograms } from "./programs.ts";
import { type Ground, type Ran, runClean, runTrial, type Trial } from "./trial.ts";

export interface SweepOptions {
  readonly backlog: Backlog;
  readonly seed: number;
  /** points at once, each in a folder of its own */
  readonly atOnce: number;
  readonly deadlineMs: number;
  /** gives the address of a new store on a server; none: each trial's store is a file */
  readonly newStore?: () => string;
  /** where branches and pull requests live; none: local */
  readonly forge?: ForgeKind;
  /** points of one trial, at most; the others are in the same run of the backlog, each with a life of its own */
  readonly chain: number;
  readonly choose: (listing: Listing) => readonly Point[];
  readonly told?: (trial: Trial) => void;
  readonly began?: (clean: Ran, listing: Listing, points: readonly Point[]) => void;
}

/** One clean run that lists effects and commits, then a trial for each chosen point. */
export async function sweep(options: SweepOptions): Promise<readonly Trial[]> {
  const { seed, deadlineMs, forge = "local" } = options;
  const backlog = atForge(options.backlog, forge);
  const programs = await bundlePrograms();
  const template = mkdtempSync(join(tmpdir(), "pawl-sweep-template-"));
  try {
    makeProject(template, backlog, forge);
    const ground: Ground = { backlog, forge, template, programs, seed, deadlineMs, newStore: options.newStore ?? null };
    const clean = await runClean(ground);
    const listing = listingOf(clean.folder);
    if (!process.env.PAWL_KEEP) rmSync(clean.folder, { recursive: true, force: true, maxRetries: 5 });
    const points = options.choose(listing);
    options.began?.(clean, listing, points);
    return await each(chained(points, options.chain), options.atOnce, async (chain) => {
      const trial = await runTrial(chain, ground, clean);
      options.told?.(trial);
      return trial;
    });
  } finally {
    rmSync(template, { recursive: true, force: true });
    programs.remove();
  }
}

function listingOf(folder: string): Listing {
  const lines = linesOf(folder, "trace").map((line) => line.split(" ").slice(1));
  const effects = new Map(
    lines.flatMap(([what, kind, key]) => (what === "effect" && kind && key ? [[key, { key, kind }] as const] : [])),
  );
  return {
    effects: [...effects.values()],
    commits: lines.filter(([what]) => what === "commit").length,
    written: linesOf(folder, "written").length,
    requests: linesOf(folder, ASKED)
      .map((line) => line.split(" ") as [string, string])
      .map(([key, what]) => ({ key, isWrite: what === "write" })),
  };
}

/** Results in the order of the items, a few at once. */
async function each<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const left = [...items.entries()];
  const one = async () => {
    for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return results;
}
