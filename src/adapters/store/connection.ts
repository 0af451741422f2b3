import { type BigIntStats, statSync } from "node:fs";
import type { Database, OpenDatabase, Statement } from "./open-sqlite.ts";
import { rollBack } from "./schema.ts";
import { missing, storeError } from "./store-error.ts";

/** One open store: its database, and what every part of this room needs of it. */
export interface Connection {
  /** real path of the store */
  readonly path: string;
  readonly database: Database;
  /** opens another database with the same SQLite */
  readonly open: OpenDatabase;
  /** aborts when the connection closes */
  readonly closed: AbortSignal;
  /** a statement, prepared once and used again */
  sql(text: string): Statement;
  /** runs `work`; what SQLite throws comes out as a PawlError */
  guard<T>(work: () => T): T;
  /** like guard, in a transaction that reads one state of the store */
  reading<T>(work: () => T): T;
  /** like guard, in a transaction that alone may write: all of it is durable when this returns, or nothing is written */
  writing<T>(work: () => T): T;
  /** throws STORE_MISSING when the file at the path is no longer the one that was opened */
  mustBeThere(): void;
  close(): void;
}

export function connect(path: string, database: Database, open: OpenDatabase): Connection {
  const statements = new Map<string, Statement>();
  const closing = new AbortController();
  const opened = fileAt(path);
  const sql = (text: string): Statement => {
    const known = statements.get(text);
    if (known) return known;
    const made = database.prepare(text);
    statements.set(text, made);
    return made;
  };
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeError(path, error);
    }
  };
  const transaction = <T>(begin: string, work: () => T): T =>
    guard(() => {
      sql(begin).run();
      try {
        const result = work();
        sql("COMMIT").run();
        return result;
      } catch (error) {
        rollBack(database);
        throw error;
      }
    });
  return {
    path,
    database,
    open,
    closed: closing.signal,
    sql,
    guard,
    reading: (work) => transaction("BEGIN", work),
    writing: (work) => transaction("BEGIN IMMEDIATE", work),
    mustBeThere() {
      if (!isSameFile(opened, fileAt(path))) throw missing(path);
    },
    close() {
      if (closing.signal.aborted) return;
      closing.abort();
      checkpoint(database);
      statements.clear();
      database.close();
    },
  };
}

/** Brings the log into the file, so that the file is the whole store; where others read just now, another does it later. */
function checkpoint(database: Database): void {
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Everything is durable in the log as well.
  }
}

/**
 * Which file lies at a path; null: none. By `stat` alone: a process that opens and closes a file loses the locks that
 * its SQLite holds on it.
 */
export const fileAt = (path: string): BigIntStats | null =>
  statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;

export const isSameFile = (a: BigIntStats | null, b: BigIntStats | null): boolean =>
  a !== null && b !== null && a.ino === b.ino && a.dev === b.dev;
