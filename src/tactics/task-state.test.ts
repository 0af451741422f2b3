import { describe, expect, test } from "vitest";
import { shows } from "../../test/support/shows.ts";
import { readMaterials } from "../app/worker/materials.ts";
import type { Made, Pattern } from "./pattern.ts";
import {
  advance,
  allowedNow,
  isComplete,
  isOutOfSteps,
  newTaskState,
  type Proofs,
  refusalOf,
  type TaskState,
} from "./task-state.ts";
import { OWN_TOOLS } from "./tool-names.ts";

const { patterns } = readMaterials([], new Set(OWN_TOOLS));
const pattern = (name: string): Pattern => patterns.get(name)!;

/** What a call comes to, in a word. */
const ENDS: Readonly<Record<string, Partial<Proofs>>> = {
  ok: { ok: true },
  failed: { ok: false },
  changed: { ok: true, changed: true },
  passed: { ok: true, passed: true },
  valid: { ok: true, valid: true },
  "changed+valid": { ok: true, changed: true, valid: true },
};
const proofs = (word: string): Proofs => ({
  ok: false,
  changed: false,
  passed: false,
  valid: false,
  words: word,
  ...ENDS[word],
});
type Row = readonly [tool: string, end: string, args?: Made["args"]];

/** Makes calls one after another as a worker would: a refused one changes nothing, and is told. */
function run(name: string, rows: readonly Row[], from: TaskState = newTaskState(pattern(name))) {
  const refused: string[] = [];
  let state = from;
  for (const [tool, end, args = {}] of rows) {
    const why = refusalOf(state, pattern(name), { tool, args });
    if (why) refused.push(why);
    else state = advance(state, pattern(name), { tool, args }, proofs(end));
  }
  return { state, refused };
}

const FILE = { path: "a.ts" };
/** Each shipped type: calls, what is then complete and pending, and how often a call was refused. */
const TABLE: readonly (readonly [
  title: string,
  name: string,
  calls: readonly Row[],
  completed: readonly string[],
  pending: readonly string[],
  refused: number,
])[] = [
  [
    "skill_build in three calls",
    "skill_build",
    [
      ["internet.research", "ok"],
      ["skill.generator", "changed+valid"],
    ],
    ["research", "synthesize", "generate", "verify"],
    [],
    0,
  ],
  [
    "skill_build: a second research without a generate is refused",
    "skill_build",
    [
      ["internet.research", "ok"],
      ["internet.research", "ok"],
    ],
    ["research"],
    ["generate", "verify"],
    1,
  ],
  [
    "skill_build: generate before research is refused",
    "skill_build",
    [["skill.generator", "valid"]],
    [],
    ["research", "generate", "verify"],
    1,
  ],
  [
    "skill_build: an invalid skill is generated again",
    "skill_build",
    [
      ["internet.research", "ok"],
      ["skill.generator", "changed"],
      ["skill.generator", "changed+valid"],
    ],
    ["research", "synthesize", "generate", "verify"],
    [],
    0,
  ],
  [
    "skill_build: after a generate, research is allowed again",
    "skill_build",
    [
      ["internet.research", "ok"],
      ["skill.generator", "changed"],
      ["internet.research", "ok"],
    ],
    ["research", "synthesize"],
    ["generate", "verify"],
    0,
  ],
  [
    "code_modify: read, edit, verify",
    "code_modify",
    [
      ["file.read", "ok", FILE],
      ["file.edit", "changed", FILE],
      ["test.run", "passed"],
    ],
    ["read", "understand", "edit", "verify"],
    [],
    0,
  ],
  [
    "code_modify: an edit before a read is refused",
    "code_modify",
    [["file.edit", "changed", FILE]],
    [],
    ["read", "edit", "verify"],
    1,
  ],
  [
    "code_modify: a test before an edit is refused",
    "code_modify",
    [
      ["file.read", "ok"],
      ["test.run", "passed"],
    ],
    ["read"],
    ["edit", "verify"],
    1,
  ],
  [
    "code_modify: a failing test makes edit pending again",
    "code_modify",
    [
      ["file.read", "ok"],
      ["file.edit", "changed"],
      ["test.run", "failed"],
    ],
    ["read", "understand"],
    ["edit", "verify"],
    0,
  ],
  [
    "code_modify: an edit after a passing test takes its proof away",
    "code_modify",
    [
      ["file.read", "ok"],
      ["file.edit", "changed"],
      ["test.run", "passed"],
      ["file.edit", "changed"],
    ],
    ["read", "understand", "edit"],
    ["verify"],
    0,
  ],
  [
    "code_modify: an edit that changes nothing proves nothing",
    "code_modify",
    [
      ["file.read", "ok"],
      ["file.edit", "ok"],
    ],
    ["read"],
    ["edit", "verify"],
    0,
  ],
  [
    "code_modify: searching and the shell are no moves",
    "code_modify",
    [
      ["file.search", "ok"],
      ["shell", "changed"],
    ],
    [],
    ["read", "edit", "verify"],
    0,
  ],
  [
    "code_modify: a tool of another type is refused",
    "code_modify",
    [["skill.generator", "valid"]],
    [],
    ["read", "edit", "verify"],
    1,
  ],
  [
    "code_create: write, test",
    "code_create",
    [
      ["file.write", "changed"],
      ["test.run", "passed"],
    ],
    ["design", "write", "test"],
    [],
    0,
  ],
  [
    "code_create: a failing test makes write pending again",
    "code_create",
    [
      ["file.write", "changed"],
      ["test.run", "failed"],
    ],
    ["design"],
    ["write", "test"],
    0,
  ],
  [
    "research: search, then visit",
    "research",
    [
      ["internet.research", "ok", { query: "q" }],
      ["internet.research", "ok", { url: "https://x" }],
    ],
    ["search", "visit"],
    [],
    0,
  ],
  [
    "research: a visit before a search is refused",
    "research",
    [["internet.research", "ok", { url: "https://x" }]],
    [],
    ["search", "visit"],
    1,
  ],
  [
    "research: a third search without a visit is refused",
    "research",
    [
      ["internet.research", "ok", { query: "a" }],
      ["internet.research", "ok", { query: "b" }],
      ["internet.research", "ok", { query: "c" }],
    ],
    ["search"],
    ["visit"],
    1,
  ],
  [
    "memory_op: query, update",
    "memory_op",
    [
      ["memory.search", "ok"],
      ["memory.save", "ok"],
    ],
    ["query", "update"],
    [],
    0,
  ],
  ["memory_op: an update before a query is refused", "memory_op", [["memory.save", "ok"]], [], ["query", "update"], 1],
  [
    "plan: only a plan that is in order counts",
    "plan",
    [
      ["file.read", "ok"],
      ["plan.submit", "ok"],
      ["plan.submit", "valid"],
    ],
    ["submit"],
    [],
    0,
  ],
  [
    "report: only a report that is in order counts",
    "report",
    [
      ["report.submit", "failed"],
      ["report.submit", "valid"],
    ],
    ["submit"],
    [],
    0,
  ],
  ["generic: nothing is required", "generic", [["shell", "failed"]], [], [], 0],
];

