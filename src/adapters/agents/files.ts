import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Replaces a file whole: a reader finds the old one or the new one. Durable (file and folder) when it returns. */
export function replaceFile(path: string, content: string | Uint8Array, mode = 0o644): void {
  const temp = writeTemp(path, content, mode);
  renameSync(temp, path);
  syncFolder(dirname(path));
}

/** Makes a file whole, if there is none of that name yet: false if there is. Of many at once exactly one gets true. */
export function createFile(path: string, content: string | Uint8Array): boolean {
  const temp = writeTemp(path, content, 0o644);
  try {
    linkSync(temp, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temp, { force: true });
  }
  syncFolder(dirname(path));
  return true;
}

/** What a file holds. A worker writes where it likes: links, pipes and what is larger than `maxBytes` are not read. */
export type Reading =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "text"; readonly text: string };

export function readBounded(path: string, maxBytes: number): Reading {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return code === "ENOENT" || code === "ENOTDIR"
      ? { kind: "absent" }
      : { kind: "refused", why: code === "ELOOP" ? "it is a link" : `it cannot be opened (${code})` };
  }
  try {
    return readOpen(file, maxBytes);
  } finally {
    closeSync(file);
  }
}

/** A JSON object in a file of ours; null: there is none, or it is no JSON object. */
export function readRecord<T extends object>(path: string): T | null {
  const reading = readBounded(path, MAX_RECORD);
  if (reading.kind !== "text") return null;
  try {
    const value: unknown = JSON.parse(reading.text);
    return typeof value === "object" && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
const MAX_RECORD = 16 * 1024 * 1024;

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function readOpen(file: number, maxBytes: number): Reading {
  const stat = fstatSync(file);
  if (!stat.isFile()) return { kind: "refused", why: "it is not a file" };
  if (stat.size > maxBytes) return { kind: "refused", why: `it has ${stat.size} bytes, more than ${maxBytes}` };
  // it may grow while it is read: never more than was allowed
  const bytes = Buffer.alloc(Math.min(maxBytes, stat.size + 4096) + 1);
  let length = 0;
  for (let got = -1; got !== 0 && length < bytes.length; length += got) {
    got = readSync(file, bytes, length, bytes.length - length, length);
  }
  if (length > maxBytes) return { kind: "refused", why: `it has more than ${maxBytes} bytes` };
  return { kind: "text", text: bytes.toString("utf8", 0, length) };
}

function writeTemp(path: string, content: string | Uint8Array, mode: number): string {
  const temp = join(dirname(path), `.${basename(path)}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`);
  const file = openSync(temp, "wx", mode);
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return temp;
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return; // folders cannot be opened there
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
