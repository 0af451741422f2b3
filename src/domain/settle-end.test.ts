import { describe, expect, it, test } from "vitest";
import {
  AGENT,
  aPhase,
  atPhase,
  CHANGE,
  command,
  ended,
  endOf,
  finding,
  HEAD,
  LEG,
  mapOf,
  NOW,
  notices,
  OTHER,
  running,
  settled,
  verdict,
} from "../../test/support/rows.ts";
import { findingId } from "./findings.ts";
import type { RunEnd, Sighting } from "./input.ts";
import type { EffectKey, Instant, PhaseName, RunKey, TaskId } from "./names.ts";
import type { Finding, Purpose, Task } from "./task.ts";

const RESERVE = { microUsd: 2, tokens: 3, wallMs: 60_000, spawns: 1 };
const RUN = "task-1/1/1" as RunKey;
const at = (phase: string, change: Partial<Task> = {}) =>
  atPhase(phase, {
    doing: running(),
    ledger: { ...atPhase(phase).ledger, reserved: { [RUN]: RESERVE } },
    ...change,
  });
const NO_WORK = { head: null, change: null, published: null, pr: null, ready: false };

describe("a worker's end comes to an outcome", () => {
  test.each<[string, RunEnd, Partial<Task>, Partial<Task>, string | null]>([
    ["PASS", verdict("PASS"), {}, { phase: "await-review" as PhaseName, round: 0, visit: 2 }, null],
    ["FAIL", verdict("FAIL"), {}, { phase: "implement" as PhaseName, round: 1 }, null],
    ["NO_CHANGE", verdict("NO_CHANGE"), NO_WORK, { phase: "await-review" as PhaseName, noChange: "said so" }, null],
    ["NO_CHANGE with commits", verdict("NO_CHANGE"), {}, { phase: "implement" as PhaseName, round: 1 }, null],
    ["BLOCKED", verdict("BLOCKED"), {}, { phase: "verify" as PhaseName, round: 0 }, "blocked"],
    ["a crash", endOf("no-verdict"), {}, { phase: "implement" as PhaseName, round: 1 }, null],
    ["a time limit", endOf("timeout"), {}, { phase: "implement" as PhaseName, round: 1 }, null],
    ["a rate limit", endOf("rate-limited"), {}, { phase: "verify" as PhaseName, round: 0 }, "rate-limited"],
    ["no credential", endOf("auth"), {}, { phase: "verify" as PhaseName, round: 0 }, "auth"],
    ["a setup that fails", endOf("setup"), {}, { phase: "verify" as PhaseName, round: 0 }, "setup"],
    ["a lost host", endOf("lost"), {}, { phase: "verify" as PhaseName, round: 0 }, "host"],
  ])("%s", (_, end, change, wanted, waits) => {
    const { row } = settled(at("verify", change), ended(end));
    expect(row).toMatchObject(wanted);
    expect(row.doing.kind === "waiting" ? row.doing.on.code : null).toBe(waits);
  });

  it("the criteria that a verdict counts are of the head it saw, also where it brought none", () => {
    const criteria = { met: 1, of: 2 };
    const seen = (head: RunEnd["head"]) =>
      settled(at("verify"), ended(verdict("PASS", { criteria, head }))).row.criteria;
    expect(seen(null)).toEqual({ ...criteria, head: HEAD });
    expect(seen(OTHER)).toEqual({ ...criteria, head: OTHER });
    expect(settled(at("verify"), ended(verdict("PASS"))).row.criteria).toBeUndefined();
  });

  it("BLOCKED is held for a person, also where on_wait names another phase", () => {
    const map = mapOf([aPhase("implement", AGENT, { onWait: "elsewhere" }), aPhase("elsewhere", AGENT)]);
    const { row, facts } = settled(at("implement"), ended(verdict("BLOCKED")), { map });
    expect(row).toMatchObject({ phase: "implement", doing: { kind: "waiting", on: { owner: "human", until: null } } });
    expect(notices(facts)).toEqual(["BLOCKED: said so"]);
  });

  it("the last phase passed without commits is no completion", () => {
    const map = mapOf([aPhase("implement", AGENT)]);
    const { row } = settled(at("implement", NO_WORK), ended(verdict("PASS")), { map });
    expect(row).toMatchObject({ status: "in-progress", round: 1, findings: [{ key: "no-evidence" }] });
  });

  it("a map that merges nothing is completed by its commits, and synced at once", () => {
    const map = mapOf([aPhase("implement", AGENT)]);
    const { row } = settled(at("implement"), ended(verdict("PASS", { head: OTHER, change: CHANGE })), { map });
    expect(row).toMatchObject({ status: "completed", phase: null, why: OTHER, synced: true });
  });

  it("6.10 what was done on a screen is completed by its trajectory, where the task is one for a screen", () => {
    const map = mapOf([aPhase("implement", AGENT)]);
    const trajectory = "runs/task-1/01-implement-a1/device/trajectory.json";
    const passed = (task: Task, detail = "found it") =>
      settled(task, ended(verdict("PASS", { detail, trajectory })), { map }).row;
    const work = at("implement", NO_WORK);
    const onScreen = { ...work, terms: { ...work.terms, environment: "device" as const } };
    expect(passed(onScreen)).toMatchObject({ status: "completed", why: `found it: ${trajectory}`, synced: true });
    expect(passed(onScreen, "").why).toBe(`done on the screen: ${trajectory}`);
    expect(passed(work)).toMatchObject({ status: "in-progress", findings: [{ key: "no-evidence" }] });
    const judged = settled(
      { ...onScreen, noChange: "found it", trajectory, phase: "verify" as PhaseName },
      ended(verdict("FAIL")),
    );
    expect(judged.row.noChange).toBe(null);
    expect(judged.row).not.toHaveProperty("trajectory");
  });

  it("a FAIL takes NO_CHANGE back", () => {
    expect(settled(at("verify", { noChange: "none" }), ended(verdict("FAIL"))).row.noChange).toBe(null);
    expect(settled(at("verify", { noChange: "none" }), ended(verdict("PASS"))).row.noChange).toBe("none");
  });

  describe("a FAIL of nothing but what a person waived", () => {
    const waived = (said: { key?: string; text: string }) =>
      finding({ ...said, id: said.key ? `verify:${said.key}` : findingId("verify", said), state: "waived" });
    const failed = (said: { key?: string; text: string }[], findings: Finding[]) =>
      settled(at("verify", { findings }), ended(verdict("FAIL", { findings: said }))).row;

    it("passes: otherwise it would be paid for again and again", () => {
      const said = { text: "no colour" };
      expect(failed([said], [waived(said)])).toMatchObject({ phase: "await-review", round: 0 });
      expect(failed([said, { text: "no size" }], [waived(said)])).toMatchObject({ phase: "implement", round: 1 });
    });
    it("is a person's where a worker says it itself: what it left uncommitted would be lost", () => {
      const said = { text: "no colour" };
      const mine = finding({ ...said, id: findingId("implement", said), source: "implement", state: "waived" });
      const { row } = settled(at("implement", { findings: [mine] }), ended(verdict("FAIL", { findings: [said] })));
      expect(row).toMatchObject({ phase: "implement", round: 0, doing: { on: { code: "findings", owner: "human" } } });
    });
    it("passes where its host found it of a PASS", () => {
      const said = { key: "scope:a.txt", text: "a.txt: changed outside authorized_files" };
      const mine = finding({ ...said, id: "implement:scope:a.txt", source: "implement", state: "waived" });
      const { row } = settled(at("implement", { findings: [mine] }), ended(verdict("FAIL", { findings: [said] })));
      expect(row).toMatchObject({ phase: "verify", round: 0 });
    });
    it("is tried again where work is not committed, which only the next run may", () => {
      const said = { key: "left:a.txt", text: "a.txt: changed outside authorized_files" };
      expect(failed([said], [waived(said)])).toMatchObject({ phase: "implement", round: 1 });
    });
    it("a worker's key that is Pawl's own is a key like any other", () => {
      expect(failed([{ key: "crash", text: "x" }], []).findings).toMatchObject([{ key: "said:crash" }]);
    });
  });

  it("an end of another leg changes nothing", () => {
    const { row, of } = settled(at("verify"), ended(verdict("PASS"), "task-1/1/2.1" as typeof LEG));
    expect(of("input-ignored")).toHaveLength(1);
    expect(row.phase).toBe("verify");
  });
});

