import { describe, expect, test } from "vitest";
import { ticket } from "../../test/support/ticket.ts";
import type { PlanSubmission } from "../protocol/plan.ts";
import type { CompletionReport, Report } from "../protocol/report.ts";
import { answerPlan, answerReport, type Found } from "./owner-rules.ts";
import type { SuiteRun } from "./record.ts";

const to = { agent_id: "agent-1", task_id: "task-1", in_reply_to: "", by: "rules", sent_at: "" };
const suite = (passed: boolean, failing: readonly string[] = [], name = "suite"): SuiteRun => ({
  name,
  command: "sh suite.sh",
  passed,
  failing,
  words: "1 failed",
  ending: "exit",
});
const FILE = ["export const add = (a, b) => a + b;", "", "export const old = 1;"];
const found = (over: Partial<Found> = {}): Found => ({
  head: "c1",
  line: (file, line) => (file === "src/add.mjs" ? (FILE[line - 1] ?? null) : file === "src/other.mjs" ? "x" : null),
  isChanged: (file, line) => file === "src/add.mjs" && line === 1,
  changed: new Set(["src/add.mjs"]),
  suites: [suite(true)],
  baseline: [suite(true)],
  ...over,
});
const report = (over: Partial<Report> = {}, head: string | null = "c1"): CompletionReport => ({
  message_type: "COMPLETION_REPORT",
  agent_id: "agent-1",
  task_id: "task-1",
  report: {
    ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1, text: "" }] }],
    test_results: [{ test: "suite", result: "PASS", details: "", scope: "in" }],
    files_changed: [{ path: "src/add.mjs", change: "modified" }],
    ...over,
  },
  submitted_at: "",
  summary: "",
  notes: [],
  head,
});
const evidence = (file: string, line: number, text = ""): Partial<Report> => ({
  ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [{ file, line, text }] }],
});
const answer = (message: CompletionReport, of: Partial<Found> = {}, assignment = ticket()) =>
  answerReport(message, assignment, { found: found(of), to });
const wordsOf = (said: ReturnType<typeof answer>): string =>
  said.message_type === "FIX" ? said.issues.map(({ text }) => text).join("\n") : said.message_type;

