import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { Answer } from "../../src/protocol/answer.ts";
import type { Submission } from "../../src/protocol/message.ts";
import { PERCENT, type Progress } from "../../src/protocol/progress.ts";
import type { Owner } from "../../src/tactics/worker-hands.ts";
import { live } from "../support/live-worker.ts";
import { memoryTool } from "../support/memory-worker.ts";
import { pushedClock } from "../support/pushed-clock.ts";
import { git, write } from "../support/scratch.ts";
import { isPlanner, patternIn, plannerSays, type Says, scriptedMind } from "../support/scripted-mind.ts";
import { PLAN, sensible } from "../support/sensible-mind.ts";
import { shows } from "../support/shows.ts";
import { ticket } from "../support/ticket.ts";

const to = { agent_id: "agent-1", task_id: "task-1", in_reply_to: "", by: "owner", sent_at: "" };
const issue = (about: "plan" | "code" | "test", text = "not so") => ({ id: `i-${about}`, text, about });
const SAID: Readonly<Record<string, Answer>> = {
  GO: { message_type: "GO", ...to },
  FEEDBACK: { message_type: "FEEDBACK", ...to, issues: [issue("plan", "name the risk")] },
  NEXT: { message_type: "NEXT", ...to },
  FIX: { message_type: "FIX", ...to, issues: [issue("code", "mind the overflow")] },
  "FIX test": { message_type: "FIX", ...to, issues: [issue("test", "test it with negatives")] },
  BLOCKED: { message_type: "BLOCKED", ...to, reason: "the release is frozen" },
};

/** An owner who gives these answers, one after the other; and what was handed to it. */
function ownerSaying(...words: readonly string[]): Owner & { readonly got: Submission[] } {
  const left = [...words];
  const got: Submission[] = [];
  return {
    got,
    async answer(submission) {
      got.push(submission);
      return SAID[left.shift() ?? ""] ?? null;
    },
  };
}

const keysOf = (value: object) => Object.keys(value);
const kinds = (owner: { got: readonly Submission[] }) => owner.got.map(({ message_type }) => message_type);

