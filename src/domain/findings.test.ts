import { describe, expect, it, test } from "vitest";
import { atPhase, finding } from "../../test/support/rows.ts";
import { evolve } from "./evolve.ts";
import type { TaskFact } from "./fact.ts";
import { circling, findingId, reconcile } from "./findings.ts";
import type { Reported } from "./outcome.ts";
import type { Task } from "./task.ts";

interface Report {
  readonly source?: string;
  readonly said?: readonly (string | Reported)[];
  readonly complete?: boolean;
  readonly round: number;
}
const taskAfter = (reports: readonly Report[], start: Task = atPhase("verify")): Task =>
  reports.reduce((task, { source = "verify", said = [], complete = true, round }) => {
    const report = {
      source,
      round,
      complete,
      said: said.map((one) => (typeof one === "string" ? { text: one } : one)),
    };
    return reconcile(task, report).reduce((row, fact) => evolve(row, { ...fact, task: row.id } as TaskFact), task);
  }, start);
const states = (task: Task) => task.findings.map((f) => `${f.label} ${f.state} ${f.seen}/${f.reopened}`);

describe("the id of a finding", () => {
  test.each<[string, Reported, Reported, boolean]>([
    [
      "numbers, case and space do not count",
      { text: "Line 12: Missing  Timeout" },
      { text: "line 99: missing timeout" },
      true,
    ],
    ["other words are another one", { text: "missing timeout" }, { text: "missing retry" }, false],
    ["the same words about another file are another one", { text: "x", file: "a" }, { text: "x", file: "b" }, false],
    ["the reporter's key goes before its words", { key: "k", text: "one" }, { key: "k", text: "two" }, true],
  ])("%s", (_, a, b, same) => {
    expect(findingId("verify", a) === findingId("verify", b)).toBe(same);
    expect(findingId("review", a)).not.toBe(findingId("verify", a));
  });
});

describe("the ledger", () => {
  test.each<[string, readonly Report[], readonly string[]]>([
    [
      "opens, once for the same thing twice in one report",
      [{ round: 0, said: ["x", "X 1", "y"] }],
      ["F1 open 1/0", "F2 open 1/0"],
    ],
    [
      "an incomplete report fixes nothing",
      [
        { round: 0, said: ["x"] },
        { round: 1, said: ["y"], complete: false },
      ],
      ["F1 open 1/0", "F2 open 1/0"],
    ],
    [
      "a complete one fixes what it does not say",
      [
        { round: 0, said: ["x"] },
        { round: 1, said: ["y"] },
      ],
      ["F1 fixed 1/0", "F2 open 1/0"],
    ],
    [
      "another source fixes nothing of it",
      [
        { round: 0, said: ["x"] },
        { round: 1, source: "review" },
      ],
      ["F1 open 1/0"],
    ],
    [
      "what comes back is the same finding, reopened",
      [{ round: 0, said: ["x"] }, { round: 1 }, { round: 2, said: ["x"] }],
      ["F1 open 1/1"],
    ],
    [
      "rounds are counted, not reports",
      [
        { round: 0, said: ["x"] },
        { round: 0, said: ["x"] },
        { round: 0, said: ["x"] },
      ],
      ["F1 open 1/0"],
    ],
  ])("%s", (_, reports, wanted) => {
    expect(states(taskAfter(reports))).toEqual(wanted);
  });

  it("what is waived stays waived", () => {
    const waived = atPhase("verify", {
      findings: [finding({ id: findingId("verify", { text: "x" }), state: "waived" })],
    });
    expect(states(taskAfter([{ round: 3, said: ["x"] }, { round: 4 }], waived))).toEqual(["F1 waived 1/0"]);
  });
});

describe("a finding is a person's", () => {
  test.each<[string, readonly Report[], number]>([
    ["open in two rounds: not yet", [0, 1].map((round) => ({ round, said: ["x"] })), 0],
    ["open in three rounds in a row", [0, 1, 2].map((round) => ({ round, said: ["x"] })), 1],
    [
      "reopened once: not yet",
      [0, 2].flatMap((round) => [{ round, said: ["x"] }, { round: round + 1 }]).slice(0, 3),
      0,
    ],
    ["reopened twice", [0, 2, 4].flatMap((round) => [{ round, said: ["x"] }, { round: round + 1 }]).slice(0, 5), 1],
    [
      "crashes are bounded by max_crashes",
      [0, 1, 2].map((round) => ({ round, said: [{ key: "crash", text: "x" }] })),
      0,
    ],
    [
      "merge conflicts by max_conflicts",
      [0, 1, 2].map((round) => ({ round, said: [{ key: "conflict:a", text: "x" }] })),
      0,
    ],
  ])("%s", (_, reports, circles) => {
    expect(circling(taskAfter(reports))).toHaveLength(circles);
  });
});
