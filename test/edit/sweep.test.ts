import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { shows } from "../support/shows.ts";
import {
  closeSweep,
  faultAt,
  faultFrom,
  inTurn,
  listCalls,
  listSyscalls,
  openSweep,
  type Point,
  type Sweep,
  SYSCALLS,
} from "./sweep.ts";

// A kill at every single point, not only at those that differ: PAWL_EDIT_SWEEP=all npx vitest run test/edit/sweep.test.ts
const IS_FULL = process.env.PAWL_EDIT_SWEEP === "all";
const EVERY = IS_FULL ? 1 : 6;
const AT_ONCE = 2;
const LONG_MS = 600_000;

let sweep: Sweep;
beforeAll(async () => {
  sweep = await openSweep();
});
afterAll(() => closeSweep(sweep));

const isFault = (fault: string | null): boolean => fault !== null;
const told = (what: string, faults: readonly (string | null)[]): void => {
  console.log(`edit sweep: ${what}: ${faults.length} points, ${faults.filter(isFault).length} faults`);
  expect(faults.filter(isFault)).toEqual([]);
};

/** Calls, from 1, before which a kill finds something else on the disk than before the one before it; and the end. */
const telling = (calls: readonly string[]): readonly number[] =>
  [...calls, "end"].flatMap((_, i) => {
    const isTelling = i === 0 || !["read", "resolve", "list"].includes(calls[i - 1]!);
    return IS_FULL || isTelling ? [i + 1] : [];
  });
const killAt = (at: number): Point => ({ kind: "call", at });

describe("an edit of five files that is killed", () => {
  test(
    "WRK-6.1 at any call of its file port is there whole, or not at all, at the next start",
    async () => {
      const calls = await listCalls(sweep, "apply");
      expect(calls.length).toBeGreaterThan(40);
      const every = Array.from({ length: calls.length + 1 }, (_, i) => i + 1);
      told("a port that is dead from any call on", await inTurn(every, 1, (at) => faultFrom(sweep, at)));
      told(
        "SIGKILL between any two changes",
        await inTurn(telling(calls), AT_ONCE, (at) => faultAt(sweep, killAt(at))),
      );
      shows("WRK-6.1", 4);
    },
    LONG_MS,
  );

  test(
    "and whose next start is killed at any call too, is so at the one after that",
    async () => {
      // Two files are in their place, the others are not: it has the most to put back.
      const middle: Point = { kind: "call", at: "rename 3" };
      const edit = await listCalls(sweep, "apply");
      const first = edit.flatMap((call, i) => (call === "rename" ? [i + 1] : []))[2]!;
      const calls = await listCalls(sweep, "recover", middle);
      expect(calls.length).toBeGreaterThan(15);
      const every = Array.from({ length: calls.length + 1 }, (_, i) => i + 1);
      told("dead in the next start too", await inTurn(every, 1, (at) => faultFrom(sweep, first, at)));
      const some = telling(calls).filter((_, i) => i % EVERY === 0);
      told("SIGKILL in the next start too", await inTurn(some, AT_ONCE, (at) => faultAt(sweep, middle, killAt(at))));
    },
    LONG_MS,
  );

  needs("strace", "strace", ["-f", "-o", "/dev/null", "true"])(
    "WRK-6.1 at any call of the kernel is there whole, or not at all, at the next start",
    async () => {
      const all = await listSyscalls(sweep);
      const points = all.filter(({ name }, i) => i % EVERY === 0 || /rename|unlink/.test(name));
      const faults = await inTurn(points, AT_ONCE, (point) => faultAt(sweep, point));
      const each = SYSCALLS.map((name) => `${name} ${points.filter((point) => point.name === name).length}`);
      expect(all.length).toBeGreaterThan(40);
      told(
        `SIGKILL at calls of the kernel (${each.join(", ")}, of ${all.length}, ${sweep.missed.length} not met)`,
        faults,
      );
      expect(sweep.missed.length).toBeLessThan(points.length / 4);
    },
    LONG_MS,
  );
});
