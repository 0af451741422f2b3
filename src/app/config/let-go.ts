import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Task files from which on a reading leaves more behind than the collector should wait for. */
const MANY = 10_000;
/** After the last of some readings: those of a start come one upon the other. */
const SOON_MS = 3_000;
/** When little has been made for a while, the collector also gives back the room that it keeps for what is new (32 MB). */
const QUIET_MS = 10_000;

let collect: (() => void) | null = null;
let timer: NodeJS.Timeout | null = null;

/**
 * A reading of a very large backlog leaves a hundred megabytes behind, and the collector lets as much again come together
 * before it comes by itself: so it is called when the readings are over, and told to let less come together from then on.
 */
export function letGoSoon(files: number): void {
  if (files < MANY) return;
  if (timer !== null) clearTimeout(timer);
  timer = setTimeout(letGo, SOON_MS).unref();
}

function letGo(): void {
  collect ??= collector();
  collect();
  timer = setTimeout(collect, QUIET_MS).unref();
}

function collector(): () => void {
  setFlagsFromString("--heap-growing-percent=20");
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
