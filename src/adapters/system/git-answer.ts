import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { GitOptions } from "../../ports/system.ts";

const TIMEOUT_MS = 600_000;
const GRACE_MS = 5_000;
export const MAX_OUTPUT = 256 * 1024 * 1024;

/** Collects what a stream says up to the mark, and gives the word behind it. */
export function listen(stream: Readable, mark: string, cut: (why: string) => void) {
  const parts: Buffer[] = [];
  let size = 0;
  let tail = "";
  let done: (word: string) => void;
  const end = new Promise<string>((resolve) => {
    done = resolve;
  });
  const hear = (part: Buffer) => {
    size += part.length;
    if (size > MAX_OUTPUT) return cut(`more than ${MAX_OUTPUT} bytes of output`);
    parts.push(part);
    tail = (tail + part.subarray(-100).toString("latin1")).slice(-100);
    const at = tail.endsWith("\n") ? tail.lastIndexOf(`\0${mark} `) : -1;
    if (at === -1) return;
    size -= tail.length - at;
    done(tail.slice(at + mark.length + 2, -1));
  };
  stream.on("data", hear);
  return { end, bytes: () => Buffer.concat(parts).subarray(0, size), stop: () => void stream.off("data", hear) };
}

/** Ends it on request, after its time, or when it says too much: SIGTERM, then SIGKILL, by `signal`. */
export function cutter(
  child: ChildProcessWithoutNullStreams,
  { signal, timeoutMs = TIMEOUT_MS }: GitOptions,
  send: (signal: NodeJS.Signals) => void,
) {
  let why: string | null = null;
  let kill: NodeJS.Timeout | undefined;
  const end = (reason: string) => {
    if (why !== null) return;
    why = reason;
    send("SIGTERM");
    kill = setTimeout(() => send("SIGKILL"), GRACE_MS);
    child.once("close", () => clearTimeout(kill));
  };
  const abort = () => end("ended: it was aborted");
  const timer = setTimeout(() => end(`ended: it took longer than ${timeoutMs} ms`), timeoutMs);
  signal?.addEventListener("abort", abort, { once: true });
  return {
    end,
    why: () => why,
    /** it has ended: nothing is to be cut any more */
    over: () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
    /** it has ended, and so has all that was sent a signal */
    gone: () => clearTimeout(kill),
  };
}

/** 126, 127: it could not be started. */
export const isUnstarted = (code: number): boolean => code === 126 || code === 127;

/** The signal that a shell's `$?` tells of; git itself ends with 128 and 129. */
export function signalIn(code: number): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return code > 129 ? (found?.[0] ?? `signal ${code - 128}`) : null;
}
