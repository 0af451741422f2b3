import { appendFileSync, closeSync, fsync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { PawlError } from "../../domain/errors.ts";
import type { TakeLock } from "../../ports/files.ts";
import type { Journal } from "../../ports/journal.ts";

const sync = promisify(fsync);

/**
 * Opens the journal in a file, which is made where it is not there; its folder is. Throws JOURNAL_HELD where another
 * process has it open. What a crash left of a last line is moved to `FILE.torn`.
 */
export async function openJournal(file: string, lock: TakeLock): Promise<Journal> {
  const held = await lock(`${file}.lock`);
  if (held === null)
    throw new PawlError("JOURNAL_HELD", `${file} is being written by another process`, {
      next: "wait for it to end, or end it; two workers on one run would do everything twice.",
    });
  const fd = openSync(file, "a+");
  const { lines, torn } = readWhole(file, fd);
  syncFolder(dirname(file));
  return {
    lines,
    torn,
    async append(line, { durable }) {
      writeAll(fd, Buffer.from(`${line}\n`));
      if (durable) await sync(fd);
    },
    close() {
      closeSync(fd);
      held.release();
    },
  };
}

/** Whole lines; what is behind the last end of a line is no line, and must not become the beginning of the next one. */
function readWhole(file: string, fd: number): { lines: readonly string[]; torn: number } {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const torn = bytes.length - end;
  if (torn > 0) {
    appendFileSync(`${file}.torn`, Buffer.concat([bytes.subarray(end), Buffer.from("\n")]));
    ftruncateSync(fd, end);
    fsyncSync(fd);
  }
  const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return { lines: lines.filter((line) => line.trim() !== ""), torn };
}

/** A disk that is nearly full takes a part: the rest follows, or the error does. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
