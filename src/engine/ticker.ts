import type { Instant, Ms } from "../domain/names.ts";
import type { Clock, Reading } from "../ports/clock.ts";

/** Wall minus monotonic time over this says: the machine slept, or its clock was set. */
const GAP_MS = 30_000;

/** The log's clock: one wall reading per tick, never back; a jump is told apart from time that was lived through. */
export class Ticker {
  readonly #clock: Clock;
  #last: Reading;
  #now: Instant;

  constructor(clock: Clock, now: Instant) {
    this.#clock = clock;
    this.#last = clock.read();
    this.#now = Math.max(now, this.#last.wall) as Instant;
  }
  /** how long until `at`, as of the last reading */
  until(at: Instant): Ms {
    return at - Math.floor(this.#now);
  }
  /** `gapMs` > 0: so much wall time passed that nobody lived through */
  read(): { readonly now: Instant; readonly gapMs: number } {
    const reading = this.#clock.read();
    const walled = reading.wall - this.#last.wall;
    const lived = reading.mono - this.#last.mono;
    this.#last = reading;
    // set back, the clock is not believed: the log goes on by what was lived through, or nothing would fall due for hours
    this.#now = Math.max(reading.wall, this.#now + Math.max(lived, 0)) as Instant;
    return { now: Math.floor(this.#now) as Instant, gapMs: walled - lived > GAP_MS ? Math.round(walled - lived) : 0 };
  }
}
