import type { Cluster } from "../support/cluster.ts";

/** Long enough that a busy machine does not lose it, short enough to be waited for after each kill. */
const LEASE_MS = 3_000;

/** Gives the address of a new store each time: a schema of its own on that server. */
export function newStores(cluster: Cluster): () => string {
  let made = 0;
  return () => cluster.url({ parameters: { schema: `trial_${++made}`, lease_ms: String(LEASE_MS) } });
}
