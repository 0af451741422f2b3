import type { Clock } from "../../src/ports/clock.ts";

export interface PushedClock extends Clock {
  /** so many ms later: who slept until then, or less long, wakes */
  push(ms: number): void;
}

/** A clock that stands still until it is pushed. `wall` starts at a time of 2026, `mono` at 0. */
export function pushedClock(): PushedClock {
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let mono = 0;
  return {
    read: () => ({ wall: START + mono, mono }),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || ms <= 0) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { until: mono + ms, wake };
        sleepers.add(sleeper);
        signal.addEventListener("abort", wake, { once: true });
      }),
    push: (ms) => {
      mono += ms;
      for (const sleeper of [...sleepers]) if (sleeper.until <= mono) sleeper.wake();
    },
  };
}
const START = Date.UTC(2026, 10, 28, 12);
