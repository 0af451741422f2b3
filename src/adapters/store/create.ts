import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { OpenDatabase } from "./open-sqlite.ts";
import { found } from "./schema.ts";
import { corrupt } from "./store-error.ts";

/**
 * Makes an empty store at `path`, and its folder. The file appears whole or not at all: a crash leaves no half a store,
 * and of two who make it at once both find the one that came first. Durable, its name too, when this returns.
 */
export function createStore(open: OpenDatabase, path: string): void {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  refuseLeftovers(path);
  const draft = join(folder, `.${basename(path)}.${process.pid}.${Date.now().toString(36)}`);
  try {
    fill(open, draft);
    publish(draft, path);
  } finally {
    for (const end of ["", "-journal"]) rmSync(draft + end, { force: true });
  }
  syncFolder(folder);
  syncFolder(dirname(folder));
}

/** A log without its store is not nothing: SQLite would play it into the new one. */
function refuseLeftovers(path: string): void {
  const log = `${path}-wal`;
  const { size } = statSync(log, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size > 0 || existsSync(`${path}-journal`))
    throw corrupt(path, `it is gone, but its log ${basename(log)} is still there, with steps that were committed`);
}

function fill(open: OpenDatabase, draft: string): void {
  const database = open(draft);
  try {
    database.exec("PRAGMA synchronous = FULL");
    found(database);
  } finally {
    database.close();
  }
}

function publish(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    // No hard links on this file system: then a rename, which two at once could do after each other.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    if (!existsSync(path)) renameSync(draft, path);
  }
}

/** A new name is durable when its folder is. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
