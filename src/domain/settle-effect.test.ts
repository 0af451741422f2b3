import { describe, expect, it, test } from "vitest";
import {
  atPhase,
  CHANGE,
  done,
  effect,
  effectEnded,
  HEAD,
  MAP,
  MERGED,
  NOW,
  notices,
  OTHER,
  refused,
  settled,
  TIP,
  waiting,
} from "../../test/support/rows.ts";
import { aSeed } from "../../test/support/ticks.ts";
import type { EffectKey, Instant, PhaseName } from "./names.ts";
import { pristine } from "./pristine.ts";
import type { Approval, Task } from "./task.ts";

const LAND = effect({ kind: "land", pr: "pawl://pr/1", head: HEAD, tip: TIP });
const CANDIDATE = { tip: TIP, commit: OTHER, head: HEAD, checked: false };
const approval = (phase: string, head = HEAD): Approval => ({
  phase: phase as PhaseName,
  by: "lead",
  head,
  patchId: "patch-1",
  at: 1 as Instant,
});
const landing = (change: Partial<Task> = {}) => atPhase("merge", { doing: LAND, candidate: CANDIDATE, ...change });
const LANDED = effectEnded("task-1/1/land/1", done({ what: "merge", commit: MERGED, onBase: true }));

describe("a merge", () => {
  it("that landed completes the task; one not on its base yet is not synced", () => {
    expect(settled(landing(), LANDED).row).toMatchObject({
      status: "completed",
      phase: null,
      why: MERGED,
      synced: true,
    });
    const late = effectEnded("task-1/1/land/1", done({ what: "merge", commit: MERGED, onBase: false }));
    expect(settled(landing(), late).row).toMatchObject({ status: "completed", synced: false });
  });

  it("goes on where its map has phases behind it", () => {
    const map = { ...MAP, phases: { ...MAP.phases, merge: { ...MAP.phases.merge!, onPass: "verify" as PhaseName } } };
    expect(settled(landing(), LANDED, { map }).row).toMatchObject({
      status: "in-progress",
      phase: "verify",
      merged: MERGED,
    });
  });

  it("refused for a moved tip is prepared again, the third time it waits its turn", () => {
    const moved = effectEnded("task-1/1/land/1", refused("tip-moved"));
    const tips = (n: number) => ({ crashes: 0, infra: 0, conflicts: 0, tips: n });
    expect(settled(landing({ counts: tips(1) }), moved).row).toMatchObject({
      candidate: null,
      counts: { tips: 2 },
      doing: { kind: "nothing" },
    });
    expect(settled(landing({ counts: tips(2) }), moved).row).toMatchObject({
      phase: "merge",
      round: 0,
      counts: { tips: 0 },
      doing: { on: { owner: "processor", until: NOW + 30_000 } },
    });
  });

  it("refused for a moved head voids the approval and goes back to be verified, counted with the conflicts", () => {
    const task = landing({ approvals: [approval("await-review")] });
    const { row } = settled(task, effectEnded("task-1/1/land/1", refused("head-moved", { actual: OTHER })));
    expect(row).toMatchObject({
      phase: "verify",
      round: 0,
      head: OTHER,
      approvals: [],
      counts: { conflicts: 1 },
    });
  });

  it("a head that nobody looked into is not the approved patch, whatever the policy", () => {
    const task = landing({ approvals: [approval("verify"), approval("await-review")] });
    const { row } = settled(task, effectEnded("task-1/1/land/1", refused("head-moved", { actual: OTHER })), {
      limits: { approval: "patch" },
    });
    expect(row).toMatchObject({ phase: "verify", change: { patchId: null }, approvals: [] });
  });

  it("a dirty base is looked at again by itself, and the person is told once", () => {
    const first = settled(landing(), effectEnded("task-1/1/land/1", refused("base-dirty")));
    expect(first.row.doing).toMatchObject({ on: { code: "base-dirty", owner: "human", until: NOW + 10_000 } });
    expect(notices(first.facts)).toHaveLength(1);
    const again = settled({ ...first.row, doing: LAND }, effectEnded("task-1/1/land/1", refused("base-dirty")));
    expect(again.row.doing).toMatchObject({ on: { code: "base-dirty" } });
    expect(notices(again.facts)).toEqual([]);
  });
});

