import { describe, expect, onTestFinished, test } from "vitest";
import { pushedClock } from "../../../test/support/pushed-clock.ts";
import { git, repository, write } from "../../../test/support/scratch.ts";
import { scriptedMind } from "../../../test/support/scripted-mind.ts";
import { PLAN } from "../../../test/support/sensible-mind.ts";
import { testGit } from "../../../test/support/test-git.ts";
import { ticket } from "../../../test/support/ticket.ts";
import type { LegKey, TaskId } from "../../domain/names.ts";
import type { GateQuestion } from "../../ports/gates.ts";
import type { Permit } from "../../ports/permit.ts";
import { patchByGit } from "./find-by-git.ts";
import { modelOwner } from "./model-owner.ts";

const PERMIT = { signal: new AbortController().signal } as Permit;
const to = { agent_id: "a", task_id: "task-1", submitted_at: "2026-11-28T12:00:00Z" };

/** A branch with a change, and a model that owns its gates; `texts`: what the model says, one after the other. */
function owned(texts: readonly (string | Error)[]) {
  const { repo } = repository({ "src/add.mjs": "export const add = (a, b) => a - b;\n" });
  git(repo, "checkout", "-q", "-b", "pawl/task-1");
  write(repo, { "src/add.mjs": "export const add = (a, b) => a + b;\n" });
  git(repo, "commit", "-qam", "plus");
  const left = [...texts];
  const mind = scriptedMind(() => {
    const next = left.shift() ?? "";
    if (typeof next !== "string") throw next;
    return { text: next };
  });
  const clock = pushedClock();
  const events: { event: string }[] = [];
  const gates = modelOwner({
    model: async () => mind,
    prompts: () => ({ plan: "plans", change: "changes" }),
    patchOf: patchByGit({ repo, git: testGit() }),
    clock,
    probe: { record: (event: { event: string }) => void events.push(event) } as never,
  });
  onTestFinished(() => gates.close!());
  const question = (seq: number, submission: object): GateQuestion => ({
    task: "task-1" as TaskId,
    leg: "task-1/1/1.1" as LegKey,
    gate: seq === 1 ? "GO" : "NEXT",
    seq,
    owner: "model:mind",
    submission: JSON.stringify({ ...to, ...submission }),
    brief: { assignment: ticket({ branch: "pawl/task-1", base: "main" }) } as GateQuestion["brief"],
  });
  const plan = question(1, { message_type: "PLAN_SUBMISSION", plan: PLAN, questions: [] });
  const report = (head: string) =>
    question(2, {
      message_type: "COMPLETION_REPORT",
      report: { ac_verification: [], test_results: [], files_changed: [] },
      head,
    });
  const answer = async (asked: GateQuestion) => {
    for (;;) {
      const rung = gates.rung!(PERMIT.signal)[Symbol.asyncIterator]();
      const heard = rung.next();
      const { seen } = await gates.ask([asked], PERMIT);
      if (seen[0]) return seen[0].said;
      await heard;
    }
  };
  return { gates, mind, clock, events, plan, report, answer, head: git(repo, "rev-parse", "HEAD") };
}

describe("a model that owns gates", () => {
  test("reads the plan against the criteria: FEEDBACK with its issues, or GO", async () => {
    const no = owned(['{"_type":"PLAN_REVIEW","issues":[{"text":"no test of negatives"}]}']);
    expect(await no.answer(no.plan)).toMatchObject({
      word: "FEEDBACK",
      issues: [{ id: "M1", text: "no test of negatives", about: "plan" }],
    });
    expect(JSON.stringify(no.mind.asked[0]!.turns)).toContain("add(1, 2) is 3");
    const yes = owned(['{"_type":"PLAN_REVIEW","issues":[]}']);
    expect(await yes.answer(yes.plan)).toMatchObject({ word: "GO" });
  });

  test("reads what was changed, not what is said of it: FIX with places, or NEXT", async () => {
    const finding = { ac: "AC-001", file: "src/add.mjs", line: 1, text: "overflows" };
    const no = owned([JSON.stringify({ _type: "REVIEW_DECISION", met: [], findings: [finding] })]);
    expect(await no.answer(no.report(no.head))).toMatchObject({
      word: "FIX",
      issues: [
        { text: "AC-001: overflows", file: "src/add.mjs", line: 1, about: "code" },
        { text: "AC-001: nothing in the change shows it to be met" },
      ],
    });
    expect(JSON.stringify(no.mind.asked[0]!.turns)).toContain("+export const add = (a, b) => a + b;");
    const yes = owned([JSON.stringify({ _type: "REVIEW_DECISION", met: ["AC-001"], findings: [] })]);
    expect(await yes.answer(yes.report(yes.head))).toMatchObject({ word: "NEXT" });
  });

  test("that is away, and a report of another commit, are no answer: it is tried again later", async () => {
    const away = owned([new Error("503"), '{"issues":[]}']);
    const rung = away.gates.rung!(PERMIT.signal)[Symbol.asyncIterator]().next();
    expect((await away.gates.ask([away.plan], PERMIT)).seen).toEqual([]);
    await rung;
    expect(away.events).toMatchObject([{ event: "gate_unjudged", error: "Error: 503" }]);
    expect((await away.gates.ask([away.plan], PERMIT)).seen).toEqual([]);
    expect(away.mind.asked).toHaveLength(1);
    away.clock.push(31_000);
    expect(await away.answer(away.plan)).toMatchObject({ word: "GO" });
    const other = owned(["never"]);
    const heard = other.gates.rung!(PERMIT.signal)[Symbol.asyncIterator]().next();
    await other.gates.ask([other.report("a".repeat(40))], PERMIT);
    await heard;
    expect([other.mind.asked.length, other.events.length]).toEqual([0, 1]);
  });
});
