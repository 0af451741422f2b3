import { setTimeout as pause } from "node:timers/promises";
import { PawlError } from "../domain/errors.ts";
import type { Holder, Reader } from "../ports/store.ts";

export interface StandBy {
  /** told once per holder that is waited for */
  told(holder: Holder): void;
}

/** How often it is looked whether the holder is gone: a clean end is seen within this time. */
const LOOK_MS = 250;

/** Resolves when nobody holds the store any more. A server that is away for a while is waited for too. */
export async function freed(store: Pick<Reader, "holder">, { told }: StandBy): Promise<void> {
  let known = 0;
  for (;;) {
    const holder = await store.holder().catch(unlessAway);
    if (holder === null || (holder !== "away" && !holder.alive)) return;
    if (holder !== "away" && holder.epoch !== known) told(holder);
    if (holder !== "away") known = holder.epoch;
    await pause(LOOK_MS);
  }
}

function unlessAway(error: unknown): "away" {
  if (error instanceof PawlError && error.retryable) return "away";
  throw error;
}
