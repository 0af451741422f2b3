import type { EndingKind } from "../domain/ending.ts";

/** Why a worker could not go on that did nothing wrong itself; `crash`: nobody knows, so it is its own fault. */
export type FailureKind = Extract<
  EndingKind,
  "rate-limit" | "provider-down" | "auth" | "quota" | "model-refused" | "context-full" | "not-started" | "crash"
>;

export interface Failure {
  readonly kind: FailureKind;
  readonly why: string;
  /** ms since 1970: when it may be asked again; null: nobody knows */
  readonly until: number | null;
}

/** Agents hand on what their provider said as words, and hardly ever as more than that. */
const WORDS: readonly (readonly [RegExp, FailureKind])[] = [
  [
    /insufficient_quota|exceeded your current quota|credit balance|billing|out of credits|payment required|\b402\b/i,
    "quota",
  ],
  [
    /context[_ ](length|window)|maximum context|prompt is too long|input token count|too many tokens in/i,
    "context-full",
  ],
  [/rate.?limit|too many requests|\b429\b|RESOURCE_EXHAUSTED|usage limit|hit your limit|quota/i, "rate-limit"],
  [
    /authenticat|unauthori[sz]ed|not logged in|please log ?in|api[ _]key|invalid x-api-key|credentials|\b401\b|\b403\b|\/login/i,
    "auth",
  ],
  [
    /overloaded|unavailable|\b50[0234]\b|\b529\b|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTFOUND|fetch failed|socket hang up/i,
    "provider-down",
  ],
  [/content (policy|filter)|safety (policy|filter|system)|model (refused|declined)/i, "model-refused"],
];

/** What an agent's words about its failure mean; `otherwise`: where they say nothing that is known. `now`: ms since 1970. */
export function failureIn(said: string, now: number, otherwise: FailureKind = "crash"): Failure {
  const spoken = WORDS.find(([pattern]) => pattern.test(said))?.[1] ?? otherwise;
  const until = spoken === "rate-limit" || spoken === "quota" ? resetIn(said, now) : null;
  // some say of each limit that it is the quota: one that comes back by itself is a limit
  return { kind: until === null ? spoken : "rate-limit", why: said.slice(0, 500), until };
}

/** `retry after 30`, `try again in 1m20s`, `"retryDelay": "34s"`, `resets at 2026-11-29T10:00:00Z`, seconds since 1970. */
function resetIn(said: string, now: number): number | null {
  const date = /\b(20\d\d-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))/.exec(said)?.[1];
  if (date !== undefined && !Number.isNaN(Date.parse(date))) return Date.parse(date);
  const epoch = /\b(1[6-9]\d{8}|2\d{9})\b/.exec(said)?.[1];
  if (epoch !== undefined) return Number(epoch) * 1_000;
  const wait = /(?:retry|again|wait|reset)\D{0,30}?((?:\d+(?:\.\d+)? ?(?:ms|s|m|h)[a-z]* ?)+|\d+)/i.exec(said)?.[1];
  return wait === undefined ? null : now + spanOf(wait);
}

function spanOf(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?) ?(ms|s|m|h)/gi)];
  return Math.round(parts.reduce((sum, [, n, unit]) => sum + Number(n) * UNIT_MS[unit!.toLowerCase()]!, 0));
}
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
