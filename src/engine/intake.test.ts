import fc from "fast-check";
import { expect, it } from "vitest";
import type { Input } from "../domain/input.ts";
import type { TaskId } from "../domain/names.ts";
import { Intake } from "./intake.ts";

const gone = (task: string): Input => ({ kind: "spec-gone", task: task as TaskId });
const base = (task: string, contains = true): Input => ({ kind: "base-seen", task: task as TaskId, contains });
const drained = (inputs: readonly Input[], max = 100) => {
  const intake = new Intake();
  for (const input of inputs) intake.push({ input });
  return intake.drain(max).map((one) => one.input);
};

it("settles by task in natural order, then kind, then key, whatever the order of arrival", () => {
  const wanted = [base("task-2", false), base("task-2"), gone("task-2"), base("task-10"), gone("task-10")];
  fc.assert(
    fc.property(fc.shuffledSubarray(wanted, { minLength: 5 }), (inputs) => {
      expect(drained(inputs)).toEqual(wanted);
    }),
  );
});

it("what concerns no task comes first", () => {
  expect(drained([gone("a"), { kind: "clock-gap", ms: 5 }])[0]).toEqual({ kind: "clock-gap", ms: 5 });
});

it("what was asked of a processor while it started is settled behind its start, which ends what was asked before", () => {
  const started: Input = { kind: "processor-started", pid: 1, host: "h" };
  const stop: Input = {
    kind: "command-received",
    id: "1",
    by: "a",
    task: null,
    command: { do: "stop", workers: true },
  };
  const gap: Input = { kind: "clock-gap", ms: 5 };
  expect(drained([stop, started, gap])).toEqual([gap, started, stop]);
});

it("takes the oldest when there is more than one tick may hold; a clock gap goes before them all", () => {
  const intake = new Intake();
  for (const task of ["c", "b", "a"]) intake.push({ input: gone(task) });
  intake.pushFirst({ input: { kind: "clock-gap", ms: 5 } });
  expect(intake.drain(3).map(({ input }) => input)).toEqual([{ kind: "clock-gap", ms: 5 }, gone("b"), gone("c")]);
  expect(intake.size).toBe(1);
});

it("wakes who waits by a push, by a nudge, and at once when something is there", async () => {
  const intake = new Intake();
  const pushed = intake.stirred(60_000);
  intake.push({ input: gone("a") });
  await pushed;
  await intake.stirred(60_000);
  intake.drain(9);
  const nudged = intake.stirred(60_000);
  intake.nudge();
  await nudged;
});
