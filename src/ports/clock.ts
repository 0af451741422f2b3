import type { Ms } from "../domain/names.ts";

/** `wall`: ms since 1970, may jump. `mono`: ms, never goes back, may stand still while the machine sleeps. */
export interface Reading {
  readonly wall: number;
  readonly mono: number;
}

/** Contract: `sleep` ends early, without an error, when the signal aborts. */
export interface Clock {
  read(): Reading;
  sleep(ms: Ms, signal: AbortSignal): Promise<void>;
}
