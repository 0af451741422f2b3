import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** What one stream of 4 KiB appends, each with its fsync, makes in a second on the disk of `folder`. */
export function fsyncsPerSecond(folder: string, ms = 1_500): number {
  const path = join(folder, "stream");
  const file = openSync(path, "a");
  const page = Buffer.alloc(4096, 1);
  const start = performance.now();
  let n = 0;
  for (; performance.now() - start < ms; n++) {
    writeSync(file, page);
    fsyncSync(file);
  }
  closeSync(file);
  rmSync(path);
  return n / ((performance.now() - start) / 1000);
}
