import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/index.ts";
import type { SpawnWish } from "../../../src/domain/intent.ts";
import { runPawl } from "../pawl-engine.ts";
import { type Peer, PHASES, type Work } from "./peer.ts";

const numberIn = (name: string): number => Number(/\d+$/.exec(name)![0]);

async function run({ tasks, inFlight, ledger, ground, ended }: Work): Promise<void> {
  const address = ground.server ? withSchema(ground.server.address) : join(ground.folder, "store.db");
  const store = await openStore(address, { create: true });
  const work = ({ leg, phase }: SpawnWish) => ledger.write(numberIn(leg.split("/")[0]!), numberIn(phase));
  await runPawl({ store, tasks, phases: PHASES, inFlight, work }, { ended });
  await store.close();
}

const withSchema = (address: string): string => `${address}${address.includes("?") ? "&" : "?"}schema=pawl`;

export const pawlOnSqlite: Peer = {
  name: "Pawl, SQLite",
  packages: [],
  settings:
    "as shipped: synchronous = FULL, write-ahead log; a step is a run of an agent phase with a worker in memory",
  server: null,
  run,
};

export const pawlOnPostgres: Peer = {
  name: "Pawl, PostgreSQL",
  packages: [],
  settings: "as shipped; the same",
  server: "postgres",
  run,
};
