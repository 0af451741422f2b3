export { openReader, openStore } from "./open.ts";
