import { closeSync, openSync, writeSync } from "node:fs";
import { boundedLog } from "../../workspace/commands/bounded-log.ts";
import { withoutHalfStart } from "../../workspace/commands/kept.ts";

/** The log of a leg: what fits in `maxBytes` (its end kept too), whatever amount is written; memory stays bounded. */
export interface Output {
  push(part: Buffer): void;
  /** bytes seen so far */
  seen(): number;
  /** what is kept of the end, as text */
  tail(): string;
  /** writes what is known of the part that was cut, and closes */
  close(): { readonly log_bytes: number; readonly log_cut: number };
}

/** Appends to `path`. A disk that is full cuts the log, never the worker. */
export function openOutput(path: string, maxBytes: number): Output {
  const file = openSync(path, "a");
  const log = boundedLog(maxBytes, (bytes) => {
    try {
      return writeSync(file, bytes);
    } catch {
      return 0;
    }
  });
  return {
    push: log.push,
    seen: log.seen,
    tail: () => withoutHalfStart(log.tail()).toString("utf8"),
    close() {
      const { bytes, cut } = log.finish();
      closeSync(file);
      return { log_bytes: bytes, log_cut: cut };
    },
  };
}
