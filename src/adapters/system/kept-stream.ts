import { createHash, type Hash } from "node:crypto";
import { keepEnds } from "../../workspace/commands/kept.ts";
import { escaped } from "../../workspace/commands/plain.ts";

const SNIFFED = 8 * 1024;

/** One stream of a command, as its result tells it. */
export interface KeptStream {
  /** as the command wrote it: by this it is known whether it is text at all */
  sniff(raw: Uint8Array): void;
  /** what may be kept of it */
  push(said: Uint8Array): void;
  text(): { readonly text: string; readonly cut: number };
  /** its last line, if that has no end */
  openLine(): string;
}

/** Keeps at most `maxBytes` (beginning and end) of what is text; of anything else its size and sum. */
export function keptStream(maxBytes: number): KeptStream {
  const ends = keepEnds(maxBytes);
  let first = Buffer.alloc(0);
  let size = 0;
  let sum: Hash | null = null;
  const look = (): void => {
    if (sum === null && isBinary(first)) sum = createHash("sha256").update(first);
  };
  return {
    sniff(raw) {
      size += raw.length;
      sum?.update(raw);
      if (sum !== null || first.length >= SNIFFED) return;
      // all of what came, so that the sum is that of the whole
      first = Buffer.concat([first, raw]);
      if (first.length >= SNIFFED) look();
    },
    push: ends.push,
    text() {
      look();
      if (sum !== null) return { text: `[binary ${size} bytes sha256:${sum.copy().digest("hex")}]`, cut: 0 };
      const { head, tail, cut } = ends.read();
      if (cut === 0) return { text: escaped(Buffer.concat([head, tail]).toString("utf8")), cut };
      const word = `\n[${cut} bytes left out]\n`;
      return { text: escaped(head.toString("utf8")) + word + escaped(tail.toString("utf8")), cut };
    },
    openLine() {
      const { head, tail } = ends.read();
      const end = Buffer.concat([head.subarray(-400), tail.subarray(-400)]);
      return escaped(end.toString("utf8")).split("\n").at(-1) ?? "";
    },
  };
}

/** A text is mostly characters. A NUL or two in a log are written out like other control characters; UTF-16 nobody here could read. */
function isBinary(bytes: Buffer): boolean {
  const start = bytes.subarray(0, SNIFFED);
  const text = start.toString("utf8");
  const nuls = text.split("\0").length - 1;
  if (nuls > 3 && nuls > text.length * 0.05) return true;
  const odd = text.match(/[\ufffd\u0001-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0;
  return odd > 16 && odd > text.length * 0.3;
}
