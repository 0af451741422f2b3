import { setTimeout as after } from "node:timers/promises";
import type { Clock } from "../../../src/ports/clock.ts";

/** A clock that goes so many times as fast as all others. */
export function hurriedClock(times: number): Clock {
  const start = performance.now();
  const passed = () => (performance.now() - start) * times;
  return {
    read: () => ({ wall: Date.UTC(2026, 10, 28) + passed(), mono: passed() }),
    sleep: (ms, signal) =>
      after(Math.max(0, ms / times), undefined, { signal }).then(
        () => {},
        () => {},
      ),
  };
}
