import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";

const clock = systemClock();

it("a sleep ends early, without an error, when its signal aborts", async () => {
  const stop = new AbortController();
  const long = clock.sleep(60_000, stop.signal);
  stop.abort();
  await long;
  await clock.sleep(60_000, stop.signal);
});

it("monotonic time goes on by what was slept", async () => {
  const before = clock.read();
  await clock.sleep(20, new AbortController().signal);
  const after = clock.read();
  expect(after.mono - before.mono).toBeGreaterThanOrEqual(19);
  expect(after.wall).toBeGreaterThan(1_700_000_000_000);
});
