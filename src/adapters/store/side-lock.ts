import { type BigIntStats, closeSync, openSync } from "node:fs";
import { fileAt, isSameFile } from "./connection.ts";
import type { Database, OpenDatabase } from "./open-sqlite.ts";
import { isBusy } from "./store-error.ts";

/** The lock that says who the holder is: SQLite's own lock on a file beside the store, freed by the kernel at death. */
export interface SideLock {
  /** whether the locked file still lies at its path: another process would lock the one that does */
  isThere(): boolean;
  release(): void;
}

/**
 * Every side lock of this process, by path. It keeps the handles from being collected, and it answers for this process:
 * whoever opened and closed the file here a second time would free the lock (POSIX locks belong to the process).
 */
const held = new Map<string, SideLock>();

/** How long a look of another process (isLocked) may be in the way of taking the lock. */
const LOOK_MS = 500;

export const sideFile = (store: string): string => `${store}.lease`;

/** Takes the lock of a store; null: it is taken, by another process or by this one. */
export const takeSideLock = (open: OpenDatabase, store: string): SideLock | null =>
  takeFileLock(open, sideFile(store), LOOK_MS);

/** The same for any file, which is made where it is not there. Waits at most so long for another process. */
export function takeFileLock(open: OpenDatabase, path: string, waitMs: number): SideLock | null {
  const own = held.get(path);
  if (own?.isThere()) return null;
  own?.release();
  closeSync(openSync(path, "a"));
  const file = fileAt(path);
  const database = locked(open, path, waitMs);
  if (!database) return null;
  if (!isSameFile(file, fileAt(path))) {
    // Deleted and made again in between: what we locked is not what others will see.
    database.close();
    return null;
  }
  const lock: SideLock = {
    isThere: () => lies(file, path),
    release() {
      if (held.get(path) !== lock) return;
      held.delete(path);
      database.close();
    },
  };
  held.set(path, lock);
  return lock;
}

/** Whether anybody holds the lock now. Looks with a shared lock, so that two who look at once do not see each other. */
export function isLocked(open: OpenDatabase, store: string): boolean {
  const path = sideFile(store);
  if (held.get(path)?.isThere()) return true;
  if (!fileAt(path)) return false;
  const database = open(path, { readOnly: true, timeout: 0 });
  try {
    database.exec("SELECT count(*) FROM sqlite_schema");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

/** Whether that file lies at the path; no, where it cannot be seen: a lease that is not certain is none. */
function lies(file: BigIntStats | null, path: string): boolean {
  try {
    return isSameFile(file, fileAt(path));
  } catch {
    return false;
  }
}

/** The file, opened and locked; null: somebody else has the lock. */
function locked(open: OpenDatabase, path: string, waitMs: number): Database | null {
  const database = open(path, { timeout: waitMs });
  try {
    // No WAL, which would leave the lock on the file itself open to others; and no journal file to be left behind.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}
