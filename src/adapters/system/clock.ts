import type { Clock } from "../../ports/clock.ts";

/** The clocks of this machine. `mono` starts with the machine and stands still while it sleeps (CLOCK_MONOTONIC on Linux). */
export const systemClock = (): Clock => ({
  read: () => ({ wall: Date.now(), mono: Number(process.hrtime.bigint() / 1_000n) / 1_000 }),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(ms, 0), MAX_TIMER_MS));
      signal.addEventListener("abort", end, { once: true });
    }),
});
/** setTimeout fires at once beyond 2^31 - 1 ms; a sleep that ends early only means looking again. */
const MAX_TIMER_MS = 2_147_483_647;
