import type { Database, OpenDatabase, OpenOptions } from "../../ports/database.ts";

export type { Database, OpenDatabase, Statement, Value } from "../../ports/database.ts";

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options: OpenOptions) => Database;
}

/**
 * Below this, two connections that write and checkpoint at once can lose committed writes (the WAL-reset fault, fixed
 * in SQLite 3.51.3): Node's own SQLite counts from this version on.
 */
const SAFE = [3, 51, 3] as const;

/** How to open a database, with whichever SQLite is right here. Loads it at the first call, never at start. */
export async function openSqlite(): Promise<OpenDatabase> {
  const { DatabaseSync } = await (isSafe(process.versions.sqlite) ? builtIn() : bundled());
  return (path, options = {}) => new DatabaseSync(path, options);
}

/** Which SQLite runs here, for `pawl doctor`: its version, and whether it is Node's own or the package's. */
export async function sqliteVersion(): Promise<{ readonly version: string; readonly from: string }> {
  const database = (await openSqlite())(":memory:");
  try {
    const { version } = database.prepare("SELECT sqlite_version() AS version").get() as { version: string };
    return { version, from: isSafe(process.versions.sqlite) ? "node:sqlite" : "@photostructure/sqlite" };
  } finally {
    database.close();
  }
}

/** Whether a SQLite of that version is free of the fault above; undefined: there is none. */
export function isSafe(version: string | undefined): boolean {
  const parts = (version ?? "0").split(".").map(Number);
  const differs = SAFE.findIndex((wanted, i) => (parts[i] ?? 0) !== wanted);
  return differs === -1 || (parts[differs] ?? 0) > SAFE[differs]!;
}

const bundled = (): Promise<SqliteModule> => import("@photostructure/sqlite");

// Not a literal: a bundler, or the types of an older Node, must not look for it.
const BUILT_IN: string = "node:sqlite";

async function builtIn(): Promise<SqliteModule> {
  const warn = process.emitWarning;
  // Node says at the first import that its SQLite is experimental: nothing that the user of a command can act on.
  process.emitWarning = () => {};
  try {
    return await import(BUILT_IN);
  } finally {
    process.emitWarning = warn;
  }
}
