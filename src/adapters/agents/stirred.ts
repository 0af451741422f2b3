import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import type { LegKey } from "../../domain/names.ts";
import { parseMessageName } from "../../protocol/message-name.ts";
import { LEG_FILES, RUN_FILES } from "../../protocol/run-folder.ts";
import type { LegPlace } from "./leg.ts";

const TELLING: ReadonlySet<string> = new Set([LEG_FILES.ended, RUN_FILES.verdict]);

/** Watches the folders of live legs for what changes a sighting. Only a hint: where a watcher fails, it is looked at later. */
export interface Stirring {
  follow(at: LegPlace): void;
  forget(leg: LegKey): void;
  hints(signal: AbortSignal): AsyncIterable<void>;
}

export function startStirring(): Stirring {
  const watched = new Map<LegKey, readonly FSWatcher[]>();
  const listeners = new Set<() => void>();
  const tell = (_: string, name: string | null) => {
    if (name !== null && (TELLING.has(name) || parseMessageName(name))) for (const wake of listeners) wake();
  };
  const forget = (leg: LegKey) => {
    for (const watcher of watched.get(leg) ?? []) watcher.close();
    watched.delete(leg);
  };
  const places = new Map<LegKey, LegPlace>();
  const follow = (at: LegPlace) => {
    places.set(at.leg, at);
    // nobody listens: no watcher, which would only have to be closed
    if (listeners.size === 0 || watched.has(at.leg)) return;
    watched.set(
      at.leg,
      [at.folder, at.run, join(at.run, RUN_FILES.outbox)].flatMap((folder) => watching(folder, tell)),
    );
  };
  return {
    follow,
    forget(leg) {
      forget(leg);
      places.delete(leg);
    },
    async *hints(signal) {
      let wake = () => {};
      let stirred = true; // the first one at once: something may have happened before anybody listened
      const listener = () => {
        stirred = true;
        wake();
      };
      listeners.add(listener);
      signal.addEventListener("abort", listener, { once: true });
      for (const at of places.values()) follow(at);
      try {
        while (!signal.aborted) {
          if (stirred) {
            stirred = false;
            yield;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        listeners.delete(listener);
        signal.removeEventListener("abort", listener);
        if (listeners.size === 0) for (const leg of [...watched.keys()]) forget(leg);
      }
    },
  };
}

function watching(folder: string, tell: (event: string, name: string | null) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, tell);
    watcher.on("error", () => watcher.close());
    return [watcher];
  } catch {
    return []; // no watcher is left in this system, or the folder is gone
  }
}