test.each([
  [
    "conflict",
    { phase: "resolve", round: 0, counts: { conflicts: 1 }, findings: [{ file: "src/a.ts" }, { file: "src/b.ts" }] },
  ],
  ["nothing-to-do", { phase: "implement", round: 1, findings: [{ key: "nothing-to-do" }] }],
  ["base-gone", { phase: "merge", doing: { on: { code: "base-gone", owner: "human" } } }],
  ["closed", { phase: "merge", doing: { on: { code: "pr-closed", owner: "human" } } }],
  ["denied", { phase: "merge", doing: { on: { code: "denied", owner: "human" } } }],
] as const)("a candidate refused with %s", (code, wanted) => {
  const files = code === "conflict" ? ["src/a.ts", "src/b.ts"] : [];
  expect(
    settled(atPhase("merge"), effectEnded("task-1/1/prepare-merge/1", refused(code, { files }))).row,
  ).toMatchObject(wanted);
});

it("a branch that was merged by hand while nobody looked completes its task, also before it had a pull request", () => {
  const merge = done({ what: "merge", commit: MERGED, onBase: true }, true);
  const prepared = settled(atPhase("merge"), effectEnded("task-1/1/prepare-merge/1", merge));
  expect(prepared.row).toMatchObject({ status: "completed", merged: MERGED, synced: true, round: 0 });
  const opening = atPhase("await-review", { pr: null, doing: effect({ kind: "open-pr", head: HEAD }) });
  const none = effectEnded("task-1/1/open-pr/1", refused("nothing-to-do"));
  expect(settled(opening, none).row).toMatchObject({ status: "completed", merged: HEAD, round: 0 });
  const empty = settled({ ...opening, change: { ...CHANGE, commits: 0 } }, none);
  expect(empty.row).toMatchObject({ status: "in-progress", round: 1 });
});

describe("merge conflicts", () => {
  const conflicts = (tips: readonly string[]): Task => {
    let task = atPhase("merge");
    for (const tip of tips) {
      const again = { ...task, phase: "merge" as PhaseName, visit: 1, doing: { kind: "nothing" } as const };
      const met = refused("conflict", { actual: tip.repeat(40) as typeof TIP });
      task = settled(again, effectEnded("task-1/1/prepare-merge/1", met)).row;
    }
    return task;
  };

  it("are counted for one tip: that others landed meanwhile is no failure of this task", () => {
    expect(conflicts(["1", "1", "1"])).toMatchObject({ counts: { conflicts: 3 }, conflict: { met: 3 } });
    expect(conflicts(["1", "2", "3"])).toMatchObject({ counts: { conflicts: 1 }, conflict: { met: 3 } });
  });
  it("cost a round each when there were many, so that a base that never rests ends too", () => {
    expect(conflicts(["1", "2", "3", "4", "5"]).round).toBe(0);
    expect(conflicts(["1", "2", "3", "4", "5", "6", "7"])).toMatchObject({ round: 2, counts: { conflicts: 1 } });
  });
  it("are over when the branch merges with that tip", () => {
    const merged = done({ what: "candidate", tip: TIP, commit: OTHER });
    const at = { ...conflicts(["1"]), phase: "merge" as PhaseName, visit: 1 };
    expect(settled(at, effectEnded("task-1/1/prepare-merge/1", merged)).row.conflict).toEqual({ tip: null, met: 1 });
  });
});

