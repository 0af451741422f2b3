export { isServer } from "./address.ts";
export { openReader, openStore } from "./open-any.ts";
