import { describe, expect, test } from "vitest";
import { shows } from "../../test/support/shows.ts";
import { began, NOON, ticket } from "../../test/support/ticket.ts";
import { readMaterials } from "../app/worker/materials.ts";
import { contextOf } from "./context.ts";
import { fold } from "./evolve.ts";
import type { JournalRecord } from "./record.ts";
import { tokensOf } from "./rough-tokens.ts";
import { OWN_TOOLS } from "./tool-names.ts";
import type { WorkerState } from "./worker-state.ts";

const pattern = readMaterials([], new Set(OWN_TOOLS)).patterns.get("code_modify")!;
const TITLES = [
  "0 Ticket",
  "1 Context",
  "2 Repository",
  "3 Task plan",
  "4 Results and task state",
  "5 Decisions so far",
];

/** A worker in the middle of a task, with so many calls behind it. */
function busy(calls = 3, assignment = ticket()): WorkerState {
  const at = NOON;
  const records: JournalRecord[] = [
    began(assignment),
    { r: "opened", at, pattern, goals: ["add adds"], reasoning: "", found: [], context: "" },
    ...Array.from({ length: calls }, (_, n): JournalRecord[] => [
      {
        r: "asked",
        at,
        who: "executor",
        text: "",
        calls: [{ id: `c${n}`, name: "file_read", args: { json: { path: `src/${n}.ts` } } }],
        usage: { input: 1, cached: 0, written: 0, output: 1 },
        microUsd: 0,
      },
      { r: "started", at, id: `c${n}`, tool: "file.read", args: { path: `src/${n}.ts` } },
      { r: "ended", at, id: `c${n}`, result: { ok: true, text: `what is in ${n} ${"x".repeat(300)}` } },
    ]).flat(),
  ];
  return fold(records)!;
}
const bodies = (text: string): readonly string[] => text.split(/^## \d .*\n/m).slice(1);

describe("context.md", () => {
  test("TAC-3.4 it has its six sections in order, and the task's state in the fourth", () => {
    const text = contextOf(busy());
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(TITLES);
    shows("TAC-3.4", 1);
    const state = /^task state: (.*)$/m.exec(bodies(text)[4]!)![1]!;
    expect(JSON.parse(state)).toMatchObject({
      task_type: "code_modify",
      current_step: 4,
      completed_steps: ["read"],
      pending_steps: ["edit", "verify"],
    });
    shows("TAC-3.4", 2);
    expect(bodies(text)[3]).toContain("goal: add adds");
  });

  test("what is found by others is in section 1: the owner's issues, findings, notes", () => {
    const state = busy(0, ticket({ findings: [{ id: "f1", text: "mend it", file: "a.ts", line: 3 }], notes: ["n"] }));
    const issues = [{ id: "i1", text: "not so", about: "code" as const }];
    const text = bodies(contextOf({ ...state, session: { ...state.session, issues } }))[1];
    expect(text).toBe("- i1 (owner): not so\n- f1 (finding): mend it (a.ts:3)\n- note: n\n\n");
  });

  test.each([200, 300, 500, 1500, 4000])("cut to %i tokens it has no more than that, and says each cut", (most) => {
    const assignment = ticket({
      body: `${"A sentence of the ticket. ".repeat(700)}\n${"a line\n".repeat(500)}`,
      notes: Array.from({ length: 100 }, (_, n) => `note ${n} ${"y".repeat(60)}`),
    });
    const text = contextOf(busy(60, assignment), most);
    expect(tokensOf(text)).toBeLessThanOrEqual(most);
    for (const n of [0, 1, 4]) expect(bodies(text)[n], TITLES[n]).toContain("[cut: ");
    // how far the task is must never be lost
    expect(() => JSON.parse(/^task state: (.*)$/m.exec(text)![1]!)).not.toThrow();
    if (most >= 500)
      expect(bodies(text)[0]).toMatch(
        /^task-1: add adds\nAcceptance criteria:\n(- AC-.*\n)+Text:\nA sentence of the ticket\./,
      );
  });

  test("the newest results stay, and the first words of the ticket", () => {
    const text = contextOf(busy(60), 1500);
    expect(text).toContain("src/59.ts");
    expect(text).not.toContain("src/20.ts");
  });

  test("what fits is not cut", () => {
    const text = contextOf(busy());
    expect(contextOf(busy(), tokensOf(text) + 60)).toBe(text);
    expect(text).not.toContain("[cut");
  });
});

test("skills are a line each in section 2, with the file that says more", () => {
  const skills = [{ name: "run-tests", description: "how tests are run", path: ".claude/skills/run-tests/SKILL.md" }];
  const research = { files: [], specification: null, conflicts: [], instructions: null, skills };
  const [section] = contextOf({ ...busy(), research })
    .split("## 2 Repository\n")[1]!
    .split("## 3");
  expect(section).toContain("skills (read one before work of its kind):");
  expect(section).toContain("- run-tests: how tests are run (.claude/skills/run-tests/SKILL.md)");
});
