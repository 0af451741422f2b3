import { expect, it } from "vitest";
import { intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { question } from "../../../../test/contracts/signals.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { gitHubWorld } from "../../../../test/support/github-forge.ts";
import type { Run } from "../../../../test/support/github-server/ci.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import { gitHubCi } from "./signals.ts";

/** A pull request of task-1, and a CI that looks at it. */
async function built(of: { perPage?: number } = {}) {
  const world = await gitHubWorld(of);
  const head = commitOn(world.repo, (await world.tip("main")) as Commit, { a: "a" });
  await world.move("pawl/task-1", head);
  const open = { ...intents(world.base).open(head), branch: "pawl/task-1", task: "task-1" as TaskId };
  const pr = url(await world.forge.perform(open, "Why", permit));
  const { ci, id } = world.server.state;
  const suite = (app: string, status = "completed", conclusion: string | null = "success") => {
    const made = { id: id(), sha: head, app, status, conclusion };
    ci.suites.push(made);
    return made;
  };
  const actions = suite("github-actions");
  const run = (name: string, conclusion: string | null, of: Partial<Run> = {}) => {
    const usual = { id: id(), name, sha: head, suite: actions.id, app: "github-actions", conclusion };
    const made: Run = { ...usual, status: conclusion === null ? "in_progress" : "completed", ...of };
    ci.runs.push(made);
    return made;
  };
  const status = (context: string, state: string, description: string | null = null) =>
    void ci.statuses.push({ id: id(), sha: head, context, state, description });
  const ask = async (signals = gitHubCi(world.options)) => {
    const { seen } = await signals.ask([{ ...question("task-1", head), signal: "ci-green", pr }], permit);
    return seen[0]!.answer;
  };
  return { world, head, ci, suite, actions, run, status, ask };
}

it("waits while there is no check, while one runs, and while others are to come; green is every one of them", async () => {
  const { head, suite, actions, run, status, ask } = await built();
  run("build", "failure", { sha: "b".repeat(40) });
  // an app that is installed, and has nothing to do here
  suite("some-bot", "queued", null);
  expect(await ask()).toMatchObject({ status: "pending", message: expect.stringContaining("there is no check of") });
  const build = run("build", null);
  expect(await ask()).toMatchObject({
    status: "pending",
    message: "1 of 1 checks have not ended: build (in_progress)",
  });
  Object.assign(build, { status: "completed", conclusion: "success" });
  Object.assign(actions, { status: "in_progress", conclusion: null });
  expect(await ask(), "the next job begins when this one has ended").toMatchObject({
    status: "pending",
    message: "1 of 2 checks have not ended: GitHub Actions (in_progress)",
  });
  Object.assign(actions, { status: "completed", conclusion: "success" });
  status("ci/other", "pending");
  expect(await ask()).toMatchObject({ status: "pending", message: "1 of 2 checks have not ended: ci/other (pending)" });
  status("ci/other", "success");
  expect(await ask()).toMatchObject({ status: "approved", head, by: "CI at GitHub", findings: [] });
});

it("checks that were skipped, all of them, approve nothing", async () => {
  const { run, ask } = await built();
  run("build", "skipped");
  expect(await ask()).toMatchObject({ status: "pending", message: expect.stringContaining("were skipped") });
});

it("each check that failed is a finding with the end of its log, all of them one message, without colours and times", async () => {
  const { head, suite, run, status, ask, world } = await built();
  const stamped = (lines: readonly string[]) => lines.map((line) => `2026-01-02T03:04:05.1234567Z ${line}\n`).join("");
  const early = Array.from({ length: 500 }, (_, i) => `line ${i}`);
  const errors = [
    "##[group]Run npm test",
    "\u001b[31mFAIL\u001b[0m a.test.ts",
    "##[error]exit code 1",
    "Post job cleanup.",
  ];
  run("test (20)", "failure", { log: stamped([...early, ...errors]) });
  run("lint", "timed_out", { log: null });
  run("build", "success");
  const other = suite("sonar").id;
  run("quality", "failure", { app: "sonar", suite: other, output: { title: "3 smells", summary: "in a.ts" } });
  status("deploy/preview", "error", "no space");
  const answer = await ask();
  expect(answer).toMatchObject({ status: "rejected", head });
  const [first, ...others] = answer.findings;
  expect(first!.key).toBe("check:test (20)");
  expect(first!.text).toMatch(/^check test \(20\): failure\. Its end:\n…line 462\n/);
  expect(first!.text).toMatch(/line 499\nFAIL a\.test\.ts\n##\[error\]exit code 1$/);
  expect(others).toEqual([
    { key: "check:lint", text: "check lint: timed_out" },
    { key: "check:quality", text: "check quality: failure. Its end:\n3 smells\nin a.ts" },
    { key: "check:deploy/preview", text: "check deploy/preview: error. Its end:\nno space" },
  ]);
  for (const { text } of answer.findings) expect(answer.message).toContain(text);
  expect(await ask(), "another process gives the same answer").toEqual(answer);
  expect(world.server.asked.some(({ path }) => path.startsWith("/blobs/"))).toBe(true);
});

it("a check that ran again is another answer, and the log of one that cannot be had keeps nothing back", async () => {
  const { ci, run, ask } = await built();
  run("test", "failure", { log: "boom" });
  const before = await ask();
  expect(before.findings[0]!.text).toContain("boom");
  ci.runs.length = 0;
  ci.blobsGone = true;
  run("test", "failure", { log: "boom" });
  const after = await ask();
  expect(after.findings).toEqual([{ key: "check:test", text: "check test: failure" }]);
  expect(after.id).not.toBe(before.id);
});

it("a workflow that is none has no job, and fails; two checks of one name are two findings", async () => {
  const { suite, run, ask } = await built();
  suite("github-actions", "completed", "startup_failure");
  run("build", "failure", { log: "one" });
  run("build", "failure", { log: "two" });
  expect((await ask()).findings).toEqual([
    { key: "check:build", text: "check build: failure. Its end:\none" },
    { key: "check:build:2", text: "check build: failure. Its end:\ntwo" },
    { key: "check:GitHub Actions", text: "check GitHub Actions: startup_failure" },
  ]);
});

it("a failure on the second page counts, what did not change costs no rate, and a limit ends the round", async () => {
  const { world, run, ask } = await built({ perPage: 2 });
  for (const name of ["a", "b", "c"]) run(name, "success");
  const late = run("d", "failure", { log: null });
  const signals = gitHubCi(world.options);
  expect(await ask(signals)).toMatchObject({ status: "rejected", findings: [{ key: "check:d" }] });
  late.conclusion = "success";
  expect(await ask(signals)).toMatchObject({ status: "approved" });
  const { left } = world.server.rate;
  await ask(signals);
  expect(world.server.rate.left).toBe(left);
  world.server.rate.left = 0;
  late.conclusion = "failure";
  const at = { ...question("task-1"), signal: "ci-green", pr: `${world.server.url}/acme/shop/pull/1` };
  const { seen, againAfterMs } = await signals.ask([at], permit);
  expect(seen).toEqual([]);
  expect(againAfterMs).toBeGreaterThan(3_000_000);
});
