import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitLabProject, hurried } from "../support/far-project.ts";
import { isDraft } from "../support/gitlab-server/state.ts";
import { start, WORKER } from "../support/project.ts";
import { git } from "../support/scratch.ts";
import { shows } from "../support/shows.ts";
import { FORGE_MAP } from "./forge-map.ts";

const files = { "agents/work.sh": WORKER };

test("PRO-9.1 PRO-10.1 PRO-10.2 on GitLab: a draft when first needed, ready by its own step, merged as a squash", async () => {
  const { repo, origin, server } = await gitLabProject({ config: FORGE_MAP, tasks: { "task-1": "Do it" }, files });
  const { state } = server;
  state.project.members.set("lead", 40);
  const run = await start(repo, { wrap: hurried });
  void run.run();
  const opened = await run.fact("pr-opened", "task-1");
  await run.fact("asking-started", "task-1");
  const request = state.requests[0]!;
  expect(request).toMatchObject({ source: "pawl/task-1", target: "main", sha: run.task("task-1").head });
  expect(isDraft(request)).toBe(true);
  shows("PRO-10.1", 1);
  expect(opened.url).toBe(`${server.url}/acme/web/shop/-/merge_requests/1`);
  expect(run.task("task-1").pr).toBe(opened.url);
  shows("PRO-10.1", 2);

  request.notes.push({ id: state.id(), user: "lead", body: "fine", at: state.now() });
  request.approvals.push({ user: "lead", at: state.now() });
  const wasDraft = isDraft(request);
  await run.fact("pr-readied", "task-1");
  expect([wasDraft, isDraft(request), request.title]).toEqual([true, false, "task-1"]);
  const titles = server.asked.filter(({ method, path }) => method === "PUT" && path.endsWith("/merge_requests/1"));
  expect(titles).toHaveLength(1);
  shows("PRO-10.2", 1);
  expect(run.facts.findIndex((fact) => fact.kind === "pr-readied")).toBeGreaterThan(
    run.facts.findIndex((fact) => fact.kind === "phase-entered" && fact.phase === "mark-ready"),
  );
  shows("PRO-10.2", 2);

  await run.fact("asking-started", "task-1", (fact) => fact.signal === "label:ship-it");
  request.labels.add("ship-it");
  request.events.push({ id: state.id(), action: "add", label: "ship-it", user: "lead", at: state.now() });
  const landed = await run.fact("merge-landed", "task-1");
  await run.fact("task-completed", "task-1");
  const merges = server.asked.filter(({ method, path }) => method === "PUT" && path.endsWith("/merge"));
  expect(merges).toHaveLength(1);
  expect(request).toMatchObject({ state: "merged", mergeCommit: landed.commit, sha: run.task("task-1").head });
  expect(git(origin, "rev-parse", "main")).toBe(landed.commit);
  // GitLab's usual way: one squash of the branch, behind a merge of it
  expect(git(origin, "rev-parse", "main^2")).toBe(request.squashCommit);
  expect(git(origin, "show", "main:task-1.txt")).toBe("work on task-1");
  shows("PRO-9.1", 2);
  expect(readFileSync(join(repo, "pawl.yaml"), "utf8").replace(/^forge: .*\n/m, "")).toBe(FORGE_MAP);
  shows("PRO-9.1", 3);
  expect(run.task("task-1").notes).toMatchObject([{ text: "fine", phase: "await-review" }]);
});
