import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type At, PawlError } from "../../domain/errors.ts";

/** What people write by hand is smaller than this. */
const MAX_BYTES = 1024 * 1024;

/** The text of a file of the repository, or why it is none (NOT_UTF8, FILE_TOO_BIG, FILE_UNREADABLE). `file` is relative to `root`, with /. */
export function readText(root: string, file: string): string | PawlError {
  let bytes: Buffer;
  try {
    const path = resolve(root, file);
    // who opens a pipe waits until somebody writes into it: for ever
    if (!statSync(path).isFile()) return noFile(file);
    bytes = readFileSync(path);
  } catch (cause) {
    return unreadable(file, cause);
  }
  if (bytes.length > MAX_BYTES)
    return new PawlError("FILE_TOO_BIG", `${file} has ${bytes.length} bytes, and ${MAX_BYTES} are the most`, {
      at: { file },
    });
  return decoded(bytes, file);
}

const noFile = (file: string): PawlError =>
  new PawlError("FILE_UNREADABLE", `${file} cannot be read: it is no file, but a folder, a pipe or a device`, {
    at: { file },
    next: "take it away, or write a file in its place.",
  });

function unreadable(file: string, cause: unknown): PawlError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return new PawlError("FILE_UNREADABLE", `${file} cannot be read (${code})`, {
    at: { file },
    next: "see that it is a file that you may read.",
    cause,
  });
}

function decoded(bytes: Buffer, file: string): string | PawlError {
  const bad = bytes.indexOf(0);
  if (bad >= 0)
    return new PawlError("NOT_UTF8", `${file} is not a text: it holds a NUL byte`, {
      at: { file, ...placeIn(bytes, bad) },
      next: "restore it from git; a crash of the machine may have left it so.",
    });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new PawlError("NOT_UTF8", `${file} is not UTF-8`, {
      at: { file, ...placeIn(bytes, firstBadByte(bytes)) },
      next: `save it as UTF-8: iconv -f ISO-8859-1 -t UTF-8 ${file}`,
    });
  }
}

/** Where the longest prefix that is UTF-8 ends, found by halving; a character that was begun in it does not count. */
function firstBadByte(bytes: Buffer): number {
  let [good, bad] = [0, bytes.length];
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (isPrefix(bytes.subarray(0, middle))) good = middle;
    else bad = middle - 1;
  }
  const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, good), { stream: true });
  return Buffer.byteLength(whole);
}

function isPrefix(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function placeIn(bytes: Buffer, offset: number): Pick<At, "line" | "column"> {
  const before = bytes.subarray(0, offset).toString("utf8");
  const lines = before.split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
