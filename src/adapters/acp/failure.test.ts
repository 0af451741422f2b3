import { expect, it } from "vitest";
import { failureIn } from "./failure.ts";

const NOW = 1_790_000_000_000;

it.each([
  ["429 Too Many Requests, retry after 30", "rate-limited", 30_000],
  ["rate_limit_exceeded: Please try again in 1m20s.", "rate-limited", 80_000],
  ["You exceeded your current quota. Please retry in 34.07s", "rate-limited", 34_070],
  ['{"status":"RESOURCE_EXHAUSTED","retryDelay":"12s"}', "rate-limited", 12_000],
  ["You've hit your limit · resets at 2026-09-21T16:00:00Z", "rate-limited", Date.parse("2026-09-21T16:00:00Z") - NOW],
  ["Claude AI usage limit reached|1790003600", "rate-limited", 3_600_000],
  ["insufficient_quota: You exceeded your current quota, check your plan and billing", "quota", null],
  ["Your credit balance is too low to access the API", "quota", null],
  ["API key not valid. Please pass a valid API key.", "auth", null],
  ["unexpected status 401 Unauthorized", "auth", null],
  ["prompt is too long: 210000 tokens > 200000 maximum", "context-full", null],
  ["503 UNAVAILABLE: the model is overloaded", "provider", null],
  ["fetch failed: connect ECONNREFUSED 127.0.0.1:1", "provider", null],
  ["blocked by the content policy", "refused", null],
  ["Cannot read properties of undefined (reading 'x')", "crash", null],
  ["", "crash", null],
])("%s: %s", (message, kind, wait) => {
  const { until, ...failure } = failureIn({ code: -32_603, message }, NOW);
  expect(failure.kind).toBe(kind);
  expect(until).toBe(wait === null ? null : NOW + wait);
});

it("the protocol's own code for a login counts where no words say more", () => {
  expect(failureIn({ code: -32_000, message: "do it first" }, NOW).kind).toBe("auth");
  expect(failureIn({ code: -32_000, message: "429 rate limit" }, NOW).kind).toBe("rate-limited");
});

it("what stands beside the message counts too, and what is no error is one that says nothing", () => {
  const data = { details: "fetch failed" };
  expect(failureIn({ code: -32_603, message: "Internal error", data }, NOW)).toMatchObject({ kind: "provider" });
  expect(failureIn(undefined, NOW)).toEqual({ kind: "crash", why: "it says nothing about it", until: null });
});
