import { describe, expect, it } from "vitest";
import { ago, face, MAP, NOW, plainInk, row } from "../../../../test/support/scenes.ts";
import { aTask } from "../../../../test/support/ticks.ts";
import type { Fact, TaskFact } from "../../../domain/fact.ts";
import type { RunEnd } from "../../../domain/input.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName, TaskId } from "../../../domain/names.ts";
import type { Finding, Task, WaitCode } from "../../../domain/task.ts";
import { type After, factTeller, lineText } from "./fact-lines.ts";

const HEAD = "9be21f0c00000000000000000000000000000000" as Commit;
const id = "task-005" as TaskId;
const leg = "task-005/2/1.1" as LegKey;
const worldOf = (after: Task | null): After => ({ find: () => after, map: () => MAP });
/** the lines that these facts of one tick make, the task being at `from` before and at `to` after */
function told(facts: readonly Fact[], from: string, after: Partial<Task> = {}): readonly string[] {
  const teller = factTeller([row("task-005", "Dark mode", { phase: from as PhaseName })]);
  const lines = teller.tell(facts, worldOf(aTask("task-005", { head: HEAD, ...after })), face);
  return lines.map((line) => lineText(line, { now: NOW, face, idWidth: 8, width: null }, plainInk).trimEnd());
}
const entered = (phase: string, cause: Extract<TaskFact, { kind: "phase-entered" }>["cause"], round = 0): Fact => ({
  kind: "phase-entered",
  task: id,
  phase: phase as PhaseName,
  visit: 3,
  round,
  at: NOW,
  cause,
});
const usage = { usage: { microUsd: 0, tokens: 0, wallMs: 0, spawns: 1 }, usageKnown: false, head: HEAD, change: null };
const ended = (end: Partial<RunEnd>): Fact => ({
  kind: "worker-ended",
  task: id,
  leg,
  at: NOW,
  end: { ...usage, how: "verdict", verdict: "PASS", detail: "", findings: [], complete: true, ...end } as RunEnd,
});
const F1: Finding = {
  id: "x",
  label: "F1",
  text: "colour compared\nwith case",
  file: "src/search.ts",
  line: 41,
  source: "verify",
  state: "open",
  seen: 1,
  reopened: 0,
  firstRound: 0,
  lastRound: 0,
};
const opened: Fact = { kind: "finding-opened", task: id, finding: F1 };
const asked: Fact = { kind: "asking-started", task: id, signal: "human-approval", at: NOW };

