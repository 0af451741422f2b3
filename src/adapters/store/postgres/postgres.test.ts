import { afterAll, onTestFinished } from "vitest";
import { inboxContract } from "../../../../test/contracts/inbox.contract.ts";
import { storeContract } from "../../../../test/contracts/store.contract.ts";
import { onPostgres } from "../../../../test/support/postgres.ts";
import { addressOf, type ServerAddress } from "../address.ts";
import { openStore } from "../open-any.ts";
import { Link } from "./link.ts";

const TABLES = ["meta", "lease", "ticks", "tasks", "blobs", "maps", "backlog", "requests"];

onPostgres("on a real server", {}, (server) => {
  let address: string | null = null;
  let link: Link | null = null;
  afterAll(() => link?.close());

  /** The tables of one store, made once and emptied for each test: making them takes longer than most of these. */
  const emptied = async (): Promise<string> => {
    if (address !== null) {
      link ??= new Link(addressOf(address) as ServerAddress, process.env);
      await link.ask(TABLES.map((table) => `DELETE FROM ${link!.schema}.${table}`).join("; "));
      return address;
    }
    address = server.address();
    await (await openStore(address, { create: true })).close();
    return address;
  };
  const make = async () => {
    const address = await emptied();
    return async () => {
      const store = await openStore(address, { create: true });
      onTestFinished(() => store.close());
      return store;
    };
  };

  storeContract("PostgreSQL", make);
  inboxContract("PostgreSQL", make);
});
