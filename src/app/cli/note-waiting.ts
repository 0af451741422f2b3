import { join } from "node:path";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import { type FailureKind, failureIn } from "../../protocol/failure.ts";
import { LEG_FILES, WORKER_ENV } from "../../protocol/run-folder.ts";

type Blameless = Exclude<FailureKind, "crash">;

/**
 * Tells the processor that spawned this worker what it ends for that is not its doing, or what it knows of its crash;
 * durable when this returns. With nobody who did, nothing.
 */
export function noteWaiting(
  env: Readonly<Record<string, string | undefined>>,
  what: { readonly until: number | null; readonly why: string; readonly for: FailureKind },
): void {
  const folder = env[WORKER_ENV.legDir];
  if (folder) replaceFile(join(folder, LEG_FILES.waiting), json(what));
}

/** What an error is that is not the work's doing; null: it is the work's, or nobody knows. */
const BY_CODE: Readonly<Record<string, Blameless>> = {
  MODEL_RATE_LIMITED: "rate-limit",
  MODEL_DOWN: "provider-down",
  MODEL_MISREAD: "provider-down",
  MODEL_KEY_MISSING: "auth",
  MODEL_KEY_REFUSED: "auth",
  MODEL_TOO_LONG: "context-full",
  SCREEN_GONE: "provider-down",
  SCREEN_TAKEN: "provider-down",
};

/** The kind of an error that says `why`: of one that is not known it is that somebody is away. */
export function kindOf(code: string, why: string): Blameless {
  // a provider refuses the key of an account that has nothing left, too
  const isPaid = code !== "MODEL_KEY_REFUSED" || failureIn(why, 0).kind !== "quota";
  return isPaid ? (BY_CODE[code] ?? "provider-down") : "quota";
}

/**
 * The same of an error: a model that is away, whose key is missing or refused, whose context is full, or that says what
 * nobody can read. Any other error is the work's.
 */
export function noteBlameless(env: Readonly<Record<string, string | undefined>>, error: unknown): void {
  if (!(error instanceof PawlError)) return;
  const { code, retryable, data, message } = error;
  if (!retryable && BY_CODE[code] === undefined) return;
  const until = typeof data.until === "number" ? data.until : null;
  noteWaiting(env, { for: kindOf(code, message), until, why: `${code} ${message}` });
}
