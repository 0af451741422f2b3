import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/index.ts";
import { runPawl } from "../pawl-engine.ts";
import { type Peer, PHASES, type Ran, startWatch, type Work } from "./peer.ts";

const numberIn = (name: string): number => Number(/\d+$/.exec(name)![0]);

async function run({ tasks, inFlight, ledger, ground }: Work): Promise<Ran> {
  const address = ground.server ? withSchema(ground.server.address) : join(ground.folder, "store.db");
  const store = await openStore(address, { create: true });
  let read: () => Ran = () => ({ seconds: Number.NaN, cpuMs: 0, serverMs: 0 });
  let ran = read();
  await runPawl(
    {
      store,
      tasks,
      phases: PHASES,
      inFlight,
      work: ({ leg, phase }) => ledger.write(numberIn(leg.split("/")[0]!), numberIn(phase)),
    },
    () => (read = startWatch(ground)),
    () => (ran = read()),
  );
  await store.close();
  return ran;
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