describe("crashes", () => {
  it("cost a round, raise crashes, are told to a person and become the fact behind the probe's event", () => {
    const { row, of, facts } = settled(at("implement"), ended(endOf("no-verdict", { detail: "no verdict" })));
    expect(row).toMatchObject({ round: 1, counts: { crashes: 1 }, findings: [{ key: "crash", text: "no verdict" }] });
    expect(of("worker-crashed")).toMatchObject([{ role: "implementer", branch: "pawl/task-1" }]);
    expect(notices(facts)).toEqual(["implementer crashed (1 of 3): no verdict"]);
  });

  it("max_crashes in a row fail the task with the last detail", () => {
    const counts = { crashes: 2, infra: 0, conflicts: 0, tips: 0 };
    const { row } = settled(at("implement", { counts }), ended(endOf("no-verdict", { detail: "the last" })));
    expect(row).toMatchObject({ status: "failed", why: "worker crashed 3 times in a row: the last" });
  });

  it("the next valid verdict begins the row anew and fixes their finding", () => {
    const counts = { crashes: 2, infra: 0, conflicts: 0, tips: 0 };
    const crash = finding({ id: "verify:crash", key: "crash" });
    const { row } = settled(at("verify", { counts, findings: [crash] }), ended(verdict("FAIL")));
    expect(row).toMatchObject({ counts: { crashes: 0 }, findings: [{ state: "fixed" }, { text: "said so" }] });
  });

  it("waits and time limits leave the row of crashes as it is", () => {
    const counts = { crashes: 2, infra: 0, conflicts: 0, tips: 0 };
    for (const how of ["rate-limited", "timeout", "stopped"] as const)
      expect(settled(at("verify", { counts }), ended(endOf(how))).row.counts.crashes).toBe(2);
  });
});