describe("from assignment to NEXT", () => {
  test("AGT-0.1 to AGT-10.1 a ticket is carried out step by step, each with its status and percent", async () => {
    const owner = ownerSaying("GO", "NEXT");
    const told: string[] = [];
    const lived = await live({
      assignment: { specification: "spec.md" },
      order: { owner },
      says: (_request, _nth, { repo }) => {
        const now = readFileSync(join(repo, ".pawl", "run", "progress.json"), "utf8");
        told.push((JSON.parse(now) as Progress).status);
        return null;
      },
    });
    const { end, progress, at, text, repo, base, isTold } = lived;
    expect(progress[0]).toMatchObject({ status: "initializing", percent: 0, task_id: "task-1" });
    shows("AGT-0.1", 1);
    shows("AGT-0.1", 2);
    expect(git(repo, "log", "--format=%s", `${base}..HEAD`)).toContain("task-1: add adds");
    shows("AGT-0.3", 1);
    expect([told[0], (JSON.parse(text("progress.json")) as Progress).status]).toEqual(["implementing", "completed"]);
    shows("AGT-0.3", 2);
    expect(isTold("Numbers are added.")).toBe(true);
    shows("AGT-1.1", 1);
    expect(isTold("- src/add.mjs: ")).toBe(true);
    shows("AGT-1.1", 2);
    expect([at("researching")[0], at("planning")[0], at("awaiting_go")[0]]).toEqual([10, 20, 25]);
    shows("AGT-1.1", 3);
    shows("AGT-2.1", 4);
    const [plan, report] = owner.got as [
      Extract<Submission, { message_type: "PLAN_SUBMISSION" }>,
      Extract<Submission, { message_type: "COMPLETION_REPORT" }>,
    ];
    expect(plan.plan.approach).toBe("swap the sign");
    shows("AGT-2.1", 1);
    expect(plan.plan.ac_mapping).toEqual([
      { ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "suite" },
    ]);
    shows("AGT-2.1", 2);
    expect(plan.plan).toMatchObject({ files: [{ path: "src/add.mjs" }], tests: [{ name: "adds" }] });
    expect(plan.potential_issues).toEqual([]);
    shows("AGT-2.1", 3);
    expect(keysOf(plan).slice(0, 6)).toEqual([
      "message_type",
      "agent_id",
      "task_id",
      "plan",
      "questions",
      "submitted_at",
    ]);
    expect(keysOf(plan.plan)).toEqual(["approach", "ac_mapping", "files", "tests"]);
    const sent = JSON.parse(text("outbox/001-PLAN_SUBMISSION.json")) as object;
    expect(sent).toEqual(plan);
    expect(keysOf(sent)).toEqual(keysOf(plan));
    shows("AGT-3.1", 1);
    shows("AGT-3.1", 2);
    for (const percent of at("implementing")) expect(percent >= 30 && percent <= 70).toBe(true);
    shows("AGT-5.2", 1);
    expect(new Set(progress.map(({ status }) => status))).toEqual(
      new Set([
        "initializing",
        "researching",
        "planning",
        "awaiting_go",
        "implementing",
        "testing",
        "reporting",
        "awaiting_next",
        "completed",
      ]),
    );
    shows("AGT-5.2", 2);
    for (const percent of at("testing")) expect(percent >= 70 && percent <= 90).toBe(true);
    shows("AGT-6.1", 3);
    expect(report).toMatchObject({ summary: "add adds", notes: ["nothing more"] });
    shows("AGT-7.1", 1);
    expect(report.report.ac_verification[0]).toEqual({
      ac: "AC-001",
      status: "PASS",
      evidence: [{ file: "src/add.mjs", line: 1, text: "export const add = (a, b) => a + b;" }],
    });
    shows("AGT-7.1", 2);
    expect(report.report).toMatchObject({
      test_results: [{ test: "suite", result: "PASS", scope: "in" }],
      files_changed: [{ path: "src/add.mjs", change: "modified" }],
    });
    shows("AGT-7.1", 3);
    shows("AGT-6.1", 2);
    expect([at("reporting")[0], at("awaiting_next")[0]]).toEqual([95, 100]);
    shows("AGT-7.1", 4);
    expect(keysOf(report).slice(0, 5)).toEqual(["message_type", "agent_id", "task_id", "report", "submitted_at"]);
    expect(keysOf(report.report)).toEqual(["ac_verification", "test_results", "files_changed"]);
    const handedIn = JSON.parse(text("outbox/002-COMPLETION_REPORT.json")) as typeof report;
    expect([keysOf(handedIn), keysOf(handedIn.report)]).toEqual([keysOf(report), keysOf(report.report)]);
    shows("AGT-8.1", 1);
    shows("AGT-8.1", 2);
    expect(end).toEqual({ how: "finished", verdict: "PASS", detail: "add adds" });
    expect(JSON.parse(text("verdict.json"))).toMatchObject({ verdict: "PASS", detail: "add adds" });
    shows("AGT-9.1", 1);
    let last = progress[0]!;
    for (const one of progress) {
      const [low, high] = PERCENT[one.status];
      expect(one.percent >= low && one.percent <= high).toBe(true);
      if (one.status === last.status) expect(one.percent).toBeGreaterThanOrEqual(last.percent);
      last = one;
    }
    shows("AGT-10.1", 1);
    shows("AGT-10.1", 2);
  });

  test("AGT-10.1 the percent of a step never falls, also where another task of it begins", async () => {
    const tasks = [
      { task_type: "code_modify", goals: ["add adds"] },
      { task_type: "memory_op", goals: ["kept for later"] },
    ];
    let planned = 0;
    const says = (request: ModelRequest): Says | null => {
      if (isPlanner(request))
        return plannerSays({ action: "COMPLETE", ...(tasks[planned] && { action: "EXECUTE" }), ...tasks[planned++] });
      if (patternIn(request) !== "memory_op") return null;
      const made = request.turns.filter(({ role }) => role === "results").length;
      const calls = [
        { name: "memory_search", args: { query: "adding" } },
        { name: "memory_save", args: { text: "Adding needs plus." } },
      ];
      return { calls: [calls[made] ?? { name: "done", args: { summary: "kept" } }] };
    };
    const { end, at } = await live({ says });
    expect([end, planned]).toEqual([expect.objectContaining({ verdict: "PASS" }), 3]);
    const percents = at("implementing");
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(percents.at(-1)).toBeGreaterThan(30);
  });

  test.each([
    ["task_id", { task_id: "" }],
    ["acceptance_criteria", { acceptance_criteria: [] }],
    ["test_delta", { test_delta: undefined as never }],
    ["authorized_files", { authorized_files: [] }],
    ["timeout_minutes", { timeout_minutes: 0 }],
  ])("AGT-0.2 an assignment without %s is refused before any work", async (field, assignment) => {
    const asked: ModelRequest[] = [];
    const lived = live({ assignment, says: (request) => void asked.push(request) as unknown as null });
    await expect(lived).rejects.toMatchObject({ code: "ASSIGNMENT_INCOMPLETE", data: { missing: [field] } });
    shows("AGT-0.2", 1);
    expect(asked).toEqual([]);
    shows("AGT-0.2", 2);
  });
});

