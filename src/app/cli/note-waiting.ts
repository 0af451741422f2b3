import { join } from "node:path";
import { json, replaceFile } from "../../adapters/agents/files.ts";
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