describe("a worker that was killed from outside, with its driver", () => {
  const counts = (infra: number) => ({ crashes: 2, infra, conflicts: 0, tips: 0 });
  const end = (infra: number, by: "kill" | "reboot") =>
    settled(at("implement", { counts: counts(infra) }), ended(endOf("killed", { by, detail: "killed" })));
  it.each(["kill", "reboot"] as const)("is started again at once the first time: no round, no crash (%s)", (by) => {
    const { row, facts } = end(0, by);
    expect(row).toMatchObject({ phase: "implement", round: 0, counts: counts(1), doing: { kind: "nothing" } });
    expect(notices(facts)).toEqual([]);
  });
  it("waits longer each time it comes again", () => {
    expect(end(2, "kill").row.doing).toMatchObject({ on: { owner: "host", until: NOW + 120_000 } });
  });
  it("five times in a row is held for a person: it may kill its own parent", () => {
    const { row, facts } = end(4, "kill");
    expect(row).toMatchObject({ status: "in-progress", round: 0, doing: { on: { owner: "human", until: null } } });
    expect(notices(facts)).toEqual([expect.stringContaining("killed; 5 times in a row")]);
  });
  it("by a machine that is started anew is never held for their number", () => {
    expect(end(9, "reboot").row.doing).toMatchObject({ on: { owner: "host", until: NOW + 900_000 } });
  });
});

it("a setup that fails is told to a person once, and tried again by itself", () => {
  const end = (infra: number) =>
    settled(
      at("implement", { counts: { crashes: 0, infra, conflicts: 0, tips: 0 } }),
      ended(endOf("setup", { detail: "npm ci" })),
    );
  expect(notices(end(0).facts)).toEqual(["npm ci"]);
  expect(notices(end(1).facts)).toEqual([]);
  expect(end(0).row.doing).toMatchObject({ on: { code: "setup", owner: "host", until: NOW + 30_000 } });
});

