import { type FSWatcher, readdirSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { stampOf, statsOf } from "./task-folder.ts";

export interface Watched {
  /** files, and folders with their files; they may change, and need not be there */
  readonly paths: () => readonly string[];
  /** folder in which they may appear */
  readonly root: string;
  readonly signal: AbortSignal;
}

const POLL_MS = 4_000;
/** An editor writes a file in several steps. */
const SETTLE_MS = 50;

/** Gives a hint at once and after each change; ends when the signal aborts. What the system tells is only sooner, never more. */
export async function* watchFiles(watched: Watched): AsyncGenerator<void> {
  const { signal } = watched;
  // The bell first: what changes while the files are looked at rings it.
  const bell = ringOnEvents(watched);
  try {
    let seen = await fingerprint(watched.paths());
    // What changed since the files were last read, before anybody watched, is in `seen` already: so look once more.
    if (!signal.aborted) yield;
    while (!signal.aborted) {
      await rungOrLate(bell.rung(), signal);
      if (signal.aborted) return;
      bell.listen();
      await pause(SETTLE_MS, signal);
      const now = await fingerprint(watched.paths());
      if (now === seen || signal.aborted) continue;
      seen = now;
      yield;
    }
  } finally {
    bell.close();
  }
}

async function rungOrLate(rung: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  await Promise.race([rung, pause(POLL_MS, AbortSignal.any([signal, over.signal]))]);
  over.abort();
}

const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
};

/** Names, sizes and times of all files, as one text. */
async function fingerprint(paths: readonly string[]): Promise<string> {
  const stamps: string[] = [];
  for (const path of paths) {
    const stats = statsOf(path);
    stamps.push(`${path} ${stats?.isDirectory() ? "folder" : stampOf(stats)}`);
    if (!stats?.isDirectory()) continue;
    for (const [index, name] of namesIn(path).entries()) {
      if (index % 200 === 199) await turn();
      stamps.push(`${name} ${stampOf(statsOf(join(path, name)))}`);
    }
  }
  return stamps.join("\n");
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /\.(md|ya?ml)$/.test(name));
  } catch {
    return [];
  }
}

/** Rings when the system tells of a change in one of the folders. Where it cannot tell, it stays silent. */
function ringOnEvents({ paths, root }: Watched) {
  const watchers = new Map<string, FSWatcher>();
  let ring: () => void = () => undefined;
  let rung = new Promise<void>((done) => {
    ring = done;
  });
  const stop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  const start = (folder: string, of: (name: string) => boolean): void => {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (_, name) => (name === null || of(name) ? ring() : undefined));
      // A folder that is taken away, or too many watches: the poll goes on without it.
      watcher.on("error", () => stop(folder));
      watchers.set(folder, watcher);
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
  return { rung: () => rung, listen, close: () => [...watchers.keys()].forEach(stop) };
}
