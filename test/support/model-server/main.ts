import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { Script } from "./script.ts";
import { startModelServer } from "./server.ts";

/**
 * The scripted models as a program of their own, for what is started, killed and measured in other processes:
 * `tsx main.ts --script FILE [--port N] [--log FILE]`. The file's default export is a script. Its address is the first line
 * on stdout; the log has one line when a request was read and one when it was answered. SIGTERM ends it.
 */
const { values } = parseArgs({
  options: { script: { type: "string" }, port: { type: "string" }, log: { type: "string" } },
});
if (values.script === undefined) throw new Error("--script FILE is missing");
const { default: script } = (await import(pathToFileURL(resolve(values.script)).href)) as { default: Script };
const server = await startModelServer(script, {
  port: Number(values.port ?? 0),
  onLog: (entry) => values.log !== undefined && appendFileSync(values.log, `${JSON.stringify(entry)}\n`),
});
console.log(server.url);
process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
