import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { PawlError } from "../../domain/errors.ts";
import type { LoggedTick, Reader } from "../../ports/store.ts";
import { readHead, readTick } from "./log-line.ts";

/** So many ticks are in memory at once. */
const BATCH = 256;

/** The whole log of a store, oldest first, up to what was committed when the last part was read. */
export async function* ticksOf(reader: Pick<Reader, "ticks">): AsyncGenerator<LoggedTick> {
  for (let after = 0; ; ) {
    const ticks = await reader.ticks(after, BATCH);
    yield* ticks;
    if (ticks.length < BATCH) return;
    after = ticks.at(-1)!.seq;
  }
}

/** The ticks of a file that `pawl export` wrote; null: of stdin. Throws FILE_UNREADABLE, LOG_BAD, LOG_NEWER. */
export async function* ticksIn(path: string | null, stdin: NodeJS.ReadableStream): AsyncGenerator<LoggedTick> {
  const file = path ?? "stdin";
  const lines = createInterface({ input: path === null ? stdin : createReadStream(path), crlfDelay: Infinity });
  let line = 0;
  try {
    for await (const text of lines) {
      line++;
      if (line === 1) readHead(text, { file, line });
      else if (text.trim() !== "") yield readTick(text, { file, line });
    }
  } catch (error) {
    if (error instanceof PawlError) throw error;
    throw unreadable(file, error);
  } finally {
    lines.close();
  }
  if (line === 0)
    throw new PawlError("LOG_BAD", "the log is empty", { at: { file }, next: "pawl export > facts.jsonl" });
}

const unreadable = (file: string, cause: unknown): PawlError =>
  new PawlError(
    "FILE_UNREADABLE",
    `the log cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      at: { file },
      cause,
      next: "name a file that pawl export wrote, or - for stdin",
    },
  );
