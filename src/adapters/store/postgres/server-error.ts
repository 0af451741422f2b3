import { PawlError } from "../../../domain/errors.ts";

/** What an error of the server, or on the way to it, says about the store `shown`; any other error as it is. */
export function serverError(shown: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PawlError) return error;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (typeof severity === "string" && typeof code === "string") return ofServer(shown, code, error);
  if (error.message.startsWith("SASL")) return refused(shown, "it wants a password", error);
  return onTheWay(error) ? unreachable(shown, error) : error;
}

/** Whether the connection is lost, so that the same may be asked again on another one. */
export const isLost = (error: unknown): boolean => error instanceof PawlError && error.code === "STORE_UNREACHABLE";

const LOST = /^(08...|57P0[1235]|53300)$/;

function ofServer(shown: string, code: string, cause: Error): unknown {
  if (LOST.test(code)) return unreachable(shown, cause);
  if (code === "28P01" || code === "28000") return refused(shown, cause.message, cause);
  if (code === "3D000") return noDatabase(shown, cause);
  if (code === "3F000" || code === "42P01" || code === "42883") return noSchema(shown, cause);
  if (code === "42501") return denied(shown, cause);
  if (code === "53100") return full(shown, cause);
  if (code === "25006")
    return unfit(shown, "it is read-only just now (a replica?)", "name the server that takes writes");
  if (code === "55P03" || code === "57014" || code === "53200") return busy(shown, cause);
  if (code.startsWith("58") || code === "XX001" || code === "XX002") return broken(shown, code, cause);
  return cause;
}

/** What the driver throws itself when there is no connection (any more). */
const onTheWay = (error: Error): boolean =>
  "syscall" in error ||
  error instanceof AggregateError ||
  /terminated|timeout expired|not queryable|was closed|connection error|SSL|TLS|certificate/i.test(error.message) ||
  /^(ERR_TLS|ERR_SSL|E[A-Z]+$|.*CERT)/.test(String((error as { code?: unknown }).code ?? ""));

const wordsOf = (error: Error): string =>
  error instanceof AggregateError ? String((error.errors[0] as Error | undefined)?.message ?? error) : error.message;

export const unreachable = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_UNREACHABLE", `the server of the store ${shown} cannot be reached: ${wordsOf(cause)}`, {
    next: "see that it runs and that its address is right (pawl doctor), then start again",
    cause,
    retryable: true,
  });

const refused = (shown: string, why: string, cause: Error): PawlError =>
  new PawlError("CREDENTIAL_REFUSED", `the server of the store ${shown} lets nobody in with these words: ${why}`, {
    next: "correct user and password in the address of the store (or PGPASSWORD, ~/.pgpass)",
    cause,
  });

const noDatabase = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_MISSING", `the server of the store ${shown} has no such database: ${cause.message}`, {
    next: "make it (createdb NAME), or correct the address of the store",
    cause,
  });

const noSchema = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_MISSING", `there is no store in ${shown} (any more): ${cause.message}`, {
    next: "pawl run (makes a new one), or name the right one",
    cause,
  });

const denied = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_DENIED", `the store ${shown} is not open to that user: ${cause.message}`, {
    next: "have its owner give the rights: CREATE on the database for the first pawl run, or a schema of the user's own",
    cause,
  });

const full = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_FULL", `the disk of the store ${shown} is full: nothing of this step was written`, {
    next: "make room on that server and start again; what was committed before is safe",
    cause,
    retryable: true,
  });

const busy = (shown: string, cause: Error): PawlError =>
  new PawlError("STORE_BUSY", `the server of the store ${shown} gave up a statement: ${cause.message}`, {
    next: "see what keeps it (a lock, a time limit, no memory), and try again",
    cause,
    retryable: true,
  });

function broken(shown: string, code: string, cause: Error): PawlError {
  if (code.startsWith("XX")) return damaged(shown, cause.message, cause);
  return new PawlError("STORE_IO", `the server of the store ${shown} cannot read or write: ${cause.message}`, {
    next: "look at the disk of that server, then start again",
    cause,
    retryable: true,
  });
}

export const damaged = (shown: string, why: string, cause?: unknown): PawlError =>
  new PawlError("STORE_CORRUPT", `the store ${shown} cannot be used: ${why}`, {
    next: "nothing was changed; bring back a backup of that schema, or name another one (schema:)",
    cause,
  });

export const unfit = (shown: string, why: string, next: string): PawlError =>
  new PawlError("STORE_UNFIT", `the server of the store ${shown} does not do: ${why}`, { next });

export const inDoubt = (shown: string, seq: number, cause: unknown): PawlError =>
  new PawlError("STORE_DOUBT", `whether step ${seq} is in the store ${shown} is not known: its answer was lost`, {
    next: "pawl run: it loads what is there and goes on; nothing of that step was started",
    data: { seq },
    cause,
    retryable: true,
  });
