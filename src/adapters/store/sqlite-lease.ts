import type { Holder, Lease, Store } from "../../ports/store.ts";
import type { Connection } from "./connection.ts";
import { isLocked, type SideLock, takeSideLock } from "./side-lock.ts";

/** The lease as one open store sees it. */
export interface Leasing {
  readonly lease: Store["lease"];
  /** the newest holder; null: there was none yet */
  holder(): Holder | null;
  /** whether this store has the lease of that epoch, as far as the side file says; aborts `lost` when it no longer has */
  holds(epoch: number): boolean;
  /** the epoch was overtaken: aborts `lost` */
  lose(): void;
  release(): void;
}

interface Held {
  readonly epoch: number;
  readonly lock: SideLock;
  readonly lost: AbortController;
  readonly watch: NodeJS.Timeout;
}

/** How often a holder that commits nothing looks whether its side file is still there. */
const WATCH_MS = 1_000;

/**
 * One holder per store: free → held (side lock taken, epoch raised durably) → free (released, closed, or the process
 * died) or lost (the side file was taken away, or another epoch came). Lost never becomes held again.
 */
export function leasing(connection: Connection): Leasing {
  let held: Held | null = null;
  const holder = (): Holder | null =>
    connection.guard(() => {
      const row = newest(connection);
      return row && { ...row, alive: isLocked(connection.open, connection.path) };
    });
  const holds = (epoch: number): boolean => {
    if (held?.epoch !== epoch || held.lost.signal.aborted) return false;
    if (!held.lock.isThere()) held.lost.abort();
    return !held.lost.signal.aborted;
  };
  const release = (epoch = held?.epoch): void => {
    if (!held || held.epoch !== epoch) return;
    clearInterval(held.watch);
    held.lock.release();
    held = null;
  };
  return {
    holder,
    holds,
    release: () => release(),
    lose: () => held?.lost.abort(),
    async lease(who) {
      const lock = connection.guard(() => takeSideLock(connection.open, connection.path));
      if (!lock) return { heldBy: { ...(await somebody(connection)), alive: true } };
      try {
        const epoch = raise(connection, who);
        const lost = new AbortController();
        const watch = setInterval(() => holds(epoch), WATCH_MS).unref();
        // One that was lost before is over with the new one.
        release();
        held = { epoch, lock, lost, watch };
      } catch (error) {
        lock.release();
        throw error;
      }
      return { lease: leaseOf(held, holds, release) };
    },
  };
}

const leaseOf = (
  { epoch, lost }: Held,
  holds: (epoch: number) => boolean,
  release: (epoch: number) => void,
): Lease => ({
  epoch,
  until: null,
  lost: lost.signal,
  renew: async () => holds(epoch),
  release: async () => release(epoch),
});

/** Makes `who` the newest holder and gives the new epoch; durable when it returns. */
const raise = (connection: Connection, who: Parameters<Store["lease"]>[0]): number =>
  connection.writing(() => {
    const epoch = (newest(connection)?.epoch ?? 0) + 1;
    connection.sql("INSERT INTO holders VALUES (?, ?, ?, ?)").run(epoch, who.pid, who.host, who.now);
    return epoch;
  });

const newest = (connection: Connection): Omit<Holder, "alive"> | null => {
  const row = connection.sql("SELECT epoch, pid, host, since FROM holders ORDER BY epoch DESC LIMIT 1").get();
  return (row as Omit<Holder, "alive"> | undefined) ?? null;
};

/** Who took the lock. The very first holder has it an instant before its name is in the store. */
async function somebody(connection: Connection): Promise<Omit<Holder, "alive">> {
  for (let tries = 0; tries < 40; tries++) {
    const row = connection.guard(() => newest(connection));
    if (row) return row;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return { pid: 0, host: "unknown", since: 0 as Holder["since"], epoch: 0 };
}
