import { closeSync, openSync, writeSync } from "node:fs";

const TAIL_BYTES = 64 * 1024;

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
  const tailRoom = Math.min(TAIL_BYTES, Math.floor(maxBytes / 2));
  const headRoom = maxBytes - tailRoom;
  let seen = 0;
  let written = 0;
  const end = lastBytes(TAIL_BYTES);
  const write = (bytes: Buffer): number => {
    try {
      return writeSync(file, bytes);
    } catch {
      return 0;
    }
  };
  return {
    push(part) {
      seen += part.length;
      const room = headRoom - written;
      if (room > 0) written += write(part.subarray(0, room));
      end.push(part);
    },
    seen: () => seen,
    tail: () => wholeCharacters(end.bytes()).toString("utf8"),
    close() {
      const tail = end.bytes();
      const rest = tail.subarray(tail.length - Math.min(seen - written, tailRoom, tail.length));
      const cut = Math.max(0, seen - written - rest.length);
      if (cut > 0) write(Buffer.from(`\n[pawl: ${cut} bytes of ${seen} are cut here]\n`));
      if (seen > written) write(rest);
      closeSync(file);
      return { log_bytes: seen - cut, log_cut: cut };
    },
  };
}

/** The last bytes of a stream. Joined now and then only, so that a flood of single lines stays cheap. */
function lastBytes(max: number) {
  let parts: Buffer[] = [];
  let size = 0;
  const join = (): Buffer => {
    const bytes = Buffer.concat(parts).subarray(-max);
    parts = [bytes];
    size = bytes.length;
    return bytes;
  };
  return {
    push(part: Buffer): void {
      parts.push(part);
      size += part.length;
      if (size > 4 * max) join();
    },
    bytes: join,
  };
}

/** A tail may begin in the middle of a character: UTF-8 goes on with 10xxxxxx, at most three times. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}
