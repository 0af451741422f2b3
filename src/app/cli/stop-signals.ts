import { fstatSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { EXIT } from "./exit-code.ts";
import { onReaderGone } from "./streams.ts";

/** What ends the processor from outside, in words. */
const ORDERS = {
  SIGINT: "Ctrl+C",
  SIGTERM: "SIGTERM",
  SIGHUP: "SIGHUP (the terminal was closed)",
  gone: "its reader, which went away",
} as const;
export type StopOrder = keyof typeof ORDERS;
export const inWords = (order: StopOrder): string => ORDERS[order];

/** While it listens, each of these is told once, and ends nothing by itself; a second Ctrl+C or SIGTERM ends the process at once. */
export function onStopOrder(told: (order: StopOrder) => void): { readonly off: () => void } {
  let first = true;
  const tell = (order: StopOrder): void => {
    if (first) told(order);
    first = false;
  };
  const again = (order: "SIGINT" | "SIGTERM") => (): void => {
    if (!first) process.exit(EXIT.interrupted);
    tell(order);
  };
  const [int, term] = [again("SIGINT"), again("SIGTERM")];
  const nohup = isUnderNohup();
  const hangUp = (): void => (nohup ? undefined : tell("SIGHUP"));
  process.on("SIGINT", int);
  process.on("SIGTERM", term);
  process.on("SIGHUP", hangUp);
  const forget = onReaderGone(() => tell("gone"));
  return {
    off() {
      process.off("SIGINT", int);
      process.off("SIGTERM", term);
      process.off("SIGHUP", hangUp);
      forget();
    },
  };
}

/**
 * Started with nohup: a closed terminal is not to end it. Node gives SIGHUP its usual meaning back, so what is left to be
 * seen is what nohup does to the streams: a stdin that nobody can read from, or a nohup.out.
 */
function isUnderNohup(): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync("/proc/self/fdinfo/0", "utf8"))?.[1];
    if (flags?.endsWith("1")) return true;
  } catch {
    // Only Linux tells.
  }
  const out = fstatSync(1);
  return [process.cwd(), homedir()].some((folder) => {
    const file = statSync(join(folder, "nohup.out"), { throwIfNoEntry: false });
    return file !== undefined && file.ino === out.ino && file.dev === out.dev;
  });
}
