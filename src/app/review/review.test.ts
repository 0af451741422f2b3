import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Asked, Reply } from "../../../test/support/model-server/script.ts";
import { startModelServer } from "../../../test/support/model-server/server.ts";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import type { Verdict } from "../../protocol/verdict.ts";
import { runProgram } from "../cli/program.ts";

const ASSIGNMENT = {
  base: "main",
  title: "Colours",
  body: "Find red things.",
  acceptance_criteria: [
    { id: "AC-001", text: "red is found" },
    { id: "AC-002", text: "case does not count" },
  ],
};
const row = (ac: string, file: string, line: number) => ({ ac, status: "PASS", evidence: [{ file, line, text: "" }] });
const reportOf = (...ac_verification: object[]) => ({
  message_type: "COMPLETION_REPORT",
  agent_id: "a",
  task_id: "task-1",
  report: { ac_verification, test_results: [], files_changed: [] },
  submitted_at: "2026-11-28T12:00:00Z",
});

/** A branch that adds two lines to a file of three, and a name that is no ASCII; a verifier's run beside a worker's. */
function verifying(report: object | null, { model }: { model?: string } = {}) {
  const { repo } = repository({ "src/find.ts": "one\ntwo\nthree\n" });
  git(repo, "checkout", "-q", "-b", "pawl/task-1");
  write(repo, { "src/find.ts": "one\nred\n\ntwo\nthree\n", "src/über.ts": "grün\n" });
  git(repo, "add", ".");
  git(repo, "commit", "-qm", "colours");
  const runs = scratch();
  const order = { wish: {}, brief: { assignment: ASSIGNMENT, checks: [{ run: "true", timeoutMs: 9_000, when: [] }] } };
  write(join(runs, "02-verify-a1"), { "order.json": JSON.stringify(order) });
  if (report) write(join(runs, "01-implement-a1"), { "outbox/002-COMPLETION_REPORT.json": JSON.stringify(report) });
  const run = join(runs, "02-verify-a1");
  return { repo, run, args: ["check", ...(model ? ["--model", "judge"] : [])] };
}

async function check({ repo, run, args }: ReturnType<typeof verifying>, env: Record<string, string> = {}) {
  let said = "";
  const stream = { write: (text: string) => (said += text) };
  const code = await runProgram(args, {
    cwd: repo,
    env: {
      PATH: process.env.PATH,
      HOME: repo,
      PAWL_RUN_DIR: run,
      PAWL_LEG: "l",
      PAWL_LEG_DIR: run,
      PAWL_BASE: "main",
      ...env,
    },
    streams: { stdin: {}, stdout: stream, stderr: stream },
  });
  const left = (name: string): unknown =>
    existsSync(join(run, name)) ? JSON.parse(readFileSync(join(run, name), "utf8")) : null;
  return { code, said, verdict: left("verdict.json") as Verdict | null, waiting: left("waiting.json") };
}

describe("the evidence of a report", () => {
  test("that stands in changed lines passes, also in files whose names are no ASCII", async () => {
    const told = await check(verifying(reportOf(row("AC-001", "src/find.ts", 2), row("AC-002", "src/über.ts", 1))));
    expect(told).toMatchObject({ code: 0, verdict: { verdict: "PASS" } });
    expect(told.verdict?.detail).toBe("1 of 1 checks; evidence for 2 of 2 criteria");
    expect(told.verdict?.criteria).toEqual({ met: 2, of: 2 });
  });

  test.each([
    ["src/find.ts", 3, "AC-001: src/find.ts:3 is blank"],
    ["src/find.ts", 4, "AC-001: src/find.ts:4 was not changed by this branch"],
    ["src/find.ts", 99, "AC-001: src/find.ts:99 is not there"],
    ["src/none.ts", 1, "AC-001: src/none.ts:1 is not there"],
  ])("at %s:%i is a finding with its place", async (file, line, text) => {
    const told = await check(verifying(reportOf(row("AC-001", file, line), row("AC-002", "src/über.ts", 1))));
    expect(told.code).toBe(1);
    expect(told.verdict?.findings).toEqual([{ key: `evidence:${text}`, text, file, line }]);
  });

  test("is missing for a criterion; without any report the checks alone decide", async () => {
    const told = await check(verifying(reportOf(row("AC-001", "src/find.ts", 2))));
    expect(told.verdict?.findings).toMatchObject([{ text: "AC-002 is not reported on" }]);
    expect(await check(verifying(null))).toMatchObject({ code: 0, verdict: { detail: "1 of 1 checks" } });
  });
});

