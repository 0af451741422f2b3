import type { Reply } from "./http.ts";

/** Where a forge says that it is too much, and not until when. */
const MINUTE_MS = 60_000;

/**
 * Until when (ms since 1970) no more is to be asked; null: this answer is not about a limit. `Retry-After` counts
 * first; then the end of the window, where nothing is left of it; else a minute, as GitHub's documentation asks.
 */
export function limitOf({ status, headers, body }: Reply, now: number): number | null {
  if (status !== 429 && !(status === 403 && isAboutLimits(headers, body))) return null;
  const after = headers.get("retry-after");
  if (after !== null) return /^\d+$/.test(after) ? now + Number(after) * 1_000 : Date.parse(after) || now + MINUTE_MS;
  const reset = Number(headers.get("x-ratelimit-reset") ?? headers.get("ratelimit-reset") ?? Number.NaN) * 1_000;
  const left = headers.get("x-ratelimit-remaining") ?? headers.get("ratelimit-remaining");
  return left === "0" && reset > now ? reset : now + MINUTE_MS;
}

/** A 403 is a limit's where it says so: everything else it says is about rights. */
function isAboutLimits(headers: Headers, body: unknown): boolean {
  if (headers.get("retry-after") !== null || headers.get("x-ratelimit-remaining") === "0") return true;
  const { message } = (body ?? {}) as { message?: unknown };
  return typeof message === "string" && /rate limit|abuse detection/i.test(message);
}
