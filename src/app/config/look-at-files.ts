import { readdirSync, statfsSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { isEqual, type Stamp, Stamps, stampOf, statsOf } from "./stamps.ts";

/** A file, or a folder with its files, as it was seen. */
export interface Seen {
  readonly stamp: Stamp;
  /** null: it is no folder */
  readonly files: Files | null;
  equals(other: Seen): boolean;
}

interface Files {
  readonly names: readonly string[];
  readonly stamps: Stamps;
  /** places of files that can be changed under another name elsewhere: links, and files with more names than one */
  readonly odd: readonly number[];
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
  const isBrief = isTold && before?.files != null && before.files.names.length > MANY && tellsAll(path);
  if (isBrief && isEqual(before.stamp, stamp) && isStill(path, before.files!)) return before;
  return seenOf(stamp, await filesIn(path));
}

const seenOf = (stamp: Stamp, files: Files | null): Seen => ({
  stamp,
  files,
  equals(other) {
    if (other === this) return true;
    if (files === null || other.files === null) return files === other.files && isEqual(stamp, other.stamp);
    return isSameList(files.names, other.files.names) && files.stamps.equals(other.files.stamps);
  },
});

const isSameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((name, i) => name === b[i]);

const isStill = (path: string, { names, stamps, odd }: Files): boolean =>
  odd.every((place) => stamps.isAt(place, stampOf(statsOf(`${path}/${names[place]}`))));

async function filesIn(path: string): Promise<Files> {
  const names: string[] = [];
  const stamps = new Stamps();
  const odd: number[] = [];
  for (const [index, entry] of entriesIn(path).entries()) {
    if (index % SLICE === SLICE - 1) await turn();
    const stats = statsOf(`${path}/${entry.name}`);
    if (entry.isSymbolicLink() || (stats?.nlink ?? 0) > 1) odd.push(names.length);
    names.push(entry.name);
    stamps.push(stampOf(stats));
  }
  return { names, stamps, odd };
}

function entriesIn(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).filter(({ name }) => /\.(md|ya?ml)$/.test(name));
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
