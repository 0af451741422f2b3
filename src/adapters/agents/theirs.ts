import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SpawnWish } from "../../domain/intent.ts";
import { parseLeg } from "../../domain/names.ts";
import { seenHere } from "./base.ts";
import { json, readRecord, replaceFile } from "./files.ts";
import type { HostParts } from "./parts.ts";

type On = Pick<HostParts, "git" | "repo" | "state"> & { readonly signal: AbortSignal };

/**
 * Paths on a task's branch that somebody else committed there, now or before an earlier run: no bounds of a worker hold
 * for them. Ours is every commit that a run of the task is pinned on; kept in runs/TASK/theirs.json, since the next pin
 * is on theirs too. Durable when it returns.
 */
export async function theirPaths({ leg, place }: SpawnWish, on: On): Promise<readonly string[]> {
  const { task } = parseLeg(leg);
  const path = join(on.state, "runs", task, "theirs.json");
  const known = readRecord<string[]>(path) ?? [];
  if (place.kind === "clean" || place.start === null) return known;
  const base = await seenHere(place.base, on);
  const ours = [`--glob=refs/pawl/run/${task}/*`, ...(base === null ? [] : [base])];
  const args = [
    "log",
    "-z",
    "--no-show-signature",
    "--format=",
    "--name-only",
    "--no-renames",
    place.start,
    "--not",
    ...ours,
    "--",
  ];
  const said = await on.git.must(args, { cwd: on.repo, signal: on.signal });
  const found = said.split("\0").filter((name) => name !== "" && !known.includes(name));
  if (found.length === 0) return known;
  const all = [...known, ...new Set(found)];
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, json(all));
  return all;
}
