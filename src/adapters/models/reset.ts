import type { Instant } from "../../domain/names.ts";

/** Headers by their names in small letters. */
export type HeaderMap = Readonly<Record<string, string>>;

/**
 * When a provider that refused wants to be asked again, or null where it does not say. Read in this order: retry-after-ms,
 * retry-after, Google's RetryInfo in the body, the reset of each limit that is used up. Times of day count from the
 * answer's own `date`, so that a clock that is wrong here does no harm.
 */
export function resetOf({ headers, body, now }: { headers: HeaderMap; body: string; now: number }): Instant | null {
  const theirNow = Date.parse(headers.date ?? "") || now;
  const wait =
    plainNumber(headers["retry-after-ms"], 1) ??
    plainNumber(headers["retry-after"], 1_000) ??
    untilDate(headers["retry-after"], theirNow) ??
    retryInfo(body) ??
    usedUp(headers, theirNow);
  return wait === null ? null : (Math.round(now + Math.max(0, wait)) as Instant);
}

const plainNumber = (text: string | undefined, unitMs: number): number | null =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) * unitMs : null;

function untilDate(text: string | undefined, theirNow: number): number | null {
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? null : at - theirNow;
}

/** `"retryDelay": "34.07s"` of google.rpc.RetryInfo. */
const retryInfo = (body: string): number | null => {
  const found = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body);
  return found ? Number(found[1]) * 1_000 : null;
};

/** The latest reset among the limits with nothing left; where none says what is left, the earliest of all. */
function usedUp(headers: HeaderMap, theirNow: number): number | null {
  const limits = Object.entries(headers).flatMap(([name, value]) => {
    const of = RESET.exec(name);
    const wait = of ? waitOf(value, theirNow) : null;
    return wait === null ? [] : [{ wait, left: headers[name.replace("reset", "remaining")] }];
  });
  const empty = limits.filter(({ left }) => left !== undefined && Number(left) <= 0).map(({ wait }) => wait);
  if (empty.length > 0) return Math.max(...empty);
  const unsaid = limits.filter(({ left }) => left === undefined).map(({ wait }) => wait);
  return unsaid.length > 0 ? Math.min(...unsaid) : null;
}
/** `anthropic-ratelimit-tokens-reset`, `x-ratelimit-reset-requests`, `x-ratelimit-reset`, `ratelimit-reset`. */
const RESET = /^(anthropic-ratelimit-.*-reset|x-ratelimit-reset(-.*)?|ratelimit-reset)$/;

/** `6m0s`, `20ms`, seconds, seconds or milliseconds since 1970, or a date. */
function waitOf(value: string, theirNow: number): number | null {
  const number = plainNumber(value, 1);
  if (number !== null)
    return number > 1e12 ? number - theirNow : number > 1e9 ? number * 1_000 - theirNow : number * 1_000;
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === value.trim())
    return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS], 0);
  return untilDate(value, theirNow);
}
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
