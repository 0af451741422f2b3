import { randomUUID } from "node:crypto";
import type { Instant } from "../../../domain/names.ts";
import type { Holder, Lease, Store } from "../../../ports/store.ts";
import type { Link } from "./link.ts";

/** The lease as one open store sees it. */
export interface Leasing {
  readonly lease: Store["lease"];
  /** whether this store has the lease of that epoch, as far as its own clocks say; aborts `lost` when it no longer has */
  holds(epoch: number): boolean;
  /** aborts when the lease of that epoch is known to be lost; null: it is not this store's */
  lost(epoch: number): AbortSignal | null;
  /** the server says that it is another's: aborts `lost` */
  lose(): void;
  release(): Promise<void>;
}

interface Held {
  readonly epoch: number;
  readonly token: string;
  readonly lost: AbortController;
  /** when it ends for us unless it is renewed, on both clocks: one stands still while the machine sleeps, one may be set */
  end: { readonly wall: number; readonly mono: number };
  renewed: number;
  beat: NodeJS.Timeout | null;
}

/** Parts of the lease's time: when it is renewed, how often the clocks are looked at, and when it is over for the holder. */
const RENEW_AT = 0.25;
const BEAT_AT = 0.05;
const OVER_AT = 0.8;

/**
 * One holder per store: free → held (the row names us, until a time of the server's clock) → free (released) or lost (not
 * renewed in time by a clock of ours, or taken by another epoch). It renews itself at a quarter of its time, and is over
 * for its holder at four fifths of it: nobody else can have it before that. Lost never becomes held again.
 */
export function leasing(link: Link, leaseMs: number): Leasing {
  let held: Held | null = null;
  const end = (sent: ReturnType<typeof clocks>): Held["end"] => ({
    wall: sent.wall + leaseMs * OVER_AT,
    mono: sent.mono + leaseMs * OVER_AT,
  });
  const lose = (one: Held): void => {
    if (one.beat) clearInterval(one.beat);
    one.lost.abort();
  };
  const isOver = ({ end: { wall, mono } }: Held): boolean => clocks().wall >= wall || clocks().mono >= mono;
  const isHeld = (one: Held): boolean => {
    if (!one.lost.signal.aborted && isOver(one)) lose(one);
    return held === one && !one.lost.signal.aborted;
  };
  const renew = async (one: Held): Promise<void> => {
    const sent = clocks();
    one.renewed = sent.mono;
    const values = [one.epoch, one.token, leaseMs];
    const rows = await link.ask(RENEW(link.schema), values, { ms: leaseMs, until: one.lost.signal });
    if (rows.length === 0 && held === one) lose(one);
    else one.end = end(sent);
  };
  const beat = (one: Held): void => {
    if (!isHeld(one) || clocks().mono - one.renewed < leaseMs * RENEW_AT) return;
    // The server refuses or is away: the clocks say when that is too long.
    renew(one).catch(() => {});
  };
  const release = async (one = held): Promise<void> => {
    if (!one || held !== one) return;
    if (one.beat) clearInterval(one.beat);
    held = null;
    // Over anyway: then it ends by itself, also where the server is away.
    if (!one.lost.signal.aborted)
      await link.ask(RELEASE(link.schema), [one.epoch, one.token], { ms: 1_000 }).catch(() => {});
  };
  return {
    holds: (epoch) => held?.epoch === epoch && isHeld(held),
    lost: (epoch) => (held?.epoch === epoch ? held.lost.signal : null),
    lose: () => void (held && lose(held)),
    release: () => release(),
    async lease({ pid, host, now }) {
      const token = randomUUID();
      const sent = clocks();
      const [taken] = await link.ask<{ readonly epoch: number }>(TAKE(link.schema), [token, pid, host, now, leaseMs], {
        ms: leaseMs / 2,
      });
      if (!taken) return { heldBy: { ...(await holderOf(link))!, alive: true } };
      // One that was lost before is over with the new one.
      await release();
      const one: Held = {
        epoch: taken.epoch,
        token,
        lost: new AbortController(),
        end: end(sent),
        renewed: sent.mono,
        beat: null,
      };
      held = one;
      one.beat = setInterval(() => beat(one), leaseMs * BEAT_AT).unref();
      return { lease: leaseOf(one, { isHeld, release }) };
    },
  };
}

function leaseOf(
  one: Held,
  { isHeld, release }: { isHeld: (one: Held) => boolean; release: (one: Held) => Promise<void> },
): Lease {
  return {
    epoch: one.epoch,
    get until() {
      return Math.floor(one.end.wall) as Instant;
    },
    lost: one.lost.signal,
    renew: async () => isHeld(one),
    release: () => release(one),
  };
}

/** The newest holder, as the server's clock sees it; null: there was none yet. */
export async function holderOf(link: Link, patienceMs = 0): Promise<Holder | null> {
  const text = `SELECT pid, host, since, epoch, until > clock_timestamp() AS alive FROM ${link.schema}.lease`;
  const [row] = await link.ask<Holder>(text, [], { ms: patienceMs });
  return row ?? null;
}

const clocks = () => ({ wall: Date.now(), mono: performance.now() });

/** Of an attempt whose answer was lost the second try finds the token, and gives the same epoch. */
const TAKE = (schema: string): string =>
  `INSERT INTO ${schema}.lease AS l (one, epoch, token, pid, host, since, until)
   VALUES (1, 1, $1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
   ON CONFLICT (one) DO UPDATE SET
     epoch = CASE WHEN l.token = excluded.token THEN l.epoch ELSE l.epoch + 1 END,
     token = excluded.token, pid = excluded.pid, host = excluded.host, since = excluded.since,
     until = clock_timestamp() + $5 * interval '1 millisecond'
   WHERE l.until <= clock_timestamp() OR l.token = excluded.token
   RETURNING epoch`;

const RENEW = (schema: string): string =>
  `UPDATE ${schema}.lease SET until = clock_timestamp() + $3 * interval '1 millisecond'
   WHERE epoch = $1 AND token = $2 AND until > clock_timestamp() RETURNING 1`;

const RELEASE = (schema: string): string =>
  `UPDATE ${schema}.lease SET until = clock_timestamp()
   WHERE epoch = $1 AND token = $2 AND until > clock_timestamp()`;
