export { memoryStore } from "./memory.ts";
export { openReader, openStore } from "./open.ts";
export { sqliteVersion } from "./open-sqlite.ts";
