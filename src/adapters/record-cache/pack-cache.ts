import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RecordCache } from "../../ports/record-cache.ts";
import { packed, unpacked } from "./pack.ts";

/** More files than these are written as one at the next save. */
const MAX_PACKS = 8;
const MAX_BYTES = 256 * 1024 * 1024;
const STALE_MS = 3_600_000;

interface Pack {
  readonly path: string;
  readonly size: number;
  readonly at: number;
}

/**
 * Records in packs: files that are written once, under a name of their own, and never changed. So two processes never
 * wait for each other; at worst both keep the same record. `folder` belongs to one version of the records: its
 * neighbours, which are of other versions, go at the first save.
 */
export function packCache(folder: string): RecordCache {
  return {
    load() {
      const records = new Map<string, Uint8Array>();
      for (const { path } of packsIn(folder)) {
        const found = read(path);
        if (found === null) remove(path);
        else for (const [key, record] of found) records.set(key, record);
      }
      return records;
    },
    save(records) {
      if (records.size === 0) return;
      try {
        mkdirSync(folder, { recursive: true });
        keepSmall(folder);
        write(folder, records);
        merge(folder);
        dropOthers(folder);
      } catch {
        // a full disk, or one that is read only: nothing is kept
      }
    },
  };
}

function packsIn(folder: string): readonly Pack[] {
  const packs = names(folder).flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    if (name.endsWith(".tmp") && Date.now() - found.mtimeMs > STALE_MS) remove(path);
    return name.endsWith(".pack") ? [{ path, size: found.size, at: found.mtimeMs }] : [];
  });
  return packs.sort((a, b) => a.at - b.at || (a.path < b.path ? -1 : 1));
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): ReadonlyMap<string, Uint8Array> | null {
  try {
    return unpacked(readFileSync(path));
  } catch {
    return null;
  }
}

function write(folder: string, records: ReadonlyMap<string, Uint8Array>): void {
  const path = join(folder, randomUUID());
  try {
    writeFileSync(`${path}.tmp`, packed(records), { flag: "wx" });
    renameSync(`${path}.tmp`, `${path}.pack`);
  } finally {
    remove(`${path}.tmp`);
  }
}

/** What one process merges another may merge at the same time: both files hold the same then. */
function merge(folder: string): void {
  const packs = packsIn(folder);
  if (packs.length <= MAX_PACKS) return;
  write(folder, new Map(packs.flatMap(({ path }) => [...(read(path) ?? [])])));
  for (const { path } of packs) remove(path);
}

function keepSmall(folder: string): void {
  const packs = packsIn(folder);
  let size = packs.reduce((sum, pack) => sum + pack.size, 0);
  if (size <= MAX_BYTES) return;
  for (const pack of packs) {
    if (size <= MAX_BYTES / 2) return;
    remove(pack.path);
    size -= pack.size;
  }
}

function dropOthers(folder: string): void {
  const parent = dirname(folder);
  for (const name of names(parent)) {
    const other = join(parent, name);
    if (other !== folder && Date.now() - (statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? 0) > STALE_MS)
      rmSync(other, { recursive: true, force: true });
  }
}

const remove = (path: string): void => rmSync(path, { force: true });
