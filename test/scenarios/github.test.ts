import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitHubProject, hurried } from "../support/far-project.ts";
import { start, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";
import { FORGE_MAP } from "./forge-map.ts";

const files = { "agents/work.sh": WORKER };

test("PRO-9.1 PRO-10.1 PRO-10.2 on GitHub: a draft when first needed, ready by its own step, squash merged", async () => {
  const { repo, origin, server } = await gitHubProject({ config: FORGE_MAP, tasks: { "task-1": "Do it" }, files });
  const run = await start(repo, { wrap: hurried });
  void run.run();
  const opened = await run.fact("pr-opened", "task-1");
  await run.fact("asking-started", "task-1");
  const pull = server.state.pulls[0]!;
  expect(pull).toMatchObject({ draft: true, head: "pawl/task-1", base: "main", sha: run.task("task-1").head });
  shows("PRO-10.1", 1);
  expect(opened.url).toBe(`${server.url}/acme/shop/pull/1`);
  expect(run.task("task-1").pr).toBe(opened.url);
  shows("PRO-10.1", 2);

  const { id, now } = server.state;
  const review = { user: "lead", association: "MEMBER", body: "fine", lines: [] };
  pull.reviews.push({ ...review, id: id(), state: "APPROVED", sha: pull.sha, at: now() });
  const wasDraft = pull.draft;
  await run.fact("pr-readied", "task-1");
  expect([wasDraft, pull.draft]).toEqual([true, false]);
  expect(server.asked.filter(({ path }) => path === "/graphql")).toHaveLength(1);
  shows("PRO-10.2", 1);
  expect(run.facts.findIndex((fact) => fact.kind === "pr-readied")).toBeGreaterThan(
    run.facts.findIndex((fact) => fact.kind === "phase-entered" && fact.phase === "mark-ready"),
  );
  shows("PRO-10.2", 2);

  await run.fact("asking-started", "task-1", (fact) => fact.signal === "label:ship-it");
  pull.labels.add("ship-it");
  pull.events.push({ id: id(), event: "labeled", label: "ship-it", user: "lead", at: now() });
  const landed = await run.fact("merge-landed", "task-1");
  await run.fact("task-completed", "task-1");
  expect(server.asked.filter(({ method, path }) => method === "PUT" && path.endsWith("/pulls/1/merge"))).toHaveLength(
    1,
  );
  expect(pull).toMatchObject({ state: "closed", merged: landed.commit });
  expect(git(origin, "rev-parse", "main")).toBe(landed.commit);
  expect(git(origin, "rev-list", "--parents", "-1", "main").split(" ")).toHaveLength(2);
  expect(git(origin, "show", "main:task-1.txt")).toBe("work on task-1");
  shows("PRO-9.1", 1);
  expect(readFileSync(join(repo, "pawl.yaml"), "utf8").replace(/^forge: .*\n/m, "")).toBe(FORGE_MAP);
  shows("PRO-9.1", 3);
  expect(run.task("task-1").notes).toMatchObject([{ text: "fine", phase: "await-review" }]);
});

test("work that depends on what was merged at GitHub begins with it, though nobody pulled", async () => {
  const config = `agents: {implementer: {command: agents/after.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: mark-ready, on_fail: implement}
    mark-ready: {run: action mark-ready, on_pass: merge, on_fail: mark-ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
  // the second one needs what the first one made
  const after = `${WORKER}\n[ "$PAWL_TASK" = task-1 ] || test -f task-1.txt || pawl verdict fail -m "task-1.txt is not here"\n`;
  const tasks = { "task-1": "First", "task-2": "---\ntitle: Second\ndeps: [task-1]\n---\nThen.\n" };
  const { repo } = await gitHubProject({ config, tasks, files: { "agents/after.sh": after } });
  const before = git(repo, "rev-parse", "main");
  const run = await start(repo, { wrap: hurried });
  void run.run();
  const landed = await run.fact("merge-landed", "task-1");
  await run.fact("task-completed", "task-2", () => true, 50_000);
  expect(run.task("task-2")).toMatchObject({ round: 0, visit: 3 });
  expect(git(repo, "merge-base", "pawl/task-2", landed.commit)).toBe(landed.commit);
  expect(git(repo, "rev-parse", "main")).toBe(before);
});
