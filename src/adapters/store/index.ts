export { isServer, serverFrom, shownAddress } from "./address.ts";
export { openReader, openStore } from "./open-any.ts";
