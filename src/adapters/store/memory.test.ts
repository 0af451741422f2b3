import { inboxContract } from "../../../test/contracts/inbox.contract.ts";
import { storeContract } from "../../../test/contracts/store.contract.ts";
import { memoryStore } from "./memory.ts";

const make = async () => {
  const store = memoryStore();
  return async () => store;
};

storeContract("memory", make);
inboxContract("memory", make);
