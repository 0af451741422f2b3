import { isNoRoom } from "../../ports/full-disk.ts";

/** What a write ends with when the reader of a pipe went away, or the terminal was closed. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ECONNRESET"]);

let whenGone: (() => void) | null = null;

/**
 * `pawl status | head -1`: the reader went away, and there is nobody to tell. `pawl run > FILE` on a full disk ends as if
 * that reader had gone, and says so where it still can. Any other fault of a stream counts.
 */
export function closeQuietly(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (isNoRoom(error)) tellFull(stream, error.code!);
    else if (!GONE.has(error.code)) throw error;
    if (whenGone === null) process.exit(process.exitCode ?? 0);
    whenGone();
  });
}

/** Once: what is printed fails line by line. */
function tellFull(stream: NodeJS.WriteStream, code: string): void {
  if (process.exitCode === 1) return;
  process.exitCode = 1;
  if (stream === process.stdout)
    process.stderr.write(`error[FILE_UNUSABLE] what this prints cannot be written: the disk is full (${code})\n`);
}

/** Somebody who has to end in order does that instead of ending at once. Gives the way back. */
export function onReaderGone(work: () => void): () => void {
  whenGone = work;
  return () => {
    whenGone = null;
  };
}
