import { setTimeout as sleep } from "node:timers/promises";
import type { Ms } from "../domain/names.ts";

/** A hint for all who listen. Those that come while nobody could hear them are one when somebody can. */
export interface Bell {
  ring(): void;
  rings(signal: AbortSignal): AsyncIterable<void>;
}

/** `gapMs`: after a hint nobody hears the next one sooner. */
export function createBell(gapMs: Ms = 0): Bell {
  const listeners = new Set<() => void>();
  return {
    ring: () => {
      for (const hear of listeners) hear();
    },
    async *rings(signal) {
      let isRung = false;
      let wake = () => {};
      const hear = () => {
        isRung = true;
        wake();
      };
      listeners.add(hear);
      signal.addEventListener("abort", hear, { once: true });
      try {
        while (!signal.aborted) {
          if (!isRung) await new Promise<void>((resolve) => (wake = resolve));
          if (signal.aborted) return;
          isRung = false;
          yield;
          if (gapMs > 0) await sleep(gapMs, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        listeners.delete(hear);
        signal.removeEventListener("abort", hear);
      }
    },
  };
}
