import { PawlError } from "../domain/errors.ts";
import type { Instant } from "../domain/names.ts";
import type { Lease } from "../ports/store.ts";
import type { Parts } from "./parts.ts";

/** Throws STORE_HELD where somebody has it. */
export async function takeLease({ store, who, clock }: Parts): Promise<Lease> {
  const got = await store.lease({ ...who, now: Math.floor(clock.read().wall) as Instant });
  if ("lease" in got) return got.lease;
  const { pid, host, since, epoch } = got.heldBy;
  throw new PawlError(
    "STORE_HELD",
    `the store is held by pid ${pid} on ${host} since ${new Date(since).toISOString()} (epoch ${epoch})`,
    {
      next: "pawl status (look at it)  |  pawl stop (end it)  |  approve, retry … work now",
      data: { holder: got.heldBy },
    },
  );
}

export const leaseLost = (reason: unknown): PawlError =>
  new PawlError(
    "LEASE_LOST",
    `this processor lost the store (${reason instanceof Error ? reason.message : String(reason)}); it stops, and the next one goes on`,
    { next: "pawl run" },
  );