describe("what a run spent", () => {
  const usage = { microUsd: 1, tokens: 1, wallMs: 5, spawns: 1 };
  test.each<[string, Purpose, RunEnd, typeof usage, boolean]>([
    ["is what it reported", "agent", endOf("no-verdict", { usage }), usage, false],
    [
      "is no spawn where its agent was never started",
      "agent",
      endOf("setup", { usage }),
      { ...usage, spawns: 0 },
      false,
    ],
    ["is all it had reserved when it is lost", "agent", endOf("lost", { usage }), RESERVE, true],
    [
      "is nothing for a user's command",
      "action",
      endOf("exit", { usage, code: 0 }),
      { ...usage, microUsd: 0, tokens: 0, wallMs: 0, spawns: 0 },
      false,
    ],
  ])("%s", (_, purpose, end, amount, estimated) => {
    const { row, of } = settled(at("implement", { doing: running({ purpose }) }), ended(end));
    expect(of("budget-settled")).toMatchObject([{ run: RUN, reserved: RESERVE, amount, estimated }]);
    expect(row.ledger).toMatchObject({ reserved: {}, spent: amount });
  });

  it("is all it had reserved when its run folder is gone: nobody can say it was less", () => {
    const doing = running({ ended: false });
    const { row } = settled(at("implement", { doing }), {
      kind: "run-seen",
      task: "task-1" as TaskId,
      leg: LEG,
      sighting: { kind: "absent" },
    });
    expect(row).toMatchObject({ round: 1, ledger: { spent: RESERVE, reserved: {}, estimated: [RUN] } });
  });

  it.each<[string, (task: Task) => Task]>([
    [
      "its run folder is gone",
      (task) =>
        settled(task, { kind: "run-seen", task: "task-1" as TaskId, leg: LEG, sighting: { kind: "absent" } }).row,
    ],
    ["it is lost", (task) => settled(task, ended(endOf("lost"))).row],
  ])("is no more time than has passed since its start, where %s", (_, settle) => {
    const doing = running({ ended: false, since: (NOW - 5_000) as Instant });
    expect(settle(at("implement", { doing })).ledger.spent).toEqual({ ...RESERVE, wallMs: 5_000 });
  });

  it("a stop for its budget is a wait for a person, no crash and no round", () => {
    const { row } = settled(at("implement", { doing: running({ stopping: "budget" }) }), ended(endOf("stopped")));
    expect(row).toMatchObject({ round: 0, counts: { crashes: 0 }, doing: { on: { code: "budget", owner: "human" } } });
  });
});

describe("what is seen of a run", () => {
  const seen = (sighting: Sighting, change: Partial<Task> = {}, massEnd = false) =>
    settled(
      at("implement", { doing: running({ ended: false }), ...change }),
      { kind: "run-seen", task: "task-1" as TaskId, leg: LEG, sighting },
      { massEnd },
    );

  it("a failed probe ends nothing", () => {
    expect(seen({ kind: "unknown", why: "no /proc" }).row.doing).toMatchObject({ ended: false, unseen: "no /proc" });
  });
  it("an end is read before anything is concluded", () => {
    expect(seen({ kind: "ended", driver: "gone" }).row).toMatchObject({ phase: "implement", doing: { ended: true } });
  });
  it("a verdict while it lives is noted once, and forgotten when it is gone again", () => {
    const alive = { kind: "alive", verdictWritten: true, overBudget: false } as const;
    const first = seen(alive).row;
    expect(first.doing).toMatchObject({ verdictSince: NOW });
    const later = settled(
      first,
      { kind: "run-seen", task: "task-1" as TaskId, leg: LEG, sighting: alive },
      { now: NOW + 9 },
    );
    expect(later.facts).toEqual([]);
  });

  it("a mass end holds the task, with its reservation spent as estimated", () => {
    const { row } = seen({ kind: "ended", driver: "gone" }, {}, true);
    expect(row).toMatchObject({
      doing: { on: { code: "mass-end", owner: "human" } },
      ledger: { reserved: {}, spent: RESERVE, estimated: [RUN] },
    });
  });
  it("a mass end does not hold what is being cancelled", () => {
    const { row } = seen({ kind: "ended", driver: "gone" }, { cancelling: "no need" }, true);
    expect(row.doing).toMatchObject({ kind: "running", ended: true });
  });
  it("a run over its budget is stopped, once", () => {
    const { row } = seen({ kind: "alive", verdictWritten: false, overBudget: true });
    expect(row.chores).toMatchObject([{ kind: "stop", why: "budget" }]);
    const again = settled(row, {
      kind: "run-seen",
      task: "task-1" as TaskId,
      leg: LEG,
      sighting: { kind: "alive", verdictWritten: false, overBudget: true },
    });
    expect(again.row.chores).toHaveLength(1);
  });
  it("a stop that its host refuses is its host's to explain", () => {
    const key = "task-1/1/stop/1" as EffectKey;
    const { row } = settled(
      at("implement", {
        doing: running({ ended: false, stopping: "timeout" }),
        chores: [{ kind: "stop", key, task: "task-1" as TaskId, leg: LEG, why: "timeout" }],
      }),
      {
        kind: "effect-ended",
        task: "task-1" as TaskId,
        key,
        result: { kind: "refused", code: "denied", detail: "not ours", files: [], actual: null },
      },
    );
    expect(row).toMatchObject({ chores: [], doing: { unseen: "it could not be stopped: not ours" } });
  });
  it("time that nobody lived through moves the deadline and the verdict's grace; the person's extension only the first", () => {
    const task = at("implement", { doing: running({ ended: false, verdictSince: NOW, deadline: 5 as Instant }) });
    const { row } = settled(task, { kind: "clock-gap", ms: 100 });
    expect(row.doing).toMatchObject({ deadline: 105, verdictSince: NOW + 100 });
  });
});

