import { expect, it, test } from "vitest";
import type { Instant } from "../domain/names.ts";
import type { Clock } from "../ports/clock.ts";
import { Ticker } from "./ticker.ts";

function moving(start = 1_000_000) {
  let reading = { wall: start, mono: 0 };
  const clock: Clock = { read: () => reading, sleep: async () => {} };
  const push = (wall: number, mono: number) => {
    reading = { wall: reading.wall + wall, mono: reading.mono + mono };
  };
  return { ticker: new Ticker(clock, 0 as Instant), push };
}

test.each<[string, number, number, number, number]>([
  ["time that was lived", 5_000, 5_000, 5_000, 0],
  ["a sleep of an hour", 3_600_000, 1_000, 3_600_000, 3_599_000],
  ["a jump of 30 s is none yet", 30_000, 0, 30_000, 0],
  ["the clock set back: the log goes on by what was lived", -7_200_000, 5_000, 5_000, 0],
])("%s", (_, wall, mono, passed, gapMs) => {
  const { ticker, push } = moving();
  push(wall, mono);
  expect(ticker.read()).toEqual({ now: 1_000_000 + passed, gapMs });
});

it("set back, what falls due in ten seconds falls due in ten seconds", () => {
  const { ticker, push } = moving();
  push(-7_200_000, 0);
  const { now } = ticker.read();
  for (let i = 0; i < 10; i++) {
    push(1_000, 1_000);
    ticker.read();
  }
  expect(ticker.until((now + 10_000) as Instant)).toBe(0);
});

it("never goes back, whatever the clocks say, also against a log of a later time", () => {
  const clock: Clock = { read: () => ({ wall: 5, mono: 0 }), sleep: async () => {} };
  expect(new Ticker(clock, 99 as Instant).read().now).toBe(99);
  const { ticker, push } = moving();
  let last = 0;
  for (let i = 0; i < 200; i++) {
    push(((i * 7919) % 1_000) - 500, (i * 31) % 7);
    const { now } = ticker.read();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
  }
});
