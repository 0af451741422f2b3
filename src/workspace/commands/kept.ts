/** The beginning and the end of a stream of bytes. It never holds much more than it keeps. */
export interface Ends {
  push(part: Uint8Array): void;
  /** bytes seen so far */
  seen(): number;
  /** both, whole characters of UTF-8 only, and how many bytes between them are not kept */
  read(): { readonly head: Buffer; readonly tail: Buffer; readonly cut: number };
}

/** Keeps at most `maxBytes`: two fifths of it for the beginning, the rest for the end, where failures are told. */
export function keepEnds(maxBytes: number, headShare = 0.4): Ends {
  const headRoom = Math.floor(maxBytes * headShare);
  const head: Uint8Array[] = [];
  let inHead = 0;
  let seen = 0;
  const tail = lastBytes(maxBytes - headRoom);
  return {
    push(part) {
      seen += part.length;
      const first = part.subarray(0, Math.max(0, headRoom - inHead));
      if (first.length > 0) head.push(Buffer.from(first));
      inHead += first.length;
      tail.push(part.subarray(first.length));
    },
    seen: () => seen,
    read() {
      const [first, last] = [Buffer.concat(head), tail.bytes()];
      if (seen === first.length + last.length) return { head: first, tail: last, cut: 0 };
      const [begin, end] = [withoutHalfEnd(first), withoutHalfStart(last)];
      return { head: begin, tail: end, cut: seen - begin.length - end.length };
    },
  };
}

/** The last bytes of a stream, in a ring that is made once: a flood costs no memory. */
export function lastBytes(max: number): { push(part: Uint8Array): void; bytes(): Buffer } {
  let ring: Buffer | null = null;
  let next = 0;
  let size = 0;
  return {
    push(part) {
      if (part.length === 0 || max === 0) return;
      ring ??= Buffer.allocUnsafe(max);
      const last = part.subarray(Math.max(0, part.length - max));
      const first = last.subarray(0, max - next);
      ring.set(first, next);
      ring.set(last.subarray(first.length), 0);
      next = (next + last.length) % max;
      size = Math.min(max, size + last.length);
    },
    bytes() {
      if (ring === null) return Buffer.alloc(0);
      return size < max
        ? Buffer.from(ring.subarray(0, size))
        : Buffer.concat([ring.subarray(next), ring.subarray(0, next)]);
    },
  };
}

/** A tail may begin in the middle of a character: UTF-8 goes on with 10xxxxxx, at most three times. */
export function withoutHalfStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

/** A head may end in the middle of a character. */
export function withoutHalfEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needs > back ? bytes.subarray(0, -back) : bytes;
  }
  return bytes;
}
