import { PawlError } from "../../domain/errors.ts";
import type { LoggedTick } from "../../ports/store.ts";

/** The version of the file that `pawl export` writes and `pawl replay` reads. */
const VERSION = 1;

/** The first line of an export: what it is, its version, and the build that wrote it. */
export interface LogHead {
  readonly log: "pawl";
  readonly version: number;
  readonly build: string;
}
export const logHead = (build: string): LogHead => ({ log: "pawl", version: VERSION, build });

/** Where a line was read: file (or `stdin`) and number, from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Reads the first line. Throws LOG_BAD, LOG_NEWER. */
export function readHead(text: string, at: Place): LogHead {
  const head = parsed(text, at) as Partial<LogHead> | null;
  if (head?.log !== "pawl" || typeof head.version !== "number") throw bad('it does not begin with {"log":"pawl"…}', at);
  if (head.version === VERSION) return { log: "pawl", version: head.version, build: String(head.build ?? "?") };
  throw new PawlError("LOG_NEWER", `the log is of version ${head.version}, and this pawl reads version ${VERSION}`, {
    at,
    next: "replay it with the pawl that wrote it, or a newer one",
  });
}

/** Reads a tick: its shape only, what stands in it is for the replay to say. Throws LOG_BAD. */
export function readTick(text: string, at: Place): LoggedTick {
  const tick = parsed(text, at) as Partial<LoggedTick> | null;
  if (typeof tick !== "object" || tick === null) throw bad("it is no tick", at);
  for (const key of ["seq", "now", "epoch"] as const)
    if (!Number.isSafeInteger(tick[key])) throw bad(`its ${key} is no whole number`, at);
  for (const key of ["inputs", "facts"] as const)
    if (!Array.isArray(tick[key]) || !tick[key].every(hasKind)) throw bad(`its ${key} are no list of kinds`, at);
  if (typeof tick.build !== "string") throw bad("it names no build", at);
  return tick as LoggedTick;
}

const hasKind = (one: unknown): boolean =>
  typeof one === "object" && one !== null && "kind" in one && typeof one.kind === "string";

function parsed(text: string, at: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bad(`it is no JSON: ${text.slice(0, 60)}`, at);
  }
}

const bad = (what: string, at: Place): PawlError =>
  new PawlError("LOG_BAD", `a line cannot be read: ${what}`, {
    at,
    next: "export it again: pawl export > facts.jsonl",
  });