describe("one line per fact", () => {
  const rows: readonly (readonly [string, readonly Fact[], string, Partial<Task>, readonly string[]])[] = [
    [
      "an outcome belongs to the phase that it left",
      [ended({ detail: "2 of 2 checks" }), entered("await-review", "ADVANCE"), asked],
      "verify",
      { phase: "await-review" as PhaseName },
      [
        "09:53:04 task-005 verify        ADVANCE  PASS, 2 of 2 checks",
        "09:53:04 task-005 await-review  WAIT     human-approval of 9be21f0: pawl approve task-005",
      ],
    ],
    [
      "RETRY names its round and its first finding",
      [
        ended({ verdict: "FAIL" } as Partial<RunEnd>),
        opened,
        { ...opened, finding: { ...F1, label: "F2" } },
        entered("implement", "RETRY", 1),
      ],
      "verify",
      {},
      ["09:53:04 task-005 verify        RETRY    round 1, F1: colour compared with case (src/search.ts:41) and 1 more"],
    ],
    [
      "RETRY for what a person waived says so",
      [
        ended({
          verdict: "FAIL",
          findings: [{ text: "README.md: changed outside authorized_files" }],
        } as Partial<RunEnd>),
        entered("implement", "RETRY", 1),
      ],
      "implement",
      {},
      [
        "09:53:04 task-005 implement     RETRY    round 1, only what was waived: README.md: changed outside authorized_files; it is still to be committed",
      ],
    ],
    [
      "a merge conflict is WAIT and costs no round",
      [
        {
          ...opened,
          finding: { ...F1, text: "merge conflict in a.txt", file: undefined, line: undefined } as unknown as Finding,
        },
        entered("resolve", "CONFLICT"),
      ],
      "merge",
      {},
      ["09:53:04 task-005 merge         WAIT     F1: merge conflict in a.txt; to resolve, no round"],
    ],
    [
      "a moved head goes back",
      [entered("await-review", "VOID")],
      "merge",
      {},
      ["09:53:04 task-005 merge         WAIT     the head moved since it was approved; back to await-review, no round"],
    ],
    [
      "a timeout escalates",
      [entered("ask-owner", "ESCALATE")],
      "await-review",
      {},
      ["09:53:04 task-005 await-review  escalate its timeout has passed; to ask-owner, no round"],
    ],
    [
      "a person's yes has a name",
      [
        {
          kind: "signal-answered",
          task: id,
          signal: "human-approval",
          answer: { id: "1", status: "approved", head: HEAD, by: "lead@example.org", message: "fine", findings: [] },
        },
        entered("merge", "ADVANCE"),
      ],
      "await-review",
      {},
      ["09:53:04 task-005 await-review  ADVANCE  human-approval approved by lead@example.org: fine"],
    ],
    [
      "a start",
      [
        entered("implement", "PICKUP"),
        {
          kind: "worker-spawned",
          task: id,
          leg,
          purpose: "agent",
          host: "h" as HostName,
          at: NOW,
          deadline: (NOW + 1_380_000) as Instant,
        },
      ],
      "",
      { phase: "implement" as PhaseName },
      [
        "09:53:04 task-005               started  at implement",
        "09:53:04 task-005 implement     spawned  implementer, run 02-a1; ends by 10:16 (23m)",
      ],
    ],
    [
      "a crash",
      [{ kind: "worker-crashed", task: id, leg, role: "implementer", branch: "b", detail: "exit 137" }],
      "implement",
      {},
      ["09:53:04 task-005 implement     crashed  implementer: exit 137"],
    ],
    [
      "a wait of the provider",
      [
        {
          kind: "task-waiting",
          task: id,
          on: {
            code: "rate-limited",
            owner: "provider",
            reason: "rate limit",
            since: NOW,
            until: (NOW + 720_000) as Instant,
          },
        },
      ],
      "implement",
      {},
      ["09:53:04 task-005 implement     WAIT     rate limit, until 10:05 (12m)"],
    ],
    [
      "a merge and the end",
      [
        { kind: "merge-landed", task: id, commit: HEAD, byHand: false },
        { kind: "task-completed", task: id, evidence: HEAD, at: NOW },
      ],
      "merge",
      { phase: null, status: "completed" },
      ["09:53:04 task-005 merge         merged   9be21f0", "09:53:04 task-005 merge         completed 9be21f0"],
    ],
    [
      "a failure",
      [{ kind: "task-failed", task: id, why: "exceeded max rounds (50 of 50)", at: NOW }],
      "verify",
      {},
      ["09:53:04 task-005 verify        failed   exceeded max rounds (50 of 50)"],
    ],
    [
      "what concerns no task",
      [
        { kind: "deadlock-found", chain: ["task-001", "task-002"] as TaskId[], at: NOW },
        { kind: "stop-asked", workers: false, by: "me" },
        { kind: "command-answered", id: "1", accepted: false, reply: "no task is called x" },
        { kind: "command-answered", id: "2", accepted: true, reply: "yes" },
      ],
      "verify",
      {},
      [
        "09:53:04 pawl                   stopping asked by me; workers go on",
        "09:53:04 pawl                   refused  no task is called x",
        "09:53:04 pawl                   deadlock task-001 failed, so task-002 cannot start",
      ],
    ],
    [
      "nothing of interest",
      [
        { kind: "task-synced", task: id },
        { kind: "budget-reserved", task: id, run: "r" as never, amount: usage.usage },
      ],
      "verify",
      {},
      [],
    ],
  ];
  it.each(rows)("%s", (_name, facts, from, after, lines) => expect(told(facts, from, after)).toEqual(lines));

  it("remembers over ticks where a task is, though the state that it is shown has gone on", () => {
    const teller = factTeller([]);
    const phases = [entered("verify", "ADVANCE"), entered("merge", "ADVANCE"), entered("implement", "CONFLICT")].map(
      (fact) => teller.tell([fact], worldOf(aTask("task-005")), face)[0]?.phase,
    );
    // of the first one nobody knows where it came from
    expect(phases.slice(1)).toEqual(["verify", "merge"]);
  });

  it("says once what is waited for, however often it is looked at, and again when it is another thing", () => {
    const teller = factTeller([]);
    const wait = (reason: string, minutes: number, code = "base-dirty"): Fact => ({
      kind: "task-waiting",
      task: id,
      on: {
        code: code as WaitCode,
        owner: code === "base-dirty" ? "human" : "provider",
        reason,
        since: NOW,
        until: (NOW + minutes * 60_000) as Instant,
      },
    });
    const tell = (...facts: readonly Fact[]): readonly string[] =>
      teller.tell(facts, worldOf(aTask("task-005")), face).map(({ text }) => text);
    const released: Fact = { kind: "task-released", task: id, at: NOW };
    expect(tell(wait("main has changes: a.txt", 1))).toEqual(["main has changes: a.txt"]);
    expect(tell(released)).toEqual([]);
    expect(tell(wait("main has changes: a.txt", 2))).toEqual([]);
    expect(tell(released, wait("main has changes: b.txt", 3))).toEqual(["main has changes: b.txt"]);
    expect(tell(wait("rate limit", 12, "rate-limited"))).toEqual(["rate limit, until 10:05 (12m)"]);
    expect(tell(wait("rate limit", 12, "rate-limited"))).toEqual([]);
    expect(tell(wait("rate limit", 20, "rate-limited"))).toEqual(["rate limit, until 10:13 (20m)"]);
    expect(tell(wait("spawn: no fork", 1, "effect"), released, wait("spawn: no fork", 2, "effect"))).toHaveLength(1);
    expect(tell(entered("implement", "RETRY", 1), wait("spawn: no fork", 2, "effect"))).toHaveLength(2);
  });

  it("cuts no line that tells a person what to do", () => {
    const [line] = factTeller([]).tell([asked], worldOf(aTask("task-005", { head: HEAD })), face);
    const text = lineText(line!, { now: NOW, face, idWidth: 8, width: 50 }, plainInk);
    expect(text).toMatch(/: pawl approve task-005$/);
  });

  it("cuts the words of agents at the width, never what stands before them", () => {
    const teller = factTeller([]);
    const [line] = teller.tell(
      [{ kind: "task-failed", task: id, why: "漢".repeat(200), at: ago(0) }],
      worldOf(null),
      face,
    );
    expect(lineText(line!, { now: NOW, face, idWidth: 8, width: 80 }, plainInk)).toBe(
      `09:53:04 task-005               failed   ${"漢".repeat(19)}…`,
    );
  });
});
