import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openReader } from "../../adapters/store/index.ts";
import { PawlError } from "../../domain/errors.ts";
import type { LoggedTick, Reader, Snapshot } from "../../ports/store.ts";

/** Follows the store from outside, as anybody may: it holds no lease and writes nothing. */
export interface Witness {
  /** every tick so far, oldest first */
  readonly ticks: readonly LoggedTick[];
  load(): Promise<Snapshot>;
  /** waits for a fact, not for a time: resolves with what `look` finds. Rejects when `signal` aborts, or after 240 s */
  until<T>(what: string, signal: AbortSignal, look: (seen: Snapshot) => T | null | Promise<T | null>): Promise<T>;
  close(): Promise<void>;
}

const EVERY_MS = 60;
const PATIENCE_MS = 240_000;

/** `told` hears each tick once, in order. The store may not be there yet. */
export function openWitness(store: string, told: (tick: LoggedTick) => void): Witness {
  const ticks: LoggedTick[] = [];
  let reader: Reader | null = null;

  async function read(): Promise<Snapshot | null> {
    if (reader === null && !existsSync(store)) return null;
    reader ??= await openReader(store);
    for (const tick of await reader.ticks(ticks.at(-1)?.seq ?? 0, 1_000)) {
      ticks.push(tick);
      told(tick);
    }
    return reader.load();
  }

  return {
    ticks,
    async load() {
      const seen = await read();
      if (seen === null) throw new PawlError("DEMO", `there is no store at ${store}`);
      return seen;
    },
    async until(what, signal, look) {
      const end = performance.now() + PATIENCE_MS;
      for (;;) {
        signal.throwIfAborted();
        // The store may just be being made: then it is looked at again.
        const seen = await read().catch((error: unknown) => {
          if (ticks.length > 0) throw error;
          return null;
        });
        if (seen !== null) refuseHeld(seen);
        const found = seen === null ? null : await look(seen);
        if (found !== null) return found;
        if (performance.now() > end) throw new PawlError("DEMO", `the demo waited 240 s for this: ${what}`);
        await pause(EVERY_MS, undefined, { signal });
      }
    },
    async close() {
      await reader?.close();
    },
  };
}

/** Nothing in this backlog fails or is held: waiting on for it would only hide why. */
function refuseHeld({ live, ended }: Snapshot): void {
  for (const { id, status, doing, why } of live) {
    if (status === "failed") throw new PawlError("DEMO", `${id} failed: ${why}`);
    if (doing.kind === "waiting" && doing.on.owner === "human")
      throw new PawlError("DEMO", `${id} is held: ${doing.on.reason}`);
  }
  const failed = ended.find(({ status }) => status === "failed");
  if (failed) throw new PawlError("DEMO", `${failed.id} failed`);
}
