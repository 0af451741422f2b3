/** `pawl status | head -1`: the reader went away, and there is nobody to tell. Any other fault of a stream counts. */
export function closeQuietly(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(process.exitCode ?? 0);
  });
}
