import { idKey } from "../../domain/names.ts";
import type { Database } from "./open-sqlite.ts";
import { corrupt, newer } from "./store-error.ts";

/**
 * What makes format n+1 of format n, oldest first; the last one makes today's. A released one is never edited.
 *
 * tasks: one row per task that is known. `picked`: 0, `json` is a Seed; 1, it is a Task. `busy`: 1 where a picked-up
 * task is still to be worked on (see place.ts); `key`: its id as idKey has it, so that an index gives the natural order.
 * requests: `accepted` is null until it is answered.
 */
export const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE ticks (
     seq INTEGER PRIMARY KEY, now INTEGER NOT NULL, epoch INTEGER NOT NULL, build TEXT NOT NULL,
     inputs TEXT NOT NULL, facts TEXT NOT NULL);
   CREATE TABLE tasks (
     id TEXT PRIMARY KEY, picked INTEGER NOT NULL, busy INTEGER NOT NULL, status TEXT NOT NULL, synced INTEGER NOT NULL,
     merged TEXT, json TEXT NOT NULL);
   CREATE INDEX tasks_by_place ON tasks (picked, busy, id, status, synced, merged);
   CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL);
   CREATE TABLE maps (hash TEXT PRIMARY KEY, json TEXT NOT NULL);
   CREATE TABLE backlog (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL);
   CREATE TABLE requests (
     n INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, by TEXT NOT NULL, task TEXT, command TEXT NOT NULL,
     at INTEGER NOT NULL, accepted INTEGER, reply TEXT);
   CREATE INDEX requests_unread ON requests (n) WHERE accepted IS NULL;
   CREATE TABLE holders (epoch INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, since INTEGER NOT NULL);`,
  (database) => {
    database.exec("ALTER TABLE tasks ADD COLUMN key TEXT NOT NULL DEFAULT ''; DROP INDEX tasks_by_place");
    const put = database.prepare("UPDATE tasks SET key = ? WHERE id = ?");
    const tasks = database.prepare("SELECT id FROM tasks").all() as readonly { readonly id: string }[];
    for (const { id } of tasks) put.run(idKey(id), id);
    database.exec("CREATE INDEX tasks_by_place ON tasks (picked, busy, status, key, id, synced, merged)");
  },
];

/** What SQL cannot say is a function. */
type Migration = string | ((database: Database) => void);

const done = (database: Database, step: Migration): void =>
  typeof step === "string" ? database.exec(step) : step(database);

/** The format that this build reads and writes. */
export const FORMAT = MIGRATIONS.length;

/** The format of a store; throws STORE_CORRUPT where this is no store, STORE_NEWER where it is from a newer build. */
export function formatOf(database: Database, path: string, known = FORMAT): number {
  const isStore = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'").get();
  if (!isStore) throw corrupt(path, "it is a database, but not one of pawl's");
  const row = database.prepare("SELECT value FROM meta WHERE key = 'format'").get() as { value: unknown } | undefined;
  if (typeof row?.value !== "number") throw corrupt(path, "it does not say its format");
  if (row.value > known) throw newer(path, row.value, known);
  return row.value;
}

/** Makes an empty database a store of today's format. */
export function found(database: Database): void {
  database.exec(`BEGIN;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    INSERT INTO meta VALUES ('format', ${FORMAT});`);
  for (const step of MIGRATIONS) done(database, step);
  database.exec("COMMIT");
}

/** Brings a store to today's format, all in one transaction. Only while nobody else works on it. */
export function migrate(database: Database, path: string, migrations = MIGRATIONS): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    const from = formatOf(database, path, migrations.length);
    for (const step of migrations.slice(from)) done(database, step);
    database.prepare("UPDATE meta SET value = ? WHERE key = 'format'").run(migrations.length);
    database.exec("COMMIT");
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Ends a transaction that failed. SQLite has ended it itself after some errors (a full disk): that is no second error. */
export function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // No transaction is open any more.
  }
}
