import { existsSync, statfsSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { type Listed, listing } from "./listing.ts";
import { isEqual, type Stamp, Stamps, stampOf, statsOf } from "./stamps.ts";

/** A file, or a folder with its files, as it was seen. */
export interface Seen {
  readonly stamp: Stamp;
  /** null: it is no folder */
  readonly files: Files | null;
  equals(other: Seen): boolean;
}

/** The files of a folder: of a hundred thousand names and stamps no more than their sum is kept. */
interface Files {
  readonly count: number;
  readonly sum: string;
  /** files that can be changed under another name elsewhere: links, and files with more names than one */
  readonly odd: readonly (readonly [name: string, stamp: Stamp])[];
}

/** Names in a folder in their order, with the stamps that they had. */
export interface Listing {
  readonly names: readonly string[];
  readonly stamps: Stamps;
  readonly seen: Seen;
}

/** A folder with fewer is looked at whole each time. */
const MANY = 1_000;

/**
 * Looks at names, sizes and times. `isTold`: the system tells of changes in the folder; then of one that was seen before
 * and is large, only what it does not tell of is looked at.
 */
export async function look(path: string, before: Seen | null, isTold: boolean): Promise<Seen> {
  const stats = statsOf(path);
  const stamp = stampOf(stats);
  if (!stats?.isDirectory()) return seenOf(stamp, null);
  const isBrief = isTold && before?.files != null && before.files.count > MANY && tellsAll(path);
  if (isBrief && isEqual(before.stamp, stamp) && isStill(path, before.files!)) return before;
  return (await list(path)).seen;
}

/** Everything of a folder that may be configuration; nothing where there is no such folder. */
export async function list(path: string): Promise<Listing> {
  const stats = statsOf(path);
  const stamp = stampOf(stats);
  const isLarge = (stats?.size ?? 0) > LARGE_BYTES;
  const { names: joined, stamps, odd, sum } = (isLarge ? await inThread(path) : null) ?? (await inSlices(path));
  const names = joined === "" ? [] : joined.split("\0");
  const all = Stamps.of(stamps);
  const files = { count: names.length, sum, odd: odd.map((place) => [names[place]!, all.at(place)] as const) };
  return { names, stamps: all, seen: seenOf(stamp, files) };
}

/** A folder that is so large itself holds some ten thousand names: a thread for it costs less than it takes off this one. */
const LARGE_BYTES = 400_000;

async function inSlices(path: string): Promise<Listed> {
  const steps = listing(path);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turn();
  }
}

const WORKER = new URL("./list-worker.mjs", import.meta.url);

/** Null: there is no program for it (the sources are run as they are), or its thread ended without an answer. */
async function inThread(path: string): Promise<Listed | null> {
  if (!existsSync(WORKER)) return null;
  const { Worker } = await import("node:worker_threads");
  return new Promise((resolve) => {
    const worker = new Worker(WORKER, { workerData: path });
    worker.once("message", resolve);
    worker.once("error", () => resolve(null));
    worker.once("exit", () => resolve(null));
  });
}

const seenOf = (stamp: Stamp, files: Files | null): Seen => ({
  stamp,
  files,
  equals(other) {
    if (other === this) return true;
    if (files === null || other.files === null) return files === other.files && isEqual(stamp, other.stamp);
    return files.sum === other.files.sum;
  },
});

const isStill = (path: string, { odd }: Files): boolean =>
  odd.every(([name, stamp]) => isEqual(stamp, stampOf(statsOf(`${path}/${name}`))));

/** File systems of this machine, whose changes all pass through its kernel: ext, XFS, Btrfs, tmpfs, F2FS, ZFS, bcachefs. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e,
]);

function tellsAll(path: string): boolean {
  try {
    return process.platform === "linux" && LOCAL.has(statfsSync(path).type);
  } catch {
    return false;
  }
}