describe("the plan's gate", () => {
  test("AGT-4.1 nothing is changed before GO: without an answer the worker is parked", async () => {
    const { end, repo, base, at } = await live({ order: { owner: ownerSaying() } });
    expect(end).toEqual({ how: "parked", seq: 1 });
    expect(git(repo, "rev-parse", "HEAD")).toBe(base);
    expect(git(repo, "status", "--porcelain")).toBe("");
    expect(at("awaiting_go")).toEqual([25]);
    shows("AGT-4.1", 1);
  });

  test("AGT-4.2 each issue of a FEEDBACK has its own answer in the next plan, in the issues' order", async () => {
    const issues = ["i-1", "i-2", "i-3"].map((id) => ({ id, text: `mind ${id}`, about: "plan" as const }));
    const got: Submission[] = [];
    const owner: Owner = {
      async answer(submission) {
        got.push(submission);
        if (got.length === 1) return { message_type: "FEEDBACK", ...to, issues };
        return SAID[submission.message_type === "PLAN_SUBMISSION" ? "GO" : "NEXT"]!;
      },
    };
    const answers = [
      { issue_id: "i-2", text: "the second is minded" },
      { issue_id: "i-1", text: "the first is minded" },
    ];
    const submits = (request: ModelRequest): Says | null =>
      patternIn(request) === "plan" ? { calls: [{ name: "plan_submit", args: { ...PLAN, answers } }] } : null;
    await live({ submits, order: { owner } });
    expect(got[1]).toMatchObject({
      answers: [
        { issue_id: "i-1", text: "the first is minded" },
        { issue_id: "i-2", text: "the second is minded" },
        { issue_id: "i-3", text: "the plan was made anew" },
      ],
    });
  });

  test("AGT-4.2 a FEEDBACK leads to a plan that answers each issue", async () => {
    const owner = ownerSaying("FEEDBACK", "GO", "NEXT");
    const { end, isTold } = await live({ order: { owner } });
    expect(isTold("- i-plan (owner): name the risk")).toBe(true);
    shows("AGT-4.2", 1);
    expect(owner.got[1]).toMatchObject({ message_type: "PLAN_SUBMISSION", answers: [{ issue_id: "i-plan" }] });
    shows("AGT-4.2", 2);
    expect(end).toMatchObject({ verdict: "PASS" });
  });

  test("AGT-4.3 the third FEEDBACK ends it as BLOCKED", async () => {
    const owner = ownerSaying("FEEDBACK", "FEEDBACK", "FEEDBACK");
    const { end } = await live({ order: { owner } });
    expect(kinds(owner)).toEqual(["PLAN_SUBMISSION", "PLAN_SUBMISSION", "PLAN_SUBMISSION"]);
    shows("AGT-4.3", 1);
    expect(end).toMatchObject({
      verdict: "BLOCKED",
      detail: "after 2 plan revisions the owner still says: name the risk",
    });
    shows("AGT-4.3", 2);
  });
});

