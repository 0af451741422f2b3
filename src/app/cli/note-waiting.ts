import { join } from "node:path";
import { json, replaceFile } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import { LEG_FILES, WORKER_ENV } from "../../protocol/run-folder.ts";

/**
 * Tells the processor that spawned this worker that a provider is away, that nobody is logged in there (`auth`), or that
 * it cannot begin (`setup`): that is no crash. With nobody who did, nothing.
 */
export function noteWaiting(
  env: Readonly<Record<string, string | undefined>>,
  {
    until,
    why,
    for: what = "provider",
  }: { readonly until: number | null; readonly why: string; readonly for?: "provider" | "auth" | "setup" },
): void {
  const folder = env[WORKER_ENV.legDir];
  if (folder) replaceFile(join(folder, LEG_FILES.waiting), json({ for: what, until, why }));
}

const KEYS: ReadonlySet<string> = new Set(["MODEL_KEY_MISSING", "MODEL_KEY_REFUSED"]);

/**
 * The same of an error that is not the work's doing: a model that is away, whose key is missing or refused, or that says
 * what nobody can read. Any other error is the work's.
 */
export function noteBlameless(env: Readonly<Record<string, string | undefined>>, error: unknown): void {
  if (!(error instanceof PawlError)) return;
  const { code, retryable, data, message } = error;
  const isKey = KEYS.has(code);
  if (!isKey && !retryable && code !== "MODEL_MISREAD") return;
  const until = typeof data.until === "number" ? data.until : null;
  noteWaiting(env, { for: isKey ? "auth" : "provider", until, why: `${code} ${message}` });
}
