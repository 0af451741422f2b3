import { realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { Inbox } from "../../ports/inbox.ts";
import type { Reader, Store } from "../../ports/store.ts";
import { type Connection, connect } from "./connection.ts";
import { createStore } from "./create.ts";
import { type Database, type OpenDatabase, openSqlite } from "./open-sqlite.ts";
import { FORMAT, formatOf, migrate } from "./schema.ts";
import { takeSideLock } from "./side-lock.ts";
import { sqliteReader, sqliteStore } from "./sqlite-store.ts";
import { corrupt, missing, older, storeError } from "./store-error.ts";

/** How long a statement waits for another process's write: those last for one fsync. */
const BUSY_MS = 10_000;

/**
 * The store at `path`, for whoever means to take the lease. Looks the whole file over first (of a large one all but the texts); `create` makes it, and its
 * folder, where it is not there. Errors: STORE_MISSING, STORE_CORRUPT, STORE_NEWER, STORE_HELD (an older format, and its
 * holder still runs), STORE_FULL, STORE_IO, STORE_BUSY.
 */
export async function openStore(path: string, { create = false } = {}): Promise<Store & Inbox> {
  const open = await openSqlite();
  return translated(path, () => {
    if (create && !sizeOf(path)) createStore(open, resolve(path));
    const real = mustBeFile(path);
    const format = look(open, real, (database) => {
      for (const table of checked(database, real)) {
        const { quick_check } = database.prepare(`PRAGMA quick_check(${table})`).get() as { quick_check: string };
        if (quick_check !== "ok") throw corrupt(path, quick_check);
      }
    });
    return sqliteStore(
      connected(open, real, (connection) => {
        if (format < FORMAT) migrateAlone(connection);
        // Under the write-ahead log nobody waits for a reader, and a reader sees one state.
        connection.database.exec("PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 67108864");
      }),
    );
  });
}

/** The same store for reading and for posting requests: never takes the lease, never commits. Same errors, STORE_OLDER too. */
export async function openReader(path: string): Promise<Reader & Inbox> {
  const open = await openSqlite();
  return translated(path, () => {
    const real = mustBeFile(path);
    const format = look(open, real);
    if (format < FORMAT) throw older(path, format, FORMAT);
    return sqliteReader(connected(open, real));
  });
}

/** A store beyond this is mostly texts, each of which is found to be broken when it is read. */
const WHOLE_BYTES = 64 * 1024 * 1024;

/** What is looked over at an opening, as quick_check takes it: all of it; of a large store all tables but that of texts. */
function checked(database: Database, path: string): readonly string[] {
  if ((sizeOf(path)?.size ?? 0) <= WHOLE_BYTES) return ["1"];
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'blobs'").all();
  return tables.map((table) => `'${(table as { name: string }).name}'`);
}

/** The real path of the store's file. */
function mustBeFile(path: string): string {
  const size = sizeOf(path);
  if (!size) throw missing(path);
  if (!size.isFile()) throw corrupt(path, "it is not a file");
  if (size.size === 0) throw corrupt(path, "the file is empty (0 bytes)");
  return join(realpathSync(dirname(resolve(path))), basename(path));
}

/**
 * Looks a store over, its format in the end. On a connection that cannot write: closing one that can would still bring
 * the log into a file that is broken.
 */
function look(open: OpenDatabase, path: string, further: (database: Database) => void = () => {}): number {
  const database = open(path, { readOnly: true, timeout: BUSY_MS });
  try {
    const format = formatOf(database, path);
    mustBeWhole(database, path);
    further(database);
    return format;
  } finally {
    database.close();
  }
}

function connected(open: OpenDatabase, path: string, prepare: (connection: Connection) => void = () => {}): Connection {
  const connection = connect(path, open(path, { timeout: BUSY_MS }), open);
  try {
    // FULL: what is committed survives the power too. fullfsync: on macOS fsync alone does not reach the disk.
    connection.database.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
    connection.guard(() => prepare(connection));
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * SQLite reads what is missing at the end of a file as zeros, and may not come there for long. Only without a log: with
 * one, pages that are still in the log alone are rightly not in the file.
 */
function mustBeWhole(database: Database, path: string): void {
  const pages = database
    .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size")
    .get();
  const { bytes } = pages as { bytes: number };
  const size = sizeOf(path)?.size ?? 0;
  if (size < bytes && !sizeOf(`${path}-wal`)?.size) throw corrupt(path, `it is cut off: ${size} of ${bytes} bytes`);
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