describe("a model that reads the change", () => {
  const said = (decision: object): Reply => ({ text: JSON.stringify({ _type: "REVIEW_DECISION", ...decision }) });
  const all = ["AC-001", "AC-002"];

  async function judged(...replies: readonly Reply[]) {
    const asked: Asked[] = [];
    const server = await startModelServer((request) => {
      asked.push(request);
      return replies[asked.length - 1] ?? { fail: 400, message: "asked too often" };
    });
    onTestFinished(() => server.close());
    const at = verifying(null, { model: "judge" });
    const entry = `{provider: openai-compatible, base_url: "${server.url}/v1", model: judge, key_env: JUDGE_KEY, price: {input: 1, output: 1}}`;
    write(at.repo, { "pawl.yaml": `models: {judge: ${entry}}\n` });
    return { ...(await check(at, { JUDGE_KEY: "k" })), asked, head: git(at.repo, "rev-parse", "HEAD") };
  }

  test("passes it, and is given the criteria and the diff; nothing is written to the branch", async () => {
    const { code, verdict, asked, said: words } = await judged(said({ met: all, findings: [] }));
    expect(code).toBe(0);
    expect(verdict).toMatchObject({ verdict: "PASS", usage: { tokens: expect.any(Number) } });
    expect(words).toContain("the change does what the ticket asks for, read by");
    const text = (asked[0]!.turns[0] as { text: string }).text;
    for (const part of ["AC-002: case does not count", "+red", "src/über.ts", "Find red things."])
      expect(text).toContain(part);
    expect(asked[0]!.tools).toEqual([]);
  });

  test("fails it with findings; a place that is not of this change is left out", async () => {
    const { code, verdict } = await judged(
      said({
        met: ["AC-001"],
        findings: [
          { ac: "AC-002", file: "src/find.ts", line: 2, text: "RED is not found" },
          { file: "src/made-up.ts", line: 7, text: "this is wrong" },
        ],
      }),
    );
    expect(code).toBe(1);
    expect(verdict?.findings.map(({ text, file, line }) => [text, file, line])).toEqual([
      ["AC-002: RED is not found", "src/find.ts", 2],
      ["this is wrong", undefined, undefined],
      ["AC-002: nothing in the change shows it to be met", undefined, undefined],
    ]);
  });

  test("is asked again where it cannot be read, twice; then there is no verdict, and it waits", async () => {
    const again = await judged({ text: "Looks good to me!" }, said({ met: all, findings: [] }));
    expect(again).toMatchObject({ code: 0, verdict: { verdict: "PASS" } });
    expect(JSON.stringify(again.asked[1]!.turns)).toContain("could not be read");
    const never = await judged(...Array.from({ length: 3 }, () => ({ text: "PASS" })));
    expect(never).toMatchObject({ code: 1, verdict: null });
    expect(never.said).toContain("error[MODEL_MISREAD]");
    expect(never.waiting).toMatchObject({ until: null, why: expect.stringContaining("MODEL_MISREAD") });
    expect(again.waiting).toBe(null);
  });

  test("without its key it waits for a person to log it in", async () => {
    const at = verifying(null, { model: "judge" });
    write(at.repo, { "pawl.yaml": "models: {judge: {provider: anthropic, model: x, key_env: JUDGE_KEY}}\n" });
    const told = await check(at);
    expect(told).toMatchObject({ code: 4, verdict: null, waiting: { for: "auth" } });
  });
});
