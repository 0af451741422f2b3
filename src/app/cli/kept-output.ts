import { StringDecoder } from "node:string_decoder";

/** The beginning and the end of an output: two fifths and three fifths of `maxBytes`. It never holds much more. */
export interface KeptOutput {
  push(chunk: Buffer): void;
  /** as text; where something is left out, it says how much */
  text(): string;
}

export function keepOutput(maxBytes: number): KeptOutput {
  const headBytes = Math.floor(maxBytes * 0.4);
  const tailBytes = maxBytes - headBytes;
  let head = Buffer.alloc(0);
  let tail: Buffer[] = [];
  let [inTail, total] = [0, 0];
  return {
    push(chunk) {
      total += chunk.length;
      const room = headBytes - head.length;
      if (room > 0) head = Buffer.concat([head, chunk.subarray(0, room)]);
      if (chunk.length <= room) return;
      const rest = chunk.subarray(Math.max(0, room));
      tail.push(rest);
      inTail += rest.length;
      if (inTail < 2 * tailBytes && tail.length < 1_000) return;
      // Copied, so that what is dropped is not held by what is kept.
      tail = [Buffer.from(Buffer.concat(tail).subarray(-tailBytes))];
      inTail = tail[0]!.length;
    },
    text() {
      const end = Buffer.concat(tail).subarray(-tailBytes);
      const left = total - head.length - end.length;
      if (left === 0) return Buffer.concat([head, end]).toString("utf8");
      return `${new StringDecoder("utf8").write(head)}\n[${left} bytes left out]\n${withoutHalf(end)}`;
    },
  };
}

/** The text from the first whole character on. */
const withoutHalf = (bytes: Buffer): string => {
  let start = 0;
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString("utf8");
};
