import { describe, expect, it } from "vitest";
import { ago, MAP, NOW, plainInk, row, sceneOf } from "../../../../test/support/scenes.ts";
import { aTick } from "../../../../test/support/ticks.ts";
import type { Fact } from "../../../domain/fact.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName, TaskId } from "../../../domain/names.ts";
import type { Finding, Running } from "../../../domain/task.ts";
import { historyOf } from "./history.ts";
import { findingLines, showJson, showLines } from "./show.ts";

const HEAD = "9be21f0c00000000000000000000000000000000" as Commit;
const task = "task-003" as TaskId;
const finding = (label: string, change: Partial<Finding>): Finding => ({
  id: label,
  label,
  text: "colour is compared with case",
  source: "verify",
  state: "open",
  seen: 1,
  reopened: 0,
  firstRound: 0,
  lastRound: 0,
  ...change,
});
const entered = (
  phase: string,
  visit: number,
  round: number,
  at: Instant,
  cause: "PICKUP" | "ADVANCE" | "RETRY",
): Fact => ({ kind: "phase-entered", task, phase: phase as PhaseName, visit, round, at, cause });
const ended = (verdict: "PASS" | "FAIL", at: Instant): Fact => ({
  kind: "worker-ended",
  task,
  leg: "task-003/1/1.1" as LegKey,
  at,
  end: {
    usage: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 1 },
    usageKnown: false,
    head: HEAD,
    change: null,
    how: "verdict",
    verdict,
    detail: "2 of 2 checks",
    findings: [],
    complete: true,
  },
});
const log = [
  [entered("implement", 1, 0, ago(3_060), "PICKUP")],
  [ended("PASS", ago(2_818)), entered("verify", 2, 0, ago(2_818), "ADVANCE")],
  [
    ended("FAIL", ago(2_787)),
    entered("implement", 3, 1, ago(2_787), "RETRY"),
    { ...entered("verify", 9, 0, ago(1), "ADVANCE"), task: "task-004" as TaskId },
  ],
].map((facts, i) => ({ ...aTick(i + 1, { facts: facts as readonly Fact[] }), epoch: 1 }));

const running: Running = {
  kind: "running",
  purpose: "agent",
  leg: "task-003/3/1.1" as LegKey,
  host: "birch" as HostName,
  since: ago(60),
  deadline: (NOW + 60_000) as Instant,
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
};
const shown = row("task-003", "Search by colour", {
  round: 1,
  visit: 3,
  head: HEAD,
  pr: "pawl://pr/3",
  change: { commits: 2, files: 1, added: 1, deleted: 0, patchId: null },
  doing: running,
  notes: [{ from: "lead@example.org", text: "nice", phase: "await-review" as PhaseName }],
  findings: [
    finding("F1", { seen: 2, file: "src/search.ts", line: 41, lastRound: 1 }),
    finding("F2", { text: "no test for an\nunknown colour", state: "fixed", source: "await-review" }),
  ],
});

describe("pawl show", () => {
  const scene = sceneOf({ rows: [shown] });
  it("shows where the task is, its branch, its findings and every visit", () => {
    const history = historyOf(task, log);
    expect(showLines({ task: shown, history, file: "tasks/task-003.md" }, scene, plainInk)).toEqual([
      "task-003 Search by colour · in-progress · implement · round 1 of 50 · tasks/task-003.md",
      "branch pawl/task-003 (2 ahead of main)  head 9be21f0  pr 3, draft  crashes 0 of 3  spawns 0  –",
      "notes     lead@example.org, at await-review: nice",
      "findings  F1  open (seen 2x)  colour is compared with case   src/search.ts:41  from verify r0 to r1",
      "          F2  fixed           no test for an unknown colour                    from await-review r0",
      "history   09:02 implement PASS 4m02s · 09:06 verify FAIL 31s · 09:06 implement running 1m00s",
    ]);
  });
  it("has in JSON what it has in words, and more", () => {
    const json = showJson({ task: shown, history: historyOf(task, log), file: null }, scene);
    expect(json).toMatchObject({
      ok: true,
      task: "task-003",
      code: "running",
      owner: "worker",
      branch: "pawl/task-003",
      spent: { cost_usd: null, tokens: null, spawns: 0 },
    });
    expect(json.history.map(({ phase, result, attempts }) => [phase, result, attempts])).toEqual([
      ["implement", "PASS", 0],
      ["verify", "FAIL", 0],
      ["implement", null, 0],
    ]);
  });
  it("shows every finding in full", () => {
    expect(findingLines(shown, plainInk)).toEqual([
      "F1 open, seen 2 times, from verify r0 to r1, src/search.ts:41",
      "   colour is compared with case",
      "F2 fixed, seen 1 time, from await-review r0",
      "   no test for an",
      "   unknown colour",
    ]);
  });
  it("says why a task failed", () => {
    const failed = row("task-003", "Search", {
      status: "failed",
      why: "worker crashed 3 times in a row: exit 137",
      map: MAP.hash,
    });
    const lines = showLines({ task: failed, history: [], file: null }, sceneOf({ rows: [failed] }), plainInk);
    expect(lines.at(-1)).toBe("failed    worker crashed 3 times in a row: exit 137");
  });
});