it("a merge conflict without on_conflict is RETRY, and counts as a conflict too", () => {
  const map = { ...MAP, phases: { ...MAP.phases, merge: { ...MAP.phases.merge!, onConflict: null } } };
  const { row } = settled(atPhase("merge"), effectEnded("task-1/1/prepare-merge/1", refused("conflict")), { map });
  expect(row).toMatchObject({ phase: "implement", round: 1, counts: { conflicts: 1 } });
});

it("a candidate of an earlier visit, or of a task that is over, is nothing", () => {
  const made = done({ what: "candidate", tip: TIP, commit: OTHER });
  const stale = settled(atPhase("merge", { visit: 2 }), effectEnded("task-1/1/prepare-merge/1", made));
  expect(stale.row.candidate).toBe(null);
  const over = atPhase("merge", { status: "failed" });
  for (const result of [made, refused("conflict")])
    expect(settled(over, effectEnded("task-1/1/prepare-merge/1", result)).row).toEqual(over);
});

describe("a branch that somebody else moved", () => {
  it("is told to the next worker, who starts before anything is published again", () => {
    const task = atPhase("verify", { published: null, doing: effect({ kind: "publish", to: HEAD }) });
    const { row } = settled(task, effectEnded("task-1/1/publish/1", refused("head-moved", { actual: OTHER })));
    expect(row).toMatchObject({
      phase: "implement",
      round: 1,
      head: HEAD,
      published: OTHER,
      findings: [{ key: "moved" }],
    });
  });
  it("and is gone is published again", () => {
    const task = atPhase("await-review", { pr: null, doing: effect({ kind: "open-pr", head: HEAD }) });
    expect(settled(task, effectEnded("task-1/1/open-pr/1", refused("branch-gone"))).row).toMatchObject({
      published: null,
      doing: { kind: "nothing" },
    });
  });
});

describe("a task that is cancelled while something of it is under way", () => {
  const cancelling = { cancelling: "cancelled by lead: no need" };
  test.each([
    ["publish", refused("denied")],
    ["publish", { kind: "later", until: null, owner: "forge", detail: "down" } as const],
    ["open-pr", refused("closed")],
  ] as const)("fails when its %s has ended, however it ended", (kind, result) => {
    const task = atPhase("verify", { doing: effect({ kind } as never), ...cancelling });
    expect(settled(task, effectEnded(`task-1/1/${kind}/1`, result)).row).toMatchObject({
      status: "failed",
      why: cancelling.cancelling,
    });
  });
  it("a spawn that happened nevertheless is stopped", () => {
    const doing = effect({ kind: "spawn", wish: { run: "task-1/1/1", wallMs: 5, purpose: "agent" } } as never);
    const made = done({ what: "leg", leg: "task-1/1/1.1", host: "here", at: NOW } as never);
    const { row } = settled(atPhase("verify", { doing, ...cancelling }), effectEnded("task-1/1/spawn/1", made));
    expect(row).toMatchObject({
      doing: { kind: "running", stopping: "cancel" },
      chores: [{ kind: "stop", why: "cancel" }],
    });
  });
});

it("a notice of a task that was cancelled before it began is closed", () => {
  const cancelled = settled(pristine(aSeed("task-1")), {
    kind: "command-received",
    id: "r",
    by: "lead",
    task: aSeed("task-1").id,
    command: { do: "cancel", message: "no need" },
  }).row;
  expect(cancelled).toMatchObject({ status: "failed", map: null, chores: [{ kind: "notify" }] });
  const { row } = settled(cancelled, effectEnded(cancelled.chores[0]!.key, done({ what: "nothing" })));
  expect(row.chores).toEqual([]);
});

it("an effect that is not under way is ignored with the reason", () => {
  const task = atPhase("merge", { doing: waiting({}), change: CHANGE });
  expect(
    settled(task, effectEnded("task-1/1/land/9" as EffectKey, refused("denied"))).of("input-ignored"),
  ).toHaveLength(1);
});
