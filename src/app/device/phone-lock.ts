import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { makeFolder } from "../../adapters/system/make-folder.ts";
import { livesNow, systemProcesses } from "../../adapters/system/processes.ts";
import { PawlError } from "../../domain/errors.ts";
import type { FileLock } from "../../ports/files.ts";
import type { Identity } from "../../ports/system.ts";

/** A phone as everybody finds it who could get in each other's way: two serials are two phones. */
export interface PhonePlace {
  readonly serial: string;
  /** the adb server that has it */
  readonly host: string;
  readonly port: number;
}

export interface Taker {
  /** what is done there, in words for the next one who wants the phone */
  readonly by: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Takes a phone for one run of this user, and gives what frees it again. The kernel frees it at the death of this process,
 * so that nobody waits for a dead one. Durable when this returns: who has it, and since when.
 * Throws SCREEN_TAKEN (who has it, since when), SCREEN_LOCK (it cannot be written down), CANCELLED.
 */
export async function lockPhone(phone: PhonePlace, taker: Taker): Promise<() => void> {
  const path = placeOf(phone, taker.env);
  const lock = await taken(path, phone, taker.signal);
  const free = (): void => {
    // in this order: a note without a lock would name somebody who has nothing
    rmSync(path.note, { force: true });
    lock.release();
  };
  try {
    const note: Note = { by: taker.by, since: new Date().toISOString(), holder: systemProcesses().self };
    replaceFile(path.note, json(note));
    return free;
  } catch (error) {
    free();
    throw unwritten(path.note, error);
  }
}

interface Place {
  readonly lock: string;
  readonly note: string;
}

/** Who has the lock, for others to read; the lock alone decides. */
interface Note {
  readonly by: string;
  /** ISO 8601 */
  readonly since: string;
  readonly holder: Identity;
}

function placeOf({ host, port, serial }: PhonePlace, env: Taker["env"]): Place {
  const home = env.HOME ? env.HOME : homedir();
  const state = env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : join(home, ".local/state");
  const folder = join(state, "pawl", "devices");
  const name = encodeURIComponent(`${["localhost", "::1"].includes(host) ? "127.0.0.1" : host}:${port} ${serial}`);
  return { lock: join(folder, `${name}.lock`), note: join(folder, `${name}.json`) };
}

/** Who is named by the note lives and has it. Where nobody is, somebody just takes it or lets it go: looked at again. */
async function taken({ lock, note }: Place, phone: PhonePlace, signal: AbortSignal): Promise<FileLock> {
  for (let looks = 1; ; looks++) {
    const mine = await tried(lock);
    if (mine !== null) return mine;
    const other = readRecord<Note>(note);
    const isThere = other?.holder !== undefined && livesNow(other.holder) !== "gone";
    if (isThere || looks === MOST_LOOKS) throw inUse(phone, isThere ? other : null);
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {
      throw new PawlError("CANCELLED", "it was cancelled");
    });
  }
}
const LOOK_MS = 25;
const MOST_LOOKS = 80;

async function tried(path: string): Promise<FileLock | null> {
  // the database whose lock it is takes time to load, which who works in a browser has no use for
  const { fileLocks } = await import("../../adapters/store/file-lock.ts");
  try {
    makeFolder(join(path, ".."));
    return await fileLocks()(path);
  } catch (error) {
    throw unwritten(path, error);
  }
}

function inUse({ serial }: PhonePlace, note: Note | null): PawlError {
  const who = note === null ? "another process" : `${note.by} (pid ${note.holder.pid})`;
  const since = note === null ? "" : ` since ${note.since.replace(/\.\d+Z$/, "Z")}`;
  return new PawlError("SCREEN_TAKEN", `adb:${serial} is in use: ${who} works on it${since}`, {
    next: note === null ? "try again." : `wait until it has ended, or end it: kill ${note.holder.pid}`,
    data: note === null ? {} : { by: note.by, pid: note.holder.pid, since: note.since },
    retryable: true,
  });
}

const unwritten = (path: string, error: unknown): PawlError =>
  new PawlError("SCREEN_LOCK", `who works on a phone cannot be noted in ${path}: ${said(error)}`, {
    next: "let this user write there, or name another folder with XDG_STATE_HOME.",
    cause: error,
  });
const said = (error: unknown): string => (error instanceof Error ? error.message : String(error));
