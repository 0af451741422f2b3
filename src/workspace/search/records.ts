/** A line of output, or what is known of one that is too long to be kept. */
export interface Record {
  readonly bytes: Buffer;
  readonly isCut: boolean;
  readonly size: number;
}

const LONGEST = 16 * 1024 * 1024;
const KEPT = 4 * 1024;

/** Cuts a stream of bytes into lines; of one that is longer than 16 MiB it keeps the beginning only. */
export function recordReader(take: (record: Record) => void): { push(part: Buffer): void; end(): void } {
  let parts: Buffer[] = [];
  let [kept, size] = [0, 0];
  const add = (part: Buffer): void => {
    size += part.length;
    if (size > LONGEST && kept > KEPT) [parts, kept] = [[Buffer.concat(parts).subarray(0, KEPT)], KEPT];
    if (size <= LONGEST) {
      parts.push(part);
      kept += part.length;
    }
  };
  const flush = (): void => {
    if (size > 0) take({ bytes: parts.length === 1 ? parts[0]! : Buffer.concat(parts), isCut: size > LONGEST, size });
    [parts, kept, size] = [[], 0, 0];
  };
  return {
    push(part) {
      let from = 0;
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, from)) {
        add(part.subarray(from, at));
        flush();
        from = at + 1;
      }
      if (from < part.length) add(part.subarray(from));
    },
    end: flush,
  };
}
