import { lastBytes } from "./kept.ts";

const TAIL_BYTES = 64 * 1024;

/** A log that holds at most about `maxBytes`: its end too, whatever amount is written; memory stays bounded. */
export interface BoundedLog {
  push(part: Uint8Array): void;
  /** bytes seen so far */
  seen(): number;
  /** what is kept of the end */
  tail(): Buffer;
  /** writes the end, and a line about what was cut; gives how many bytes are there and how many are not */
  finish(): { readonly bytes: number; readonly cut: number };
}

/** `write` gives how many bytes it took: a disk that is full cuts the log, never what is logged. */
export function boundedLog(maxBytes: number, write: (bytes: Uint8Array) => number): BoundedLog {
  const tailRoom = Math.min(TAIL_BYTES, Math.floor(maxBytes / 2));
  const headRoom = maxBytes - tailRoom;
  const end = lastBytes(TAIL_BYTES);
  let seen = 0;
  let written = 0;
  return {
    push(part) {
      seen += part.length;
      const room = headRoom - written;
      if (room > 0) written += write(part.subarray(0, room));
      end.push(part);
    },
    seen: () => seen,
    tail: () => end.bytes(),
    finish() {
      const tail = end.bytes();
      const rest = tail.subarray(tail.length - Math.min(seen - written, tailRoom, tail.length));
      const cut = Math.max(0, seen - written - rest.length);
      if (cut > 0) write(Buffer.from(`\n[pawl: ${cut} bytes of ${seen} are cut here]\n`));
      if (seen > written) write(rest);
      return { bytes: seen - cut, cut };
    },
  };
}
