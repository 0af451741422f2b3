import { createHash } from "node:crypto";
import { lstatSync, readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
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

/** Files that the event loop waits for at once. */
const SLICE = 200;
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
  const stamp = stampOf(statsOf(path));
  const names = namesIn(path);
  const stamps = new Stamps();
  const odd: (readonly [string, Stamp])[] = [];
  for (let place = 0; place < names.length; place++) {
    if (place % SLICE === SLICE - 1) await turn();
    const { stats, isOdd } = at(`${path}/${names[place]}`);
    if (isOdd) odd.push([names[place]!, stampOf(stats)]);
    stamps.push(stampOf(stats));
  }
  return { names, stamps, seen: seenOf(stamp, { count: names.length, sum: sumOf(names, stamps), odd }) };
}

/** What it leads to, and whether it can be changed elsewhere. One question for a file with one name, as nearly all are. */
function at(path: string): { readonly stats: Stats | null; readonly isOdd: boolean } {
  const stats = lstatSync(path, { throwIfNoEntry: false }) ?? null;
  if (stats?.isSymbolicLink()) return { stats: statSync(path, { throwIfNoEntry: false }) ?? stats, isOdd: true };
  return { stats, isOdd: (stats?.nlink ?? 0) > 1 };
}

function sumOf(names: readonly string[], stamps: Stamps): string {
  const hash = createHash("sha256");
  // no name holds a NUL
  hash.update(names.join("\0"));
  hash.update(stamps.bytes());
  return hash.digest("base64");
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

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
      .filter((name) => /\.(md|ya?ml)$/.test(name))
      .sort();
  } catch {
    return [];
  }
}

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