describe("the report's gate", () => {
  test.each([
    ["FIX", "implementing", 1],
    ["FIX test", "testing", 2],
  ])("AGT-9.2 %s leads back to %s, and the report is made anew", async (word, status, line) => {
    const owner = ownerSaying("GO", word, "NEXT");
    const { end, progress } = await live({ order: { owner } });
    const after = progress.slice(progress.findIndex((one) => one.status === "awaiting_next") + 1);
    expect(after.find((one) => one.status !== "awaiting_next")?.status).toBe(status);
    shows("AGT-9.2", line);
    expect(kinds(owner)).toEqual(["PLAN_SUBMISSION", "COMPLETION_REPORT", "COMPLETION_REPORT"]);
    expect(end).toMatchObject({ verdict: "PASS" });
    shows("AGT-9.2", 3);
  });

  test("AGT-9.3 the third FIX ends it as BLOCKED", async () => {
    const owner = ownerSaying("GO", "FIX", "FIX", "FIX");
    const { end } = await live({ order: { owner } });
    expect(kinds(owner).filter((kind) => kind === "COMPLETION_REPORT")).toHaveLength(3);
    shows("AGT-9.3", 1);
    expect(end).toMatchObject({
      verdict: "BLOCKED",
      detail: "after 2 fix attempts the owner still says: mind the overflow",
    });
    shows("AGT-9.3", 2);
  });

  test("AGT-9.4 BLOCKED ends it, with its reason", async () => {
    const { end, text } = await live({ order: { owner: ownerSaying("GO", "BLOCKED") } });
    expect(end).toEqual({ how: "finished", verdict: "BLOCKED", detail: "the release is frozen" });
    shows("AGT-9.4", 1);
    expect(text("verdict.json")).toContain("the release is frozen");
    expect(text("journal.jsonl")).toContain("the release is frozen");
    shows("AGT-9.4", 2);
  });
});

describe("what may be changed", () => {
  test("AGT-5.1 outside the authorized files edits are refused, and commands are put right", async () => {
    const outside: readonly Says[] = [
      { calls: [{ name: "file_read", args: { path: "lib/kept.txt" } }] },
      { calls: [{ name: "file_edit", args: { path: "lib/kept.txt", old: "kept", new: "gone" } }] },
      { calls: [{ name: "shell", args: { cmd: "echo gone > lib/kept.txt; echo x > lib/made.txt; true" } }] },
    ];
    const lived = await live({ says: (request, nth) => (isPlanner(request) ? null : (outside[nth - 1] ?? null)) });
    expect(lived.isTold("OUT_OF_SCOPE lib/kept.txt")).toBe(true);
    shows("AGT-5.1", 1);
    expect(readFileSync(join(lived.repo, "lib/kept.txt"), "utf8")).toBe("kept\n");
    expect(existsSync(join(lived.repo, "lib/made.txt"))).toBe(false);
    shows("AGT-5.1", 2);
    expect(lived.isTold("outside your scope, put back: lib/kept.txt")).toBe(true);
    expect(lived.isTold("outside your scope, moved away: lib/made.txt")).toBe(true);
    shows("AGT-5.1", 3);
  });

  test("AGT-11.1 a test to be updated that is not there stops the work before a plan", async () => {
    const test_delta = { ...ticket().test_delta, update: ["test/no.test.mjs"] };
    const { end, mind } = await live({ assignment: { test_delta } });
    expect(mind.asked).toEqual([]);
    shows("AGT-11.1", 1);
    expect(end).toMatchObject({
      verdict: "BLOCKED",
      detail: expect.stringContaining("test/no.test.mjs, which does not exist"),
    });
    shows("AGT-11.1", 2);
  });
});

