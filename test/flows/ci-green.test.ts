import { expect, test } from "vitest";
import type { Finding } from "../../src/domain/task.ts";
import { gitHubProject, gitLabProject, hurried } from "../support/far-project.ts";
import { hasRun, runFile, start, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";

const config = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: checks, on_fail: implement}
    checks: {run: signal ci-green, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
const project = { config, tasks: { "task-1": "Do it" }, files: { "agents/work.sh": WORKER } };
/** name of a check -> what it printed; null: it passed */
type Built = Readonly<Record<string, string | null>>;

const onGitHub = async () => {
  const made = await gitHubProject(project);
  const { ci, id } = made.server.state;
  const built = (sha: string, checks: Built) => {
    const suite = { id: id(), sha, app: "github-actions", status: "completed", conclusion: "success" };
    ci.suites.push(suite);
    for (const [name, log] of Object.entries(checks)) {
      const of = { id: id(), name, sha, suite: suite.id, app: suite.app, status: "completed" };
      ci.runs.push({ ...of, conclusion: log === null ? "success" : "failure", log });
    }
  };
  return { ...made, built };
};

const onGitLab = async () => {
  const made = await gitLabProject(project);
  const { pipelines, id } = made.server.state;
  const built = (sha: string, checks: Built) => {
    const jobs = Object.entries(checks).map(([name, trace]) =>
      trace === null ? { id: id(), name, status: "success" } : { id: id(), name, status: "failed", trace },
    );
    const status = jobs.every((job) => job.status === "success") ? "success" : "failed";
    pipelines.push({ id: id(), sha, ref: "pawl/task-1", status, jobs });
  };
  return { ...made, built };
};

const states = (findings: readonly Finding[]) => findings.map(({ key, state }) => [key, state]);

test.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)(
  "on %s a red check goes back to the worker with its name and log, and green ones merge",
  async (_, make) => {
    const { repo, origin, state, built } = await make();
    const run = await start(repo, { wrap: hurried });
    void run.run();
    const asked = async (visit: number) => {
      await run.fact(
        "asking-started",
        "task-1",
        (fact) => fact.signal === "ci-green" && run.task("task-1").visit === visit,
      );
      return run.task("task-1").head!;
    };
    built(await asked(2), { lint: "a.ts:3 no-var", test: "1 of 7 failed" });
    const second = await asked(4);
    const prompt = runFile(state, "task-1", "03-implement-a1", "prompt.md");
    for (const part of ["check lint", "a.ts:3 no-var", "check test", "1 of 7 failed"]) expect(prompt).toContain(part);

    built(second, { lint: null, test: "2 of 7 failed" });
    const third = await asked(6);
    expect(states(run.task("task-1").findings), "lint is green, and said so").toEqual([
      ["check:lint", "fixed"],
      ["check:test", "open"],
    ]);
    expect(runFile(state, "task-1", "05-implement-a1", "prompt.md")).not.toContain("no-var");

    built(third, { lint: null, test: null });
    const landed = await run.fact("merge-landed", "task-1");
    await run.fact("task-completed", "task-1");
    expect(git(origin, "rev-parse", "main")).toBe(landed.commit);
    expect(run.task("task-1").round).toBe(2);
    expect(states(run.task("task-1").findings)).toEqual([
      ["check:lint", "fixed"],
      ["check:test", "fixed"],
    ]);
    expect(hasRun(state, "task-1", "07-implement-a1")).toBe(false);
  },
);
