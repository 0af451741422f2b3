/** What a write ends with when the reader of a pipe went away, or the terminal was closed. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ECONNRESET"]);

let whenGone: (() => void) | null = null;

/** `pawl status | head -1`: the reader went away, and there is nobody to tell. Any other fault of a stream counts. */
export function closeQuietly(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code)) throw error;
    if (whenGone === null) process.exit(process.exitCode ?? 0);
    whenGone();
  });
}

/** Somebody who has to end in order does that instead of ending at once. Gives the way back. */
export function onReaderGone(work: () => void): () => void {
  whenGone = work;
  return () => {
    whenGone = null;
  };
}
