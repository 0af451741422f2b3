import { statSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "../../ports/system.ts";

interface In {
  readonly git: Git;
  readonly repo: string;
  readonly signal: AbortSignal;
}

/**
 * Whether origin is a path on this machine: other remotes are never contacted. Git is asked once as long as the
 * repository's config file is the same, and again after two seconds: a spawn wants to know seven times.
 */
export const hasLocalOrigin = async (on: In): Promise<boolean> => (await localOrigin(on)) !== null;

/** The URL of an origin on this machine, as git has it; null: it is on another, or there is none. */
export async function localOrigin(on: In): Promise<string | null> {
  const mark = markOf(join(on.repo, ".git", "config"));
  const known = answers.get(on.repo);
  const now = performance.now();
  if (known && mark !== null && known.mark === mark && now - known.at < FRESH_MS) return known.url;
  const said = await on.git.run(["remote", "get-url", "origin"], { cwd: on.repo, signal: on.signal });
  const url = said.code === 0 && isPath(said.stdout.trim()) ? said.stdout.trim() : null;
  // one that was cut off has said nothing
  if (said.code !== -1 && mark !== null) answers.set(on.repo, { mark, at: now, url });
  return url;
}

/** what the user's own config says of it (`insteadOf`, a file that is included) may change too */
const FRESH_MS = 2_000;
const answers = new Map<string, { readonly mark: string; readonly at: number; readonly url: string | null }>();

/** Git replaces its config whole. Null: it lies elsewhere. */
function markOf(path: string): string | null {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path);
    return [ino, size, mtimeMs, ctimeMs].join(" ");
  } catch {
    return null;
  }
}

/** As git reads it: a colon before the first slash is a host; a scheme other than file is the network. */
export const isPath = (url: string): boolean =>
  url.startsWith("file://") || (!url.includes("://") && (/^[A-Za-z]:[\\/]/.test(url) || !/^[^/\\]*:/.test(url)));
