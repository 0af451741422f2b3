import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Reader, Store } from "../../ports/store.ts";
import { type Connection, connect } from "./connection.ts";
import { createStore } from "./create.ts";
import { type OpenDatabase, openSqlite } from "./open-sqlite.ts";
import { FORMAT, formatOf, migrate } from "./schema.ts";
import { takeSideLock } from "./side-lock.ts";
import { sqliteReader, sqliteStore } from "./sqlite-store.ts";
import { corrupt, missing, older, storeError } from "./store-error.ts";

/** How long a statement waits for another process's write: those last for one fsync. */
const BUSY_MS = 10_000;

/**
 * The store at `path`, for whoever means to take the lease. Looks the whole file over first; `create` makes it, and its
 * folder, where it is not there. Errors: STORE_MISSING, STORE_CORRUPT, STORE_NEWER, STORE_HELD (an older format, and its
 * holder still runs), STORE_FULL, STORE_IO, STORE_BUSY.
 */
export async function openStore(path: string, { create = false } = {}): Promise<Store & Inbox> {
  const open = await openSqlite();
  return translated(path, () => {
    if (create && !sizeOf(path)) createStore(open, resolve(path));
    return sqliteStore(connected(open, path, prepareToHold));
  });
}

/** The same store for reading and for posting requests: never takes the lease, never commits. Same errors, STORE_OLDER too. */
export async function openReader(path: string): Promise<Reader & Inbox> {
  const open = await openSqlite();
  return translated(path, () =>
    sqliteReader(
      connected(open, path, ({ path, database }) => {
        const format = formatOf(database, path);
        if (format < FORMAT) throw older(path, format, FORMAT);
      }),
    ),
  );
}

function connected(open: OpenDatabase, path: string, check: (connection: Connection) => void): Connection {
  const size = sizeOf(path);
  if (!size) throw missing(path);
  if (!size.isFile()) throw corrupt(path, "it is not a file");
  if (size.size === 0) throw corrupt(path, "the file is empty (0 bytes)");
  const real = join(realpathSync(dirname(resolve(path))), basename(path));
  const connection = connect(real, open(real, { timeout: BUSY_MS }), open);
  try {
    // FULL: what is committed survives the power too. fullfsync: on macOS fsync alone does not reach the disk.
    connection.database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    connection.guard(() => check(connection));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** What a holder needs: a sound file, today's format, and the write-ahead log, under which nobody waits for a reader. */
function prepareToHold(connection: Connection): void {
  const { path, database } = connection;
  const format = formatOf(database, path);
  const { quick_check } = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
  if (quick_check !== "ok") throw corrupt(path, quick_check);
  if (format < FORMAT) migrateAlone(connection);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864");
}

function migrateAlone({ path, database, open }: Connection): void {
  const lock = takeSideLock(open, path);
  if (!lock)
    throw new PawlError(
      "STORE_HELD",
      `the store ${path} is to be brought up to date, and an older pawl still uses it`,
      {
        next: "`pawl stop`, then start again",
        at: { file: path },
      },
    );
  try {
    migrate(database, path);
  } finally {
    lock.release();
  }
}

function translated<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(path, error);
  }
}

/** By `stat` alone, see fileAt. */
const sizeOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
