import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { look, type Seen } from "./look-at-files.ts";
import { statsOf } from "./stamps.ts";

export interface Watched {
  /** files, and folders with their files; they may change, and need not be there */
  readonly paths: () => readonly string[];
  /** folder in which they may appear */
  readonly root: string;
  readonly signal: AbortSignal;
  /** what a path was like when it was last read, where that is known: what is like it is not told */
  readonly read?: (path: string) => Seen | null;
}

const POLL_MS = 4_000;
/** Of a large folder, for whose changes the system stands in, everything is looked at so often only. */
const WHOLE_MS = 60_000;
/** An editor writes a file in several steps. */
const SETTLE_MS = 50;

/**
 * Gives a hint at once and after each change; ends when the signal aborts. What the system tells is only sooner, never
 * more: but for large folders on file systems where it tells of all that is done to a file by its name there, of which the
 * rest (a write through a mapping of its memory) is found within a minute.
 */
export async function* watchFiles(watched: Watched): AsyncGenerator<void> {
  const { signal } = watched;
  // The bell first: what changes while the files are looked at rings it.
  const bell = ringOnEvents(watched);
  try {
    let seen = await firstSight(watched);
    let wholeAt = watched.read === undefined ? performance.now() : Number.NEGATIVE_INFINITY;
    // What changed since the files were last read, before anybody watched, is in `seen` already: so look once more.
    if (!signal.aborted) yield;
    while (!signal.aborted) {
      const isRung = await rungOrLate(bell.rung(), signal);
      if (signal.aborted) return;
      bell.listen();
      await pause(SETTLE_MS, signal);
      const isWhole = isRung || performance.now() - wholeAt >= WHOLE_MS;
      if (isWhole) wholeAt = performance.now();
      const before = asRead(watched, seen);
      const now = await lookAtAll(watched.paths(), before, isWhole ? () => false : bell.hears);
      const isSame = isAlike(now, before);
      seen = now;
      if (!isSame && !signal.aborted) yield;
    }
  } finally {
    bell.close();
  }
}

type All = ReadonlyMap<string, Seen>;

/** What was read just now is not looked at again: the first look that is due does. */
async function firstSight({ paths, read }: Watched): Promise<All> {
  const known = new Map(paths().flatMap((path) => entry(path, read?.(path))));
  return new Map([
    ...(await lookAtAll(
      paths().filter((path) => !known.has(path)),
      null,
    )),
    ...known,
  ]);
}

/** What each path is compared with: how it was read, else how it was seen. */
const asRead = ({ paths, read }: Watched, seen: All): All =>
  new Map(paths().flatMap((path) => entry(path, read?.(path) ?? seen.get(path))));

const entry = (path: string, seen: Seen | null | undefined): readonly (readonly [string, Seen])[] =>
  seen ? [[path, seen]] : [];

/** `isTold`: of a folder's changes the system tells, so that one that was seen before is only glanced at. */
async function lookAtAll(
  paths: readonly string[],
  before: All | null,
  isTold: (path: string) => boolean = () => false,
): Promise<All> {
  const seen = new Map<string, Seen>();
  for (const path of paths) seen.set(path, await look(path, before?.get(path) ?? null, isTold(path)));
  return seen;
}

const isAlike = (a: All, b: All): boolean =>
  a.size === b.size && [...a].every(([path, seen]) => b.get(path)?.equals(seen) === true);

/** True: it rang. */
async function rungOrLate(rung: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const late = pause(POLL_MS, AbortSignal.any([signal, over.signal])).then(() => false);
  const isRung = await Promise.race([rung.then(() => true), late]);
  over.abort();
  return isRung;
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
};

/** A watcher goes with its folder when that is renamed: another one may come to its place. */
interface Watcher {
  readonly watcher: FSWatcher;
  readonly ino: number | undefined;
}

/** Rings when the system tells of a change in one of the folders. Where it cannot tell, it stays silent. */
function ringOnEvents({ paths, root }: Watched) {
  const watchers = new Map<string, Watcher>();
  let ring: () => void = () => undefined;
  let rung = new Promise<void>((done) => {
    ring = done;
  });
  const stop = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  const start = (folder: string, of: (name: string) => boolean): void => {
    const ino = statsOf(folder)?.ino;
    if (watchers.get(folder)?.ino === ino) return;
    stop(folder);
    try {
      const watcher = watch(folder, (_, name) => (name === null || of(name) ? ring() : undefined));
      // A folder that is taken away, or too many watches: the poll goes on without it.
      watcher.on("error", () => stop(folder));
      watchers.set(folder, { watcher, ino });
    } catch {
      // It is not there yet: the next time tries again.
    }
  };
  const listen = (): void => {
    const names = new Set(
      paths()
        .filter((path) => dirname(path) === root)
        .map((path) => basename(path)),
    );
    start(root, (name) => names.has(name));
    for (const path of paths()) if (statsOf(path)?.isDirectory()) start(path, (name) => /\.(md|ya?ml)$/.test(name));
    rung = new Promise((done) => {
      ring = done;
    });
  };
  listen();
  const hears = (path: string): boolean => watchers.get(path)?.ino === statsOf(path)?.ino;
  return { rung: () => rung, hears, listen, close: () => [...watchers.keys()].forEach(stop) };
}
