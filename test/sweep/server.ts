import { addressOf, type ServerAddress } from "../../src/adapters/store/address.ts";
import { Link } from "../../src/adapters/store/postgres/link.ts";
import type { Cluster } from "../support/cluster.ts";

/** Gives the address of a new store each time: a schema of its own on that server. */
export function newStores(cluster: Cluster): () => string {
  let made = 0;
  return () => cluster.url({ parameters: { schema: `trial_${++made}` } });
}

/** The time of a lease passes, whose holder was killed. A short lease would be lost by one that lives on a busy machine. */
export async function timePasses(address: string): Promise<void> {
  const link = new Link(addressOf(address) as ServerAddress, process.env);
  // Killed before there was a store: then there is nothing to wait for.
  await link.ask(`UPDATE ${link.schema}.lease SET until = clock_timestamp()`).catch(() => {});
  await link.close();
}