describe("suites", () => {
  test("AGT-6.2 what fails in scope sends the work back, and is run again", async () => {
    const wrong = {
      calls: [{ name: "file_write", args: { path: "src/add.mjs", text: "export const add = 1;\n", overwrite: true } }],
    };
    const right = {
      calls: [
        {
          name: "file_write",
          args: { path: "src/add.mjs", text: "export const add = (a, b) => a + b;\n", overwrite: true },
        },
      ],
    };
    const done = { calls: [{ name: "done", args: { summary: "made" } }] };
    let planned = 0;
    const lived = await live({
      says: (request, nth) => {
        if (!isPlanner(request)) return [wrong, done, right, done][nth - 1] ?? null;
        planned += 1;
        return planned % 2 === 1
          ? plannerSays({ action: "EXECUTE", task_type: "generic", goals: ["add adds"] })
          : plannerSays({ action: "COMPLETE" });
      },
    });
    expect(lived.isTold("COMPLETE is refused, since suites fail that have to pass")).toBe(true);
    shows("AGT-6.2", 1);
    expect(lived.end).toMatchObject({ verdict: "PASS" });
    expect(lived.text("journal.jsonl").split('"r":"validated"').length - 1).toBeGreaterThan(1);
    shows("AGT-6.2", 2);
  });

  test("AGT-6.3 what failed before is reported as out of scope, and left to a person", async () => {
    const owner = ownerSaying("GO", "BLOCKED");
    const { isTold } = await live({ files: { "suite.sh": "echo broken; exit 1\n" }, order: { owner } });
    const report = owner.got[1] as Extract<Submission, { message_type: "COMPLETION_REPORT" }>;
    expect(report.report.test_results).toMatchObject([{ test: "suite", result: "FAIL", scope: "out" }]);
    shows("AGT-6.3", 1);
    expect(isTold("COMPLETE is refused")).toBe(false);
    shows("AGT-6.3", 2);
  });

  test("AGT-6.1 a test that the Test Delta names may be added, though it is not among the authorized files", async () => {
    const test_delta = { ...ticket().test_delta, add: ["test/add.test.mjs"] };
    const says = (request: ModelRequest, nth: number): Says | null =>
      !isPlanner(request) && nth === 2
        ? { calls: [{ name: "file_write", args: { path: "test/add.test.mjs", text: "1;\n" } }] }
        : null;
    const owner: Owner = {
      answer: async ({ message_type }) => SAID[message_type === "PLAN_SUBMISSION" ? "GO" : "NEXT"] ?? null,
    };
    const files = [
      { path: "src/add.mjs", changes: ["plus"] },
      { path: "test/add.test.mjs", changes: ["new"] },
    ];
    const { repo, end } = await live({
      assignment: { test_delta },
      says: (request, nth) => says(request, nth),
      order: { owner, models: withPlan(files, says) },
    });
    expect(end).toMatchObject({ verdict: "PASS" });
    expect(git(repo, "ls-files", "test")).toBe("test/add.test.mjs");
    shows("AGT-6.1", 1);
  });
});

/** Minds whose plan names these files. */
function withPlan(files: readonly object[], says: (request: ModelRequest, nth: number) => Says | null) {
  let n = 0;
  const mind = scriptedMind((request) => {
    const said = sensible(request);
    const [call] = said.calls ?? [];
    if (call?.name === "plan_submit") return { calls: [{ ...call, args: { ...(call.args as object), files } }] };
    if (isPlanner(request) || patternIn(request) === "report") return said;
    n += 1;
    return says(request, n) ?? said;
  });
  return { planner: mind, executor: mind, compaction: mind };
}