describe("the shipped task types, move by move", () => {
  for (const [title, name, calls, completed, pending, refused] of TABLE)
    test(title, () => {
      const run1 = run(name, calls);
      expect(run1.state.completed_steps).toEqual(completed);
      expect(run1.state.pending_steps).toEqual(pending);
      expect(isComplete(run1.state)).toBe(pending.length === 0);
      expect(run1.refused).toHaveLength(refused);
      for (const why of run1.refused) expect(why).toMatch(/Allowed now: /);
    });

  test("every task type of the specification is there, and can be walked to its end by what is allowed", () => {
    for (const name of ["skill_build", "code_modify", "code_create", "research", "memory_op"]) {
      let state = newTaskState(pattern(name));
      for (let n = 0; n < 20 && !isComplete(state); n++) {
        const move = pattern(name).moves.find((one) => state.pending_steps.includes(one.name))!;
        const args = move.with ? { [move.with]: "x" } : {};
        expect(allowedNow(state, pattern(name))).toContain(move.tools[0]);
        expect(refusalOf(state, pattern(name), { tool: move.tools[0]!, args })).toBeNull();
        const all = { ok: true, changed: true, passed: true, valid: true, words: "" };
        state = advance(state, pattern(name), { tool: move.tools[0]!, args }, all);
      }
      expect(isComplete(state), name).toBe(true);
    }
  });
});

test("what was proven stays, though a later call of it fails; what passed is so no longer when it fails", () => {
  const calls: Row[] = [
    ["file.read", "ok"],
    ["file.read", "failed"],
    ["file.edit", "changed"],
    ["file.edit", "failed"],
    ["test.run", "passed"],
  ];
  const state = run("code_modify", calls).state;
  expect(state.pending_steps).toEqual([]);
  expect(run("code_modify", [["test.run", "failed"]], state).state.pending_steps).toEqual(["edit", "verify"]);
});

describe("a task's state", () => {
  test("TAC-3.1 TaskState advances, records results, and tells when it is complete", () => {
    const start = newTaskState(pattern("memory_op"));
    expect(start).toEqual({
      task_type: "memory_op",
      current_step: 1,
      max_steps: 5,
      completed_steps: [],
      pending_steps: ["query", "update"],
      step_results: {},
      calls: {},
    });
    const one = run("memory_op", [["memory.search", "ok"]]).state;
    expect(one).toMatchObject({ current_step: 2, completed_steps: ["query"], pending_steps: ["update"] });
    shows("TAC-3.1", 1);
    const both = run("memory_op", [["memory.save", "ok"]], one).state;
    expect(both.step_results).toEqual({ query: "ok", update: "ok" });
    shows("TAC-3.1", 2);
    expect([start, one, both].map(isComplete)).toEqual([false, false, true]);
    shows("TAC-3.1", 3);
    expect(start.completed_steps).toEqual([]);
  });

  test("TAC-4.5 research that context.md holds is not made again: generate is the first call", () => {
    const state = newTaskState(pattern("skill_build"), new Set(["research"]));
    expect(state).toMatchObject({ completed_steps: ["research"], pending_steps: ["generate", "verify"] });
    expect(run("skill_build", [["skill.generator", "changed+valid"]], state)).toMatchObject({ refused: [] });
    shows("TAC-4.5", 1);
  });

  test("TAC-4.6 a skill that fails verification makes generate pending again", () => {
    const failed = run("skill_build", [
      ["internet.research", "ok"],
      ["skill.generator", "changed"],
    ]).state;
    expect(failed.pending_steps).toEqual(["generate", "verify"]);
    shows("TAC-4.6", 1);
    const again = run("skill_build", [["skill.generator", "changed+valid"]], failed);
    expect(again.refused).toEqual([]);
    expect(isComplete(again.state)).toBe(true);
    shows("TAC-4.6", 2);
  });

  test("steps are counted by calls that were made, whatever they are", () => {
    const calls: Row[] = [0, 1, 2, 3, 4].map(() => ["memory.search", "failed"]);
    expect(isOutOfSteps(run("memory_op", calls.slice(1)).state)).toBe(false);
    expect(isOutOfSteps(run("memory_op", calls).state)).toBe(true);
  });
});
