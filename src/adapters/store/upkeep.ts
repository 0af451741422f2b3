import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import { type Database, openSqlite } from "./open-sqlite.ts";
import { formatOf } from "./schema.ts";
import { corrupt, missing, storeError } from "./store-error.ts";

/** What was found in a store whose every page was looked at. */
export interface Checked {
  readonly format: number;
  readonly ticks: number;
  readonly tasks: number;
  readonly bytes: number;
}

/**
 * Looks at every page and index of a store's file, and whether its log has every tick from the first on. Takes no lease:
 * a processor may work meanwhile. Throws STORE_MISSING, STORE_CORRUPT, STORE_NEWER and what opening a store throws.
 */
export async function checkStore(path: string): Promise<Checked> {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw missing(path);
  const database = (await openSqlite())(path, { readOnly: true, timeout: 10_000 });
  try {
    const format = formatOf(database, path);
    const said = database.prepare("PRAGMA integrity_check(5)").all() as { integrity_check: string }[];
    const wrong = said.map(({ integrity_check }) => integrity_check).filter((one) => one !== "ok");
    if (wrong.length > 0) throw corrupt(path, wrong.join("; "));
    const count = (sql: string) => Number((database.prepare(sql).get() as { n: number }).n);
    const [ticks, last] = [
      count("SELECT count(*) AS n FROM ticks"),
      count("SELECT coalesce(max(seq), 0) AS n FROM ticks"),
    ];
    if (ticks !== last) throw corrupt(path, `its log has ${ticks} ticks, and the last is tick ${last}`);
    return { format, ticks, tasks: count("SELECT count(*) AS n FROM tasks"), bytes: file.size };
  } catch (error) {
    const known = storeError(path, error);
    // SQLite's own words, where the driver gives no code for them
    throw known instanceof PawlError
      ? known
      : corrupt(path, known instanceof Error ? known.message : String(known), error);
  } finally {
    database.close();
  }
}

/**
 * Copies a store, whole and of one moment, into a file that is not there yet; a processor may work meanwhile. When it
 * resolves the copy is durable, and was checked. Throws BACKUP_EXISTS, BACKUP_FAILED, and what checkStore throws.
 */
export async function backupStore(path: string, to: string): Promise<Checked> {
  const target = resolve(to);
  if (existsSync(target)) throw exists(target);
  if (!existsSync(path)) throw missing(path);
  const half = join(dirname(target), `.${basename(target)}.${process.pid}.part`);
  begun(half, target);
  const database = (await openSqlite())(path, { readOnly: true, timeout: 10_000 });
  try {
    formatOf(database, path);
    copied(database, half, target);
    const checked = await checkStore(half);
    synced(half);
    if (existsSync(target)) throw exists(target);
    renameSync(half, target);
    synced(dirname(target));
    return checked;
  } catch (error) {
    throw storeError(path, error);
  } finally {
    database.close();
    rmSync(half, { force: true });
  }
}

/** An empty file there: what cannot be written to is no fault of the store. */
function begun(half: string, target: string): void {
  try {
    closeSync(openSync(half, "wx"));
  } catch (error) {
    throw failed(target, error);
  }
}

function copied(database: Database, half: string, target: string): void {
  try {
    database.prepare("VACUUM INTO ?").run(half);
  } catch (error) {
    const isFull = (Number((error as { errcode?: unknown }).errcode) & 0xff) === SQLITE_FULL;
    throw isFull ? failed(target, error) : error;
  }
}
const SQLITE_FULL = 13;

const failed = (target: string, cause: unknown): PawlError =>
  new PawlError("BACKUP_FAILED", `${target} cannot be written: ${cause instanceof Error ? cause.message : cause}`, {
    next: "name a file in a folder that is there, that may be written to, and that has room; the store is as it was.",
    at: { file: target },
    cause,
  });

function synced(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const exists = (file: string): PawlError =>
  new PawlError("BACKUP_EXISTS", "there is a file already, and a backup writes over none", {
    at: { file },
    next: "name another file",
  });
