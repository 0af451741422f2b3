import { PawlError } from "../../domain/errors.ts";

/** Primary result codes of SQLite, as far as they mean something to a user. */
const CODES: Readonly<Record<number, "STORE_BUSY" | "STORE_IO" | "STORE_CORRUPT" | "STORE_FULL">> = {
  3: "STORE_IO",
  5: "STORE_BUSY",
  6: "STORE_BUSY",
  8: "STORE_IO",
  10: "STORE_IO",
  11: "STORE_CORRUPT",
  13: "STORE_FULL",
  14: "STORE_IO",
  23: "STORE_IO",
  26: "STORE_CORRUPT",
};
const FULL = new Set(["ENOSPC", "EDQUOT"]);

/** What an error of SQLite or of the file system says about the store at `path`; any other error as it is. */
export function storeError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PawlError) return error;
  const { errcode, code } = error as { errcode?: unknown; code?: unknown };
  if (typeof errcode === "number") return ofSqlite(path, CODES[errcode & 0xff], error);
  if (typeof code === "string" && "syscall" in error) return FULL.has(code) ? full(path, error) : io(path, error);
  return error;
}

/** Whether SQLite refused because another connection holds the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (Number(error.errcode) & 0xff) === 5;

export const missing = (path: string): PawlError =>
  new PawlError("STORE_MISSING", `there is no store at ${path}`, {
    next: "pawl run (makes a new one), or name the right one with --store PATH",
    at: { file: path },
  });

export const corrupt = (path: string, why: string, cause?: unknown): PawlError =>
  new PawlError("STORE_CORRUPT", `the store ${path} cannot be used: ${why}`, {
    next:
      `nothing was changed; move ${path}, ${path}-wal and ${path}-shm aside together (keep them), ` +
      "put a backup in their place, and start again",
    at: { file: path },
    cause,
  });

export const newer = (path: string, found: number, known: number): PawlError =>
  new PawlError("STORE_NEWER", `the store ${path} has format ${found}; this build of pawl knows up to ${known}`, {
    next: "use the newer pawl that wrote it; nothing was changed",
    at: { file: path },
    data: { found, known },
  });

export const older = (path: string, found: number, known: number): PawlError =>
  new PawlError("STORE_OLDER", `the store ${path} has format ${found}; this build of pawl needs ${known}`, {
    next: "stop the older pawl that uses it, then `pawl run`: it brings the store up to date",
    at: { file: path },
    data: { found, known },
  });

const full = (path: string, cause: Error): PawlError =>
  new PawlError("STORE_FULL", `the disk of the store ${path} is full: nothing of this step was written`, {
    next: "make room on that disk and start again; what was committed before is safe",
    at: { file: path },
    cause,
    retryable: true,
  });

const io = (path: string, cause: Error): PawlError =>
  new PawlError("STORE_IO", `the store ${path} cannot be read or written: ${cause.message}`, {
    next: "look at the disk, its mount and the permissions of that folder, then start again",
    at: { file: path },
    cause,
    retryable: true,
  });

const busy = (path: string, cause: Error): PawlError =>
  new PawlError("STORE_BUSY", `another process keeps the store ${path} locked`, {
    next: "see which process has it open (a stopped one?), end or continue it, and try again",
    at: { file: path },
    cause,
    retryable: true,
  });

function ofSqlite(path: string, code: (typeof CODES)[number] | undefined, cause: Error): unknown {
  switch (code) {
    case "STORE_BUSY":
      return busy(path, cause);
    case "STORE_CORRUPT":
      return corrupt(path, cause.message, cause);
    case "STORE_FULL":
      return full(path, cause);
    case "STORE_IO":
      return io(path, cause);
    case undefined:
      return cause;
  }
}
