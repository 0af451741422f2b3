import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/** Files of workers that are looked at for a person: more of one than this is not read. */
export const MOST_BYTES = 64 * 1024;

/** A small file as text; null: there is none, it is too large, or it is no file (a worker writes what it likes: links and pipes too). */
export function smallFile(path: string, maxBytes = MOST_BYTES): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > maxBytes) return null;
    // one more than it has: it may grow while it is read, and a room for the largest costs more than all else here
    const bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    for (let got = -1; got !== 0 && length < bytes.length; length += got)
      got = readSync(file, bytes, length, bytes.length - length, null);
    return length > stat.size ? null : bytes.toString("utf8", 0, length);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** A JSON object in a small file; null: there is none (half-written files too: they are looked at again). */
export function smallRecord(path: string): Readonly<Record<string, unknown>> | null {
  const text = smallFile(path);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
