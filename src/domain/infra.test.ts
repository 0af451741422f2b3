import { describe, expect, it, test } from "vitest";
import {
  atPhase,
  done,
  effect,
  effectEnded,
  ended,
  endOf,
  HEAD,
  NOW,
  notices,
  running,
  settled,
} from "../../test/support/rows.ts";
import { backOff } from "./infra.ts";
import type { EffectResult } from "./input.ts";
import type { Instant } from "./names.ts";
import type { Task } from "./task.ts";

test.each([
  [0, 30],
  [1, 60],
  [2, 120],
  [4, 480],
  [5, 900],
  [50, 900],
])("after %i failures the back-off is %i s", (failures, seconds) => {
  expect(backOff(failures)).toBe(seconds * 1_000);
});

describe("what is nobody's doing", () => {
  const later: EffectResult = { kind: "later", until: null, owner: "forge", detail: "down" };
  const publishing = (change: Partial<Task> = {}) =>
    atPhase("verify", { published: null, doing: effect({ kind: "publish", to: HEAD }), ...change });
  const counts = (infra: number) => ({ crashes: 0, infra, conflicts: 0, tips: 0 });
  const HOUR = 3_600_000;

  it("waits in the phase, longer each time, and costs no round", () => {
    const { row } = settled(
      publishing({ counts: counts(1), infraSince: NOW }),
      effectEnded("task-1/1/publish/1", later),
    );
    expect(row).toMatchObject({
      phase: "verify",
      round: 0,
      counts: { infra: 2 },
      doing: { on: { owner: "forge", until: NOW + 60_000 } },
    });
  });
  it("waits until the source's own time, where that is still to come", () => {
    const end = (until: number) =>
      settled(atPhase("verify", { doing: running() }), ended(endOf("rate-limited", { until }))).row.doing;
    expect(end(NOW + 7)).toMatchObject({ on: { code: "rate-limited", until: NOW + 7 } });
    expect(end(NOW - 7), "a reset that has passed").toMatchObject({ on: { until: NOW + 30_000 } });
  });
  it("is held for a person after max_hold_hours of it", () => {
    const since = (NOW - 24 * HOUR) as Instant;
    const { row, facts } = settled(
      publishing({ counts: counts(9), infraSince: since }),
      effectEnded("task-1/1/publish/1", later),
    );
    expect(row.doing).toMatchObject({ on: { owner: "human", until: null } });
    expect(notices(facts)).toHaveLength(1);
  });
  it("that a person has to mend is told once, looked at again meanwhile, and never held", () => {
    const theirs: EffectResult = { kind: "later", until: (NOW + 10) as Instant, owner: "human", detail: "a lock" };
    const first = settled(publishing(), effectEnded("task-1/1/publish/1", theirs));
    expect(first.row.doing).toMatchObject({ on: { owner: "human", until: NOW + 10 } });
    expect(notices(first.facts)).toEqual(["publish: a lock"]);
    const since = (NOW - 48 * HOUR) as Instant;
    const again = publishing({ counts: counts(9), infraSince: since });
    const { row, facts } = settled(again, effectEnded("task-1/1/publish/1", theirs));
    expect(row.doing).toMatchObject({ on: { owner: "human", until: NOW + 10 } });
    expect(notices(facts)).toEqual([]);
  });
  it("begins anew when it has worked: two bad minutes with two days between them are no hold", () => {
    const since = (NOW - 48 * HOUR) as Instant;
    const { row } = settled(
      publishing({ counts: counts(1), infraSince: since }),
      effectEnded("task-1/1/publish/1", done({ what: "nothing" })),
    );
    expect(row).toMatchObject({ published: HEAD, counts: { infra: 0 }, infraSince: null });
  });
  it("does not begin anew with a spawn alone: a rate limit is met after it", () => {
    const spawn = effect({
      kind: "spawn",
      wish: { run: "task-1/1/1", leg: "task-1/1/1.1", wallMs: 5, purpose: "agent" },
    } as never);
    const made = { what: "leg", leg: "task-1/1/1.1", host: "here", at: NOW } as never;
    const { row } = settled(
      atPhase("verify", { doing: spawn, counts: counts(2), infraSince: NOW }),
      effectEnded("task-1/1/spawn/1", done(made)),
    );
    expect(row).toMatchObject({ doing: { kind: "running", deadline: NOW + 5 }, counts: { infra: 2 } });
  });
  it("a spawn's deadline is an instant of the log, also when the host's clock was set back", () => {
    const spawn = effect({
      kind: "spawn",
      wish: { run: "task-1/1/1", leg: "task-1/1/1.1", wallMs: 5, purpose: "agent" },
    } as never);
    const made = { what: "leg", leg: "task-1/1/1.1", host: "here", at: NOW - 7_200_000 } as never;
    const of = (found: boolean) =>
      settled(atPhase("verify", { doing: spawn }), effectEnded("task-1/1/spawn/1", done(made, found))).row.doing;
    expect(of(false)).toMatchObject({ since: NOW, deadline: NOW + 5 });
    expect(of(true)).toMatchObject({ since: NOW - 7_200_000 });
  });
});
