import { expect, it } from "vitest";
import { failureIn } from "./failure.ts";

const NOW = 1_790_000_000_000;

it.each([
  ["429 Too Many Requests, retry after 30", "rate-limit", 30_000],
  ["rate_limit_exceeded: Please try again in 1m20s.", "rate-limit", 80_000],
  ["You exceeded your current quota. Please retry in 34.07s", "rate-limit", 34_070],
  ['{"status":"RESOURCE_EXHAUSTED","retryDelay":"12s"}', "rate-limit", 12_000],
  ["You've hit your limit · resets at 2026-09-21T16:00:00Z", "rate-limit", Date.parse("2026-09-21T16:00:00Z") - NOW],
  ["Claude AI usage limit reached|1790003600", "rate-limit", 3_600_000],
  ["insufficient_quota: You exceeded your current quota, check your plan and billing", "quota", null],
  ["Your credit balance is too low to access the API", "quota", null],
  ["API key not valid. Please pass a valid API key.", "auth", null],
  ["unexpected status 401 Unauthorized", "auth", null],
  ["prompt is too long: 210000 tokens > 200000 maximum", "context-full", null],
  ["503 UNAVAILABLE: the model is overloaded", "provider-down", null],
  ["fetch failed: connect ECONNREFUSED 127.0.0.1:1", "provider-down", null],
  ["blocked by the content policy", "model-refused", null],
  ["Cannot read properties of undefined (reading 'x')", "crash", null],
  ["", "crash", null],
])("%s: %s", (message, kind, wait) => {
  const { until, ...failure } = failureIn(message, NOW);
  expect(failure.kind).toBe(kind);
  expect(until).toBe(wait === null ? null : NOW + wait);
});
