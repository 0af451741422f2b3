import { onTestFinished } from "vitest";
import { inboxContract } from "../../../../test/contracts/inbox.contract.ts";
import { storeContract } from "../../../../test/contracts/store.contract.ts";
import { onPostgres } from "../../../../test/support/postgres.ts";
import { openStore } from "../open-any.ts";

onPostgres("on a real server", {}, (server) => {
  const make = async () => {
    const address = server.address();
    return async () => {
      const store = await openStore(address, { create: true });
      onTestFinished(() => store.close());
      return store;
    };
  };

  storeContract("PostgreSQL", make);
  inboxContract("PostgreSQL", make);
});
