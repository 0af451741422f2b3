import { expect, it } from "vitest";
import type { Answer } from "../../protocol/answer.ts";
import { answerInTime } from "./answer-in-time.ts";

const GO = { answer: "GO" } as unknown as Answer;
const { signal } = new AbortController();

/** A clock that moves by its sleeps alone, and somebody who answers at `at`. */
function after(at: number) {
  const now = { mono: 0 };
  const clock = {
    read: () => ({ wall: 0, mono: now.mono }),
    sleep: async (ms: number) => {
      now.mono += ms;
    },
  };
  const looked: number[] = [];
  const look = () => {
    looked.push(now.mono);
    return now.mono >= at ? GO : null;
  };
  return { looked, wait: (waitMs: number) => answerInTime(look, { clock, waitMs }, signal) };
}

it("an answer within the time is taken, one behind it is not waited for", async () => {
  expect(await after(400).wait(5_000)).toBe(GO);
  expect(await after(6_000).wait(5_000)).toBeNull();
});

it("with no time at all it looks once", async () => {
  const late = after(1);
  expect(await late.wait(0)).toBeNull();
  expect(late.looked).toEqual([0]);
  expect(await after(0).wait(0)).toBe(GO);
});

it("who is told to stop waits no longer", async () => {
  const stopped = AbortSignal.abort();
  const clock = { read: () => ({ wall: 0, mono: 0 }), sleep: async () => {} };
  expect(await answerInTime(() => null, { clock, waitMs: 5_000 }, stopped)).toBeNull();
});