describe("the end of a user's command", () => {
  const at2 = (step: ReturnType<typeof command>, end: RunEnd, purpose: Purpose = "action") =>
    settled(at("deploy", { doing: running({ purpose }) }), ended(end), {
      map: mapOf([
        aPhase("deploy", step, { onPass: "after", onFail: "before" }),
        aPhase("after", AGENT),
        aPhase("before", AGENT),
      ]),
    }).row;
  const exit = (code: number | null) => endOf("exit", { code });

  test.each([
    ["0 is ADVANCE", command(), exit(0), { phase: "after", round: 0 }],
    [
      "75 is WAIT, looked at again",
      command(),
      exit(75),
      { phase: "deploy", round: 0, doing: { on: { code: "action-wait", until: NOW + 30_000 } } },
    ],
    ["anything else is RETRY", command(), exit(3), { phase: "before", round: 1 }],
    ["its time limit is RETRY", command(), endOf("timeout"), { phase: "before", round: 1 }],
    [
      "an unknown end holds",
      command(),
      exit(null),
      { phase: "deploy", doing: { on: { code: "action-unknown", owner: "human" } } },
    ],
    [
      "an unknown end of what may be repeated is nothing",
      command({ idempotent: true }),
      exit(null),
      { phase: "deploy", doing: { kind: "nothing" }, unsure: null },
    ],
    [
      "an unknown end is asked for where somebody can say",
      command({ canAsk: true }),
      exit(null),
      { phase: "deploy", doing: { kind: "nothing" }, unsure: 1 },
    ],
    ["a stop hides the end too", command(), endOf("stopped"), { doing: { on: { code: "action-unknown" } } }],
  ])("%s", (_, step, end, wanted) => {
    expect(at2(step, end)).toMatchObject(wanted);
  });

  it("the question whether it happened: yes advances, no runs it again, neither is asked later", () => {
    const step = command({ canAsk: true });
    expect(at2(step, exit(0), "ask")).toMatchObject({ phase: "after", unsure: null });
    expect(at2(step, exit(1), "ask")).toMatchObject({ phase: "deploy", doing: { kind: "nothing" }, unsure: null });
    expect(at2(step, exit(2), "ask")).toMatchObject({ doing: { kind: "waiting", on: { code: "action-unknown" } } });
  });
});

it("a run stopped because its pull request was merged by hand completes the task, whatever it said", () => {
  const task = at("implement", { doing: running({ stopping: "merged" }), merged: OTHER });
  expect(settled(task, ended(verdict("FAIL"))).row).toMatchObject({ status: "completed", why: OTHER, head: HEAD });
});
