/** A line of output, or the beginning of one that is too long to be kept. */
export interface Record {
  readonly text: string;
  readonly isCut: boolean;
  /** in bytes; of a line that is cut only */
  readonly size: number;
}

const LONGEST = 16 * 1024 * 1024;
const KEPT = 4 * 1024;

/** Cuts a stream of bytes into lines of UTF-8; of one that is longer than 16 MiB it keeps the beginning only. */
export function recordReader(take: (record: Record) => void): { push(part: Buffer): void; end(): void } {
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
      take(held());
      const last = part.lastIndexOf(10);
      if (last > first) eachLine(part.toString("utf8", first + 1, last), take);
      if (last + 1 < part.length) hold(part.subarray(last + 1));
    },
    end() {
      if (size > 0) take(held());
    },
  };
}

/** Decoded once and then cut: a call for each line costs more than the lines. */
function eachLine(text: string, take: (record: Record) => void): void {
  let from = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
    take({ text: text.slice(from, at), isCut: false, size: 0 });
    from = at + 1;
  }
  take({ text: text.slice(from), isCut: false, size: 0 });
}
