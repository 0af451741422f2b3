import { expect, it } from "vitest";
import { failureOf } from "./error-words.ts";

const NOW = 1_790_000_000_000;

it("the protocol's own code for a login counts where no words say more", () => {
  expect(failureOf({ code: -32_000, message: "do it first" }, NOW).kind).toBe("auth");
  expect(failureOf({ code: -32_000, message: "429 rate limit" }, NOW).kind).toBe("rate-limit");
});

it("what stands beside the message counts too, and what is no error is one that says nothing", () => {
  const data = { details: "fetch failed" };
  expect(failureOf({ code: -32_603, message: "Internal error", data }, NOW)).toMatchObject({ kind: "provider-down" });
  expect(failureOf(undefined, NOW)).toEqual({ kind: "crash", why: "it says nothing about it", until: null });
});
