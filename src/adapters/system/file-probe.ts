import { appendFileSync, renameSync, statSync } from "node:fs";
import type { Probe } from "../../ports/probe.ts";

const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Events as JSON lines in a file, each with its time; at 16 MiB the file is put aside as `.1` and begun anew. A file
 * that cannot be written loses events, and nothing else.
 */
export function fileProbe(path: string, now: () => number = Date.now): Probe {
  let size = sizeOf(path);
  return {
    record(event) {
      const line = `${JSON.stringify({ at: new Date(now()).toISOString(), ...event })}\n`;
      try {
        if (size > MOST_BYTES) {
          renameSync(path, `${path}.1`);
          size = 0;
        }
        appendFileSync(path, line);
        size += line.length;
      } catch {
        // the contract: may lose events, never throws
      }
    },
  };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
