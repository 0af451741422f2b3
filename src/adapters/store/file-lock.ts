import type { TakeLock } from "../../ports/files.ts";
import { openSqlite } from "./open-sqlite.ts";
import { takeFileLock } from "./side-lock.ts";

/** Locks on files, by the lock of SQLite that a store's lease stands on: the kernel frees it at death. */
export function fileLocks(): TakeLock {
  return async (path) => {
    const lock = takeFileLock(await openSqlite(), path, 0);
    return lock && { isHeld: () => lock.isThere(), release: () => lock.release() };
  };
}
