/** A line of output, or the beginning of one that is too long to be kept. */
export interface Record {
  readonly text: string;
  readonly isCut: boolean;
  /** in bytes; of a line that is cut only */
  readonly size: number;
}

const LONGEST = 16 * 1024 * 1024;
const KEPT = 4 * 1024;

/** What is done with each line. */
export interface Taker {
  /** asked before a line is cut out, where it begins in `text`: most lines are not wanted */
  readonly skips: (text: string, from: number) => boolean;
  readonly take: (record: Record) => void;
}

/** Cuts a stream of bytes into lines of UTF-8; of one that is longer than 16 MiB it keeps the beginning only. */
export function recordReader(taker: Taker): { push(part: Buffer): void; end(): void } {
  let parts: Buffer[] = [];
  let size = 0;
  const hold = (part: Buffer): void => {
    size += part.length;
    if (size <= LONGEST) parts.push(Buffer.from(part));
    else if (parts.length > 1) parts = [Buffer.from(Buffer.concat(parts).subarray(0, KEPT))];
  };
  const held = (): Record => {
    const record = { text: Buffer.concat(parts).toString("utf8"), isCut: size > LONGEST, size };
    [parts, size] = [[], 0];
    return record;
  };
  return {
    push(part) {
      const first = part.indexOf(10);
      if (first < 0) return hold(part);
      hold(part.subarray(0, first));
      taker.take(held());
      const last = part.lastIndexOf(10);
      if (last > first) eachLine(part.toString("utf8", first + 1, last), taker);
      if (last + 1 < part.length) hold(part.subarray(last + 1));
    },
    end() {
      if (size > 0) taker.take(held());
    },
  };
}

/** Decoded once and then cut: a call for each line costs more than the lines. */
function eachLine(text: string, { skips, take }: Taker): void {
  for (let from = 0; from <= text.length; ) {
    const at = text.indexOf("\n", from);
    const end = at < 0 ? text.length : at;
    if (!skips(text, from)) take({ text: text.slice(from, end), isCut: false, size: 0 });
    from = end + 1;
  }
}
