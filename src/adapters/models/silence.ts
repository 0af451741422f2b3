import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import { type AskFailed, passes } from "./failure.ts";

export interface Quiet {
  readonly clock: Clock;
  /** how long it may say nothing, at this moment; asked again at each look, and it may become shorter */
  readonly boundMs: () => Ms;
}

/** Watches over one request: its `signal` ends it when the caller wants that, or when nothing was heard for too long. */
export interface Silence {
  readonly signal: AbortSignal;
  /** something came */
  readonly heard: () => void;
  readonly end: () => void;
  /** what was too long, or null: nothing was */
  readonly why: () => AskFailed | null;
}

export function watch({ clock, boundMs }: Quiet, caller: AbortSignal | null): Silence {
  const over = new AbortController();
  const request = new AbortController();
  let last = clock.read().mono;
  let why: AskFailed | null = null;
  const passOn = () => request.abort(caller?.reason);
  const look = async (): Promise<void> => {
    for (let left = boundMs(); left > 0; left = boundMs() - (clock.read().mono - last)) {
      await clock.sleep(Math.min(left, LOOK_MS), over.signal);
      if (over.signal.aborted) return;
    }
    why = passes(`it said nothing for ${Math.round(boundMs() / 1_000)} s`);
    request.abort(why);
  };
  if (caller?.aborted) passOn();
  caller?.addEventListener("abort", passOn, { once: true });
  void look();
  return {
    signal: request.signal,
    heard: () => {
      last = clock.read().mono;
    },
    end: () => {
      over.abort();
      caller?.removeEventListener("abort", passOn);
    },
    why: () => why,
  };
}
/** A bound that became shorter is noticed within this time. */
const LOOK_MS = 15_000;