describe("a report", () => {
  test("that is so gets NEXT", () => {
    expect(answer(report())).toMatchObject({ message_type: "NEXT" });
    expect(answer(report(evidence("src/add.mjs", 1, `  ${FILE[0]}`)))).toMatchObject({ message_type: "NEXT" });
  });

  /** each lie gets FIX, with words that name it */
  test.each([
    ["a line that is not there", report(evidence("src/add.mjs", 9)), {}, /add\.mjs:9 is not there/],
    ["a file that is not there", report(evidence("src/no.mjs", 1)), {}, /no\.mjs:1 is not there/],
    ["a blank line", report(evidence("src/add.mjs", 2)), {}, /add\.mjs:2 is blank/],
    ["a line that is as it was", report(evidence("src/add.mjs", 3)), {}, /add\.mjs:3 was not changed by this branch/],
    ["a file that was not touched", report(evidence("src/other.mjs", 1)), {}, /did not touch src\/other\.mjs/],
    [
      "a line that reads otherwise",
      report(evidence("src/add.mjs", 1, "a - b")),
      {},
      /reads otherwise: export const add/,
    ],
    [
      "PASS without evidence",
      report({ ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [] }] }),
      {},
      /PASS without evidence/,
    ],
    ["a criterion that is left out", report({ ac_verification: [] }), {}, /AC-001 is not reported on/],
    [
      "a criterion that fails",
      report({ ac_verification: [{ ac: "AC-001", status: "FAIL", evidence: [] }] }),
      {},
      /AC-001 is not met/,
    ],
    [
      "a criterion twice, once failing",
      report({
        ac_verification: [
          { ac: "AC-001", status: "FAIL", evidence: [] },
          ...evidence("src/add.mjs", 1).ac_verification!,
        ],
      }),
      {},
      /AC-001 is reported on twice/,
    ],
    [
      "a criterion that there is not",
      report({
        ac_verification: [
          ...evidence("src/add.mjs", 1).ac_verification!,
          { ac: "AC-009", status: "PASS", evidence: [] },
        ],
      }),
      {},
      /AC-009 is no acceptance criterion/,
    ],
    [
      "a test that there is not",
      report({
        test_results: [...report().report.test_results, { test: "e2e", result: "PASS", details: "", scope: "in" }],
      }),
      {},
      /names a test that was not run here: e2e/,
    ],
    ["a test that fails, said to pass", report(), { suites: [suite(false)] }, /suite is reported as passed, and fails/],
    [
      "a test that fails, said to fail",
      report({ test_results: [{ test: "suite", result: "FAIL", details: "", scope: "in" }] }),
      { suites: [suite(false)] },
      /a suite fails: suite: 1 failed/,
    ],
    [
      "a failure in scope, said to be out of it",
      report({ test_results: [{ test: "suite", result: "FAIL", details: "", scope: "out" }] }),
      { suites: [suite(false)] },
      /a suite fails/,
    ],
    ["a test that was not run on what is reported", report(), { suites: [] }, /suite was not run on the commit/],
    ["a test that is left out of the report", report({ test_results: [] }), {}, /suite is not reported on/],
    [
      "a file that was changed and is not named",
      report(),
      { changed: new Set(["src/add.mjs", "src/x.mjs"]) },
      /src\/x\.mjs was changed, and is not reported/,
    ],
    [
      "a file that was not changed",
      report({ files_changed: [...report().report.files_changed, { path: "src/y.mjs", change: "created" }] }),
      {},
      /src\/y\.mjs is reported as changed, and is as it was/,
    ],
    ["a commit that is not there", report({}, "c9"), { head: null }, /about commit c9, which is not there/],
    ["no commit", report({}, null), { head: null }, /about commit none/],
  ] as const)("with %s gets FIX", (_, message, of, why) => {
    const said = answer(message, of);
    expect(said.message_type).toBe("FIX");
    expect(wordsOf(said)).toMatch(why);
  });

  test("with failures that were there before is for a person: BLOCKED, unless something is in scope too", () => {
    const out = report({ test_results: [{ test: "suite", result: "FAIL", details: "", scope: "out" }] });
    const old = { suites: [suite(false, ["old"])], baseline: [suite(false, ["old"])] };
    expect(answer(out, old)).toMatchObject({ message_type: "BLOCKED", reason: expect.stringContaining("suite") });
    expect(answer(out, { ...old, suites: [suite(false, ["old", "new"])] })).toMatchObject({ message_type: "FIX" });
  });

  test("about a task with nothing to change needs no evidence", () => {
    const nothing = report({ files_changed: [], ac_verification: [{ ac: "AC-001", status: "PASS", evidence: [] }] });
    expect(answer(nothing, { changed: new Set() })).toMatchObject({ message_type: "NEXT" });
  });

  test("issues have numbers of their own", () => {
    const said = answer(report(evidence("src/add.mjs", 9)), { suites: [suite(false)] });
    const ids = said.message_type === "FIX" ? said.issues.map(({ id }) => id) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(3);
  });
});

describe("a plan", () => {
  const plan = (over: Partial<PlanSubmission["plan"]> = {}): PlanSubmission => ({
    message_type: "PLAN_SUBMISSION",
    agent_id: "",
    task_id: "",
    plan: {
      approach: "swap",
      ac_mapping: [{ ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "add" }],
      files: [{ path: "src/add.mjs", changes: [] }],
      tests: [],
      ...over,
    },
    questions: [],
    submitted_at: "",
    potential_issues: [],
    answers: [],
    head: null,
  });
  const row = plan().plan.ac_mapping[0]!;

  test("that lacks nothing gets GO", () =>
    expect(answerPlan(plan(), ticket(), to)).toMatchObject({ message_type: "GO" }));

  test.each([
    ["no approach", { approach: " " }, /approach is empty/],
    ["a criterion without a row", { ac_mapping: [] }, /AC-001 has no row/],
    ["a row for no criterion", { ac_mapping: [row, { ...row, ac: "AC-7" }] }, /AC-7 is no acceptance criterion/],
    ["a row without a test", { ac_mapping: [{ ...row, test: "" }] }, /AC-001 names no test/],
    ["no files", { files: [] }, /no files are named/],
    ["a file outside the scope", { files: [{ path: "lib/x.mjs", changes: [] }] }, /lib\/x\.mjs may not be changed/],
  ])("with %s gets FEEDBACK", (_, over, why) => {
    const said = answerPlan(plan(over), ticket(), to);
    expect(said.message_type === "FEEDBACK" && said.issues.map(({ text }) => text).join("\n")).toMatch(why);
  });

  test("that leaves out a file of the test delta gets FEEDBACK", () => {
    const assignment = ticket({ test_delta: { ...ticket().test_delta, add: ["t/new.mjs"], update: ["t/old.mjs"] } });
    const said = answerPlan(plan(), assignment, to);
    expect(said.message_type === "FEEDBACK" && said.issues.map(({ text }) => text)).toEqual([
      "the test delta's t/new.mjs is not among the files",
      "the test delta's t/old.mjs is not among the files",
    ]);
  });
});