describe("the time limit", () => {
  test("AGT-11.2 near the end it is warned; without an answer it ends as timed out", async () => {
    const lived = await live({
      assignment: { timeout_minutes: 25 },
      order: { clock: minuteByMinute() },
    });
    expect(lived.progress.some(({ warning }) => warning === "the time limit is near")).toBe(true);
    shows("AGT-11.2", 1);
    expect(lived.text("journal.jsonl")).toContain('"r":"warned"');
    shows("AGT-11.2", 2);
    expect(lived.end).toMatchObject({ verdict: "FAIL", detail: "timed out after 25 of 25 minutes" });
    shows("AGT-11.2", 5);
  });

  test("AGT-11.2 EXTEND lets it go on where it was, END ends it", async () => {
    const say = (repo: string, name: string, said: object) =>
      write(join(repo, ".pawl", "run", "inbox"), { [name]: JSON.stringify({ ...to, ...said }) });
    const clock = pushedClock();
    const extended = await live({
      assignment: { timeout_minutes: 25 },
      order: { clock },
      says: (request, nth, { repo }) => {
        if (isPlanner(request)) return null;
        clock.push(8 * 60_000);
        if (nth === 3) say(repo, "900-EXTEND.json", { message_type: "EXTEND", minutes: 30 });
        return null;
      },
    });
    expect(extended.end).toMatchObject({ verdict: "PASS" });
    // four calls of eight minutes each: more than it had at first
    expect(extended.text("journal.jsonl")).not.toContain("timed out");
    shows("AGT-11.2", 3);
    const ended = await live({
      says: (request, nth, { repo }) => {
        if (nth === 2 && !isPlanner(request))
          say(repo, "900-END.json", { message_type: "END", reason: "no longer wanted" });
        return null;
      },
    });
    expect(ended.end).toMatchObject({ how: "finished", verdict: "FAIL" });
    expect(JSON.stringify(ended.end)).toContain("no longer wanted");
    shows("AGT-11.2", 4);
  });
});

/** When progress.json was written anew, after something was done. */
async function saidAfter(file: string, act: () => void): Promise<string> {
  const before = readFileSync(file, "utf8");
  act();
  await vi.waitFor(() => expect(readFileSync(file, "utf8")).not.toBe(before));
  return (JSON.parse(readFileSync(file, "utf8")) as Progress).updated_at;
}

test("AGT-5.2 progress is said at least every 5 minutes, also in the middle of a call", async () => {
  const clock = pushedClock();
  const said: string[] = [];
  let file = "";
  const lived = await live({
    says: (request, nth, { repo }) => {
      file = join(repo, ".pawl", "run", "progress.json");
      return nth === 1 && !isPlanner(request) ? { calls: [{ name: "shell", args: { cmd: "long" } }] } : null;
    },
    order: {
      clock,
      tools: [
        {
          ...memoryTool("shell", () => ({ ok: true, text: "" })),
          run: async () => {
            for (let n = 0; n < 3; n++) said.push(await saidAfter(file, () => clock.push(5 * 60_000)));
            return { ok: true, text: "at last" };
          },
        },
      ],
    },
  });
  expect(lived.end).toMatchObject({ verdict: "PASS" });
  const gaps = said.slice(1).map((at, n) => Date.parse(at) - Date.parse(said[n]!));
  expect(gaps).toEqual([300_000, 300_000]);
  shows("AGT-5.2", 3);
});

/** A clock that is a minute later each time it is read. */
function minuteByMinute() {
  let now = Date.UTC(2026, 10, 28, 12);
  return {
    read: () => {
      now += 60_000;
      return { wall: now, mono: now };
    },
    sleep: () => new Promise<void>(() => {}),
  };
}
