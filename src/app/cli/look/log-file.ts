import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

const CHUNK = 64 * 1024;

/** Reads a log that may grow, from `offset` on. Links, pipes and what is gone have no bytes. */
export async function readFrom(path: string, offset: number, take: (bytes: Buffer) => Promise<void>): Promise<number> {
  return withFile(path, offset, async (file) => {
    const { size } = await file.stat();
    let at = size < offset ? 0 : offset;
    const buffer = Buffer.alloc(CHUNK);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, at);
      if (bytesRead === 0) return at;
      await take(Buffer.from(buffer.subarray(0, bytesRead)));
      at += bytesRead;
    }
  });
}

/** Where the last `lines` lines of a file begin. Reads it from its end. */
export async function startOfTail(path: string, lines: number): Promise<number> {
  return withFile(path, 0, async (file) => {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(CHUNK);
    let left = lines;
    if (left === 0) return size;
    for (let end = size; end > 0; ) {
      const start = Math.max(0, end - CHUNK);
      const { bytesRead } = await file.read(buffer, 0, end - start, start);
      for (let i = bytesRead - 1; i >= 0; i--) {
        // the newline at the very end ends the last line, and begins none
        if (buffer[i] === 10 && start + i < size - 1 && --left <= 0) return start + i + 1;
      }
      end = start;
    }
    return 0;
  });
}

async function withFile(path: string, otherwise: number, work: (file: FileHandle) => Promise<number>): Promise<number> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return otherwise;
  }
  try {
    return (await file.stat()).isFile() ? await work(file) : otherwise;
  } finally {
    await file.close();
  }
}
