import { expect, test } from "vitest";
import { resetOf } from "./reset.ts";

const NOW = Date.UTC(2026, 10, 28, 12);
/** the provider's clock is an hour ahead of ours */
const date = new Date(NOW + 3_600_000).toUTCString();
const theirs = (seconds: number) => new Date(NOW + 3_600_000 + seconds * 1_000).toISOString();
const RETRY_INFO = JSON.stringify({
  error: { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" }] },
});

test.each<readonly [string, Record<string, string>, string, number | null]>([
  ["nothing said", {}, "", null],
  ["retry-after in seconds", { "retry-after": "7" }, "", 7_000],
  ["retry-after as a date of their clock", { date, "retry-after": new Date(NOW + 3_609_000).toUTCString() }, "", 9_000],
  ["retry-after-ms goes first", { "retry-after-ms": "250", "retry-after": "7" }, "", 250],
  ["a time that is over", { date, "retry-after": new Date(NOW).toUTCString() }, "", 0],
  ["Google's RetryInfo", {}, RETRY_INFO, 34_070],
  [
    "Anthropic: the latest of the limits that are used up",
    {
      date,
      "anthropic-ratelimit-requests-reset": theirs(90),
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-input-tokens-reset": theirs(12),
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-output-tokens-reset": theirs(20),
      "anthropic-ratelimit-output-tokens-remaining": "0",
    },
    "",
    20_000,
  ],
  [
    "OpenAI: minutes and seconds",
    {
      "x-ratelimit-reset-requests": "120ms",
      "x-ratelimit-remaining-requests": "10",
      "x-ratelimit-reset-tokens": "6m0s",
      "x-ratelimit-remaining-tokens": "0",
    },
    "",
    360_000,
  ],
  [
    "limits that all have something left say nothing",
    { "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "5" },
    "",
    null,
  ],
  [
    "seconds since 1970, by their clock",
    { date, "x-ratelimit-reset": String((NOW + 3_600_000) / 1_000 + 5) },
    "",
    5_000,
  ],
  ["what is no time", { "retry-after": "soon", "x-ratelimit-reset-tokens": "1 fortnight" }, "no", null],
])("when to ask again: %s", (_, headers, body, wait) => {
  expect(resetOf({ headers, body, now: NOW })).toBe(wait === null ? null : NOW + wait);
});
