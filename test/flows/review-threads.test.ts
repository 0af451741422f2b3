import { expect, test } from "vitest";
import type { Finding } from "../../src/domain/task.ts";
import { gitHubProject, gitLabProject, hurried } from "../support/far-project.ts";
import { hasRun, runFile, start, WORKER } from "../support/project.ts";

const config = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: review, on_fail: implement}
    review: {run: signal pr-approved, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
const project = { config, tasks: { "task-1": "Do it" }, files: { "agents/work.sh": WORKER } };
interface Spoken {
  body: string;
  resolved?: boolean;
}

const onGitHub = async () => {
  const made = await gitHubProject(project);
  const { state } = made.server;
  const pull = () => state.pulls[0]!;
  const review = (
    verdict: "APPROVED" | "COMMENTED",
    lines: readonly { path: string; line: number; body: string }[],
  ) => {
    const one = { id: state.id(), user: "lead", association: "MEMBER", state: verdict, body: "", at: state.now() };
    pull().reviews.push({ ...one, sha: pull().sha, lines });
  };
  const comment = (path: string, said: readonly [number, string][]): readonly Spoken[] => {
    const lines = said.map(([line, body]) => ({ path, line, body }));
    review("COMMENTED", lines);
    return lines;
  };
  return { ...made, comment, approve: () => review("APPROVED", []) };
};

const onGitLab = async () => {
  const made = await gitLabProject(project);
  const { state } = made.server;
  state.project.members.set("lead", 40);
  const comment = (path: string, said: readonly [number, string][]): readonly Spoken[] => {
    const notes = said.map(([line, body]) => ({
      ...{ id: state.id(), user: "lead", at: state.now(), body },
      position: { new_path: path, new_line: line },
    }));
    state.requests[0]!.notes.push(...notes);
    return notes;
  };
  return { ...made, comment, approve: () => void state.requests[0]!.approvals.push({ user: "lead", at: state.now() }) };
};

const shown = (findings: readonly Finding[]) =>
  findings.map(({ text, file, line, state }) => [text, file, line, state]);

test.each([
  ["GitHub", onGitHub],
  ["GitLab", onGitLab],
] as const)("on %s what is said at lines goes to the worker once, and is over when it is resolved", async (_, make) => {
  const { repo, state, server, comment, approve } = await make();
  const looks = () => server.asked.filter(({ path }) => /graphql$|discussions/.test(path)).length;
  const run = await start(repo, { wrap: hurried });
  void run.run();
  const asked = (visit: number, of = run) =>
    of.fact("asking-started", "task-1", (fact) => {
      const entered = of.facts.findIndex((one) => one.kind === "phase-entered" && one.visit === visit);
      return entered >= 0 && of.facts.indexOf(fact) > entered;
    });
  await asked(2);
  const [first, second] = comment("a.ts", [
    [3, "off by one"],
    [9, "name it"],
  ]);
  await asked(4);
  expect(shown(run.task("task-1").findings)).toEqual([
    ["off by one", "a.ts", 3, "open"],
    ["name it", "a.ts", 9, "open"],
  ]);
  const prompt = runFile(state, "task-1", "03-implement-a1", "prompt.md");
  for (const part of ["a.ts:3", "off by one", "name it"]) expect(prompt).toContain(part);
  expect(
    run.facts.filter(({ kind }) => kind === "signal-answered"),
    "one message",
  ).toHaveLength(1);
  await run.stop();

  // both are open still, as they were; the next processor says nothing of them until one is edited
  const next = await start(repo, { wrap: hurried });
  void next.run();
  const before = looks();
  await expect.poll(() => looks() - before, { timeout: 20_000 }).toBeGreaterThan(3);
  expect(next.task("task-1")).toMatchObject({ visit: 4, round: 1, doing: { kind: "asking" } });
  second!.body = "name it twice";
  first!.resolved = true;
  await asked(6, next);
  expect(shown(next.task("task-1").findings)).toEqual([
    ["off by one", "a.ts", 3, "fixed"],
    ["name it twice", "a.ts", 9, "open"],
  ]);
  expect(next.task("task-1").round).toBe(2);

  approve();
  await next.fact("task-completed", "task-1");
  expect(shown(next.task("task-1").findings).map(([, , , is]) => is)).toEqual(["fixed", "fixed"]);
  expect(hasRun(state, "task-1", "07-implement-a1")).toBe(false);
});
