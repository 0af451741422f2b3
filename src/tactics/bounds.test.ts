import { describe, expect, test } from "vitest";
import { NOON, ticket, worker } from "../../test/support/ticket.ts";
import type { Instant, Ms } from "../domain/names.ts";
import type { WorkerStatus } from "../protocol/progress.ts";
import { WORKER_LIMITS, type WorkerLimits } from "./action.ts";
import { boundReached, timeWarning, workedMs } from "./bounds.ts";
import type { Spent, WorkerState } from "./worker-state.ts";

const MINUTE = 60_000;
const at = (minutes: number, limits: Partial<WorkerLimits> = {}) => ({
  now: (NOON + minutes * MINUTE) as Instant,
  limits: { ...WORKER_LIMITS, ...limits },
  tools: new Set<string>(),
});
const spent = (over: Partial<Spent>): Pick<WorkerState, "spent"> => ({
  spent: { hops: 0, tokens: 0, microUsd: 0, unpriced: 0, workMs: 0 as Ms, ...over },
});
const inStatus = (status: WorkerStatus, over: Partial<WorkerState> = {}, timeout_minutes = 60) => {
  const state = worker(over, ticket({ timeout_minutes }));
  return { ...state, session: { ...state.session, status } };
};

describe("time", () => {
  test.each([
    [59.9, "implementing", null],
    [60, "implementing", "timed out after 60 of 60 minutes"],
    [600, "implementing", "timed out after 60 of 60 minutes"],
    [600, "awaiting_go", null],
    [600, "awaiting_next", null],
    [600, "completed", null],
  ] as const)("after %f minutes in %s: %s", (minutes, status, detail) => {
    const action = boundReached(inStatus(status), at(minutes));
    expect(action === null ? null : action.do === "finish" && action.detail).toBe(detail);
  });

  test("an extension moves the end", () => {
    const state = inStatus("implementing");
    const extended = { ...state, session: { ...state.session, extraMinutes: 30 } };
    expect(boundReached(extended, at(89))).toBeNull();
    expect(boundReached(extended, at(90))).toMatchObject({ verdict: "FAIL" });
  });

  /** 80 % of the time, or 5 minutes before its end, whichever is later */
  test.each([
    [60, 54.9, false],
    [60, 55, true],
    [10, 7.9, false],
    [10, 8, true],
    [100, 94.9, false],
    [100, 95, true],
    [25, 19.9, false],
    [25, 20, true],
  ])("of %i minutes, at %f: warned %s", (limit, minutes, isWarned) => {
    expect(timeWarning(inStatus("implementing", {}, limit), at(minutes)) !== null).toBe(isWarned);
  });

  test("it is warned once, and not at a gate", () => {
    expect(timeWarning(inStatus("implementing", { warnedOfTime: true }), at(59))).toBeNull();
    expect(timeWarning(inStatus("awaiting_go"), at(59))).toBeNull();
  });

  test("a clock that goes back takes no time away", () => {
    expect(workedMs(worker(spent({ workMs: 5 as Ms })), { now: (NOON - 1000) as Instant })).toBe(5);
  });
});

describe("what may be spent", () => {
  test.each([
    ["hops", { hops: 300 }, {}, {}, "budget: 300 of 300 questions to models"],
    ["tokens, of the worker", { tokens: 500 }, { tokens: 500 }, {}, "budget: 500 of 500 tokens"],
    ["tokens, of the task", { tokens: 500 }, { tokens: 900 }, { tokens: 400 }, "budget: 500 of 400 tokens"],
    ["money", { microUsd: 1_500_000 }, {}, { cost_usd: 1.5 }, "budget: $1.50 of $1.50"],
    ["wall time", { workMs: 90_000 as Ms }, {}, { wall_ms: 90_000 }, "budget: 90 of 90 s"],
    ["nothing", { hops: 299, tokens: 1e9, microUsd: 1e9 }, {}, {}, null],
    ["zero", {}, {}, { tokens: 0 }, "budget: 0 of 0 tokens"],
  ] as const)("%s", (_, over, limits, budget, detail) => {
    const state = worker(spent(over), ticket({ budget }));
    const action = boundReached({ ...state, session: { ...state.session, status: "implementing" } }, at(0, limits));
    expect(action).toEqual(detail === null ? null : { do: "finish", verdict: "BLOCKED", detail });
  });
});
