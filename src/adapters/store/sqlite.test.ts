import { join } from "node:path";
import { onTestFinished } from "vitest";
import { inboxContract } from "../../../test/contracts/inbox.contract.ts";
import { storeContract } from "../../../test/contracts/store.contract.ts";
import { scratch } from "../../../test/support/scratch.ts";
import { openStore } from "./open.ts";

const make = async () => {
  const path = join(scratch(), "state", "store.db");
  return async () => {
    const store = await openStore(path, { create: true });
    onTestFinished(() => store.close());
    return store;
  };
};

storeContract("SQLite", make);
inboxContract("SQLite", make);
