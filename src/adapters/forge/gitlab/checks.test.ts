import { expect, it } from "vitest";
import { intents, permit, url } from "../../../../test/contracts/forge.contract.ts";
import { question } from "../../../../test/contracts/signals.contract.ts";
import { commitOn } from "../../../../test/support/commits.ts";
import { gitLabWorld } from "../../../../test/support/gitlab-forge.ts";
import type { Job, Pipeline } from "../../../../test/support/gitlab-server/ci.ts";
import type { Commit, TaskId } from "../../../domain/names.ts";
import { gitLabCi } from "./signals.ts";

/** A merge request of task-1, and pipelines of its head. */
async function built(of: { perPage?: number } = {}) {
  const world = await gitLabWorld(of);
  const head = commitOn(world.repo, (await world.tip("main")) as Commit, { a: "a" });
  await world.move("pawl/task-1", head);
  const open = { ...intents(world.base).open(head), branch: "pawl/task-1", task: "task-1" as TaskId };
  const pr = url(await world.forge.perform(open, "Why", permit));
  const { pipelines, id } = world.server.state;
  const pipeline = (status: string, of: Partial<Pipeline> = {}) => {
    const made: Pipeline = { id: id(), sha: head, ref: "pawl/task-1", status, jobs: [], ...of };
    pipelines.push(made);
    return made;
  };
  const job = (name: string, of: Partial<Job> = {}): Job => ({ id: id(), name, status: "failed", ...of });
  const ask = async (signals = gitLabCi(world.options)) => {
    const { seen } = await signals.ask([{ ...question("task-1", head), signal: "ci-green", pr }], permit);
    return seen[0]!.answer;
  };
  return { world, head, pipeline, job, ask };
}

it("waits while there is no pipeline of this head, and while one runs; the newest of each ref counts", async () => {
  const { head, pipeline, ask } = await built();
  pipeline("success", { sha: "b".repeat(40) });
  expect(await ask()).toMatchObject({ status: "pending", message: expect.stringContaining("there is no check of") });
  pipeline("failed");
  const again = pipeline("running");
  expect(await ask()).toMatchObject({
    status: "pending",
    message: `1 of 1 checks have not ended: pipeline ${again.id} (running)`,
  });
  again.status = "success";
  const merged = pipeline("manual", { ref: "refs/merge-requests/1/head" });
  expect(await ask()).toMatchObject({
    status: "pending",
    message: expect.stringContaining("1 of 2 checks have not ended: "),
  });
  merged.status = "success";
  expect(await ask()).toMatchObject({ status: "approved", head, by: "CI at GitLab" });
});

it("a pipeline that a commit's message skipped approves nothing", async () => {
  const { pipeline, ask } = await built();
  pipeline("skipped");
  expect(await ask()).toMatchObject({ status: "pending", message: expect.stringContaining("were skipped") });
});

it("each job that failed is a finding with the end of its log, but those that may fail", async () => {
  const { head, pipeline, job, ask } = await built({ perPage: 1 });
  const trace =
    "section_start:1700000000:step_script\r\u001b[0K$ npm test\n2026-01-02T03:04:05.123456Z 01O not ok 1\n\u001b[31mERROR: Job failed: exit code 1\u001b[0m\n";
  pipeline("failed", {
    jobs: [
      job("build", { status: "success" }),
      job("flaky", { allow_failure: true }),
      job("test", { failure_reason: "script_failure", trace }),
      job("downstream", { bridge: true }),
    ],
  });
  const answer = await ask();
  const log = "$ npm test\nnot ok 1\nERROR: Job failed: exit code 1";
  expect(answer).toMatchObject({ status: "rejected", head, by: "CI at GitLab" });
  expect(answer.findings).toEqual([
    { key: "check:test", text: `check test: script_failure. Its end:\n${log}` },
    { key: "check:downstream", text: "check downstream: failed" },
  ]);
  expect(answer.message).toContain(log);
  expect(await ask(), "another process gives the same answer").toEqual(answer);
});

it("a pipeline without jobs says why it failed", async () => {
  const { pipeline, ask } = await built();
  const { id } = pipeline("failed", { yaml_errors: "jobs:test config should contain a script" });
  expect((await ask()).findings[0]!.text).toBe(
    `check pipeline ${id}: failed. Its end:\njobs:test config should contain a script`,
  );
});

it("a log that is cut off in the middle is asked for again, and nothing is answered until then", async () => {
  const { world, pipeline, job, ask } = await built();
  pipeline("failed", { jobs: [job("test", { trace: "boom" })] });
  world.server.fault({ path: /\/trace$/, answer: "cut" });
  const signals = gitLabCi(world.options);
  await expect(ask(signals)).rejects.toMatchObject({ code: "FORGE_UNREACHABLE" });
  expect((await ask(signals)).findings[0]!.text).toContain("boom");
});

it("where merged results are built, the pipeline of GitLab's own commit counts, if it is of this head", async () => {
  const { world, head, pipeline, job, ask } = await built({ perPage: 1 });
  const tip = (await world.tip("main"))!;
  const ref = "refs/merge-requests/1/merge";
  pipeline("failed", { ref, sha: "c".repeat(40), parents: [tip, "d".repeat(40)] });
  expect(await ask(), "that of the head before").toMatchObject({
    status: "pending",
    message: expect.stringContaining("there is no check of"),
  });
  const fails = { jobs: [job("test", { failure_reason: "script_failure", trace: "boom" })] };
  pipeline("failed", { ref, sha: "e".repeat(40), parents: [tip, head], ...fails });
  expect(await ask()).toMatchObject({ status: "rejected", head, findings: [{ key: "check:test" }] });
  const again = pipeline("running", { ref, sha: "f".repeat(40), parents: [tip, head] });
  expect(await ask()).toMatchObject({ status: "pending" });
  again.status = "success";
  expect(await ask()).toMatchObject({ status: "approved", head });
});
