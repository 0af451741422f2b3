import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { later } from "../support/later.ts";
import { ask, project, runFile, start } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";

const AUTO = (more = "") => `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement, on_conflict: resolve}
    resolve: {run: agent implementer, on_pass: merge, on_fail: resolve}
${more}`;
/** writes its task's name into one shared line; merges the base and takes both sides when that conflicts */
const SHARED = `#!/bin/sh -e
if [ "$PAWL_PHASE" = resolve ]; then
  git merge -q "$PAWL_MERGE" || true
  printf 'task-1 task-2\\n' > shared.txt
  git add shared.txt
  git commit -qm "Take both"
else
  echo "$PAWL_TASK" > shared.txt
  git add shared.txt
  git commit -qm "Say $PAWL_TASK"
  while [ ! -e "$PAWL_RUN_DIR/../../go" ]; do sleep 0.05; done
fi
printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"
`;
const OWN = `#!/bin/sh -e
echo "$PAWL_TASK" > "$PAWL_TASK.txt"
git add "$PAWL_TASK.txt"
git commit -qm "Say $PAWL_TASK"
printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"
`;
const GATED = `agents: {implementer: {command: agents/work.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: review, on_fail: implement}
    review: {run: signal human-approval, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: hold, on_fail: ready}
    hold: {run: action hold, on_pass: merge, on_fail: hold}
    merge: {run: action merge, on_pass: done, on_fail: implement}
actions: {hold: {command: "test -e $PAWL_RUN_DIR/../../go || exit 75", idempotent: true}}
`;

/** After so long a base that was dirty is looked at again. */
const TEN_SECONDS = 10_000;

describe("merging", () => {
  test("a merge conflict goes to on_conflict without a round, its files named in the next prompt", async () => {
    const { repo, origin, state } = project({
      config: AUTO(),
      tasks: { "task-1": "One", "task-2": "Two" },
      files: { "agents/work.sh": SHARED, "shared.txt": "nothing\n" },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("worker-spawned", "task-1");
    await run.fact("worker-spawned", "task-2");
    writeFileSync(`${state}/runs/go`, "");
    const conflict = await run.fact("phase-entered", undefined, (fact) => fact.cause === "CONFLICT");
    expect(conflict).toMatchObject({ phase: "resolve", round: 0 });
    const loser = conflict.task;
    await run.fact("task-completed", loser);
    const name = `${String(conflict.visit).padStart(2, "0")}-resolve-a1`;
    expect(runFile(state, loser, name, "prompt.md")).toContain("shared.txt");
    expect(run.task(loser)).toMatchObject({ round: 0, counts: { conflicts: 1 }, status: "completed" });
    expect(git(origin, "show", "main:shared.txt")).toBe("task-1 task-2");
    expect(git(origin, "rev-list", "--count", "--first-parent", "main")).toBe("4");
  });

  test("a resolver that leaves the conflict as it is has not passed: the finding names the commit to merge", async () => {
    const lazy = SHARED.replace(
      "= resolve ]; then",
      '= resolve ] && [ "$PAWL_ROUND" = 0 ]; then :\nelif [ "$PAWL_PHASE" = resolve ]; then',
    );
    const { repo, origin, state } = project({
      config: AUTO(),
      tasks: { "task-1": "One", "task-2": "Two" },
      files: { "agents/work.sh": lazy, "shared.txt": "nothing\n" },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("worker-spawned", "task-1");
    await run.fact("worker-spawned", "task-2");
    writeFileSync(`${state}/runs/go`, "");
    const { task } = await run.fact("phase-entered", undefined, (fact) => fact.cause === "CONFLICT");
    const back = await run.fact("phase-entered", task, (fact) => fact.cause === "RETRY");
    expect(back).toMatchObject({ phase: "resolve", round: 1 });
    const tip = git(origin, "rev-parse", "main").slice(0, 12);
    expect(run.task(task).findings.map(({ text }) => text)).toContain(
      `shared.txt still conflicts with main: git merge ${tip}`,
    );
    await run.fact("task-completed", task);
    expect(git(origin, "show", "main:shared.txt")).toBe("task-1 task-2");
    expect(run.task(task).counts.conflicts, "a lazy worker is no further conflict").toBe(1);
  });

  test("what somebody pushes while a person is asked is verified before the person can approve it", async () => {
    const config = `agents: {implementer: {command: agents/work.sh}, verifier: {command: agents/verify.sh}}
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: verify, on_fail: implement}
    verify: {run: agent verifier, on_pass: review, on_fail: implement}
    review: {run: signal human-approval, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
    const verify = `#!/bin/sh
if [ -e bad.txt ]; then
  printf '{"verdict":"FAIL","detail":"bad","findings":[{"text":"bad.txt is bad","file":"bad.txt"}],"complete":true}' > "$PAWL_RUN_DIR/verdict.json"
else
  printf '{"verdict":"PASS","complete":true}' > "$PAWL_RUN_DIR/verdict.json"
fi
`;
    const work = OWN.replace('echo "$PAWL_TASK" >', 'git rm -q bad.txt || true\necho "$PAWL_TASK" >>');
    const { repo, origin, state } = project({
      config,
      tasks: { "task-1": "One" },
      files: {
        "agents/work.sh": work,
        "agents/verify.sh": verify,
        "roles/verifier.md": "---\ncheckout: clean\n---\nVerify\n",
      },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("asking-started", "task-1");
    const clone = `${repo}/../clone`;
    git(`${repo}/..`, "clone", "-q", origin, clone);
    git(clone, "switch", "-q", "pawl/task-1");
    write(clone, { "bad.txt": "bad\n" });
    git(clone, "add", "--all");
    git(clone, "commit", "-q", "-m", "Late");
    git(clone, "push", "-q", "origin", "pawl/task-1");
    const back = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "BACK");
    expect(back).toMatchObject({ phase: "verify", round: 0 });
    expect(run.task("task-1").change).toMatchObject({ commits: 2, files: 2 });
    await run.fact("phase-entered", "task-1", (fact) => fact.cause === "RETRY" && fact.phase === "implement");
    await run.fact("asking-started", "task-1", (fact) => fact.at > back.at);
    write(state, { "inbox/task-1.approve": "fine now" });
    await run.fact("task-completed", "task-1");
    expect(git(origin, "ls-tree", "--name-only", "main").split("\n")).not.toContain("bad.txt");
  });

  test("a new pull request at merge is marked ready first, where the map has a phase for that", async () => {
    const { repo, origin } = project({ config: AUTO(), tasks: { "task-1": "One" }, files: { "agents/work.sh": OWN } });
    // main has been made to reject pushes, so that the task stops at merge with a pull request to close
    write(origin, { "hooks/update": '#!/bin/sh\n[ "$1" != refs/heads/main ] || [ -e ok ]\n' });
    chmodSync(`${origin}/hooks/update`, 0o755);
    const run = await start(repo);
    void run.run();
    await run.fact("task-waiting", "task-1", (fact) => fact.on.code === "denied");
    git(origin, "update-ref", "-d", `refs/pawl/pr/${run.task("task-1").pr!.split("/").at(-1)}`);
    await run.fact("pr-lost", "task-1");
    writeFileSync(`${origin}/ok`, "");
    await ask(run, "task-1", { do: "retry", from: null });
    const back = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "BACK");
    expect(back).toMatchObject({ phase: "ready", round: 0 });
    await run.fact("task-completed", "task-1");
  });

  test("a check that fails on the merge candidate keeps the merge from landing", async () => {
    const config = AUTO().replace(
      "on_conflict: resolve}",
      'on_conflict: resolve, check: "grep -q good *.txt || { echo no good; exit 1; }"}',
    );
    const work = OWN.replace(
      'echo "$PAWL_TASK" >',
      'if [ "$PAWL_ROUND" = 0 ]; then word=bad; else word=good; fi; echo "$word" >',
    );
    const { repo, origin } = project({ config, tasks: { "task-1": "One" }, files: { "agents/work.sh": work } });
    const run = await start(repo);
    void run.run();
    const retried = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "RETRY");
    expect(retried).toMatchObject({ phase: "implement", round: 1 });
    expect(run.task("task-1").findings[0]?.text).toMatch(/check of the merge .* exited 1: no good/);
    expect(git(origin, "rev-list", "--count", "main")).toBe("2");
    await run.fact("task-completed", "task-1");
    expect(git(origin, "show", "main:task-1.txt")).toBe("good");
  });

  test("a push onto the branch voids the approval and leads back to the gate", async () => {
    const { repo, origin, state } = project({
      config: GATED,
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": OWN },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("asking-started", "task-1");
    write(state, { "inbox/task-1.approve": "fine" });
    await run.fact("task-waiting", "task-1", (fact) => fact.on.code === "action-wait");
    const clone = `${repo}/../clone`;
    git(`${repo}/..`, "clone", "-q", origin, clone);
    git(clone, "switch", "-q", "pawl/task-1");
    write(clone, { "late.txt": "late\n" });
    git(clone, "add", "--all");
    git(clone, "commit", "-q", "-m", "Late");
    git(clone, "push", "-q", "origin", "pawl/task-1");
    const back = await run.fact("phase-entered", "task-1", (fact) => fact.cause === "VOID");
    expect(back).toMatchObject({ phase: "review", round: 0 });
    await run.fact("asking-started", "task-1", (fact) => fact.at >= back.at);
    expect(run.task("task-1")).toMatchObject({
      head: git(clone, "rev-parse", "HEAD"),
      approvals: [],
      counts: { conflicts: 1 },
    });
    write(state, { "inbox/task-1.approve": "fine with the late one", "runs/go": "" });
    await run.fact("task-completed", "task-1");
    expect(git(origin, "show", "main:late.txt")).toBe("late");
  });

  test.each(["--ff-only", "--no-ff", "--squash"])(
    "a branch that a person merged with %s while nobody looked completes its task, and nobody is paid again",
    async (how) => {
      const { repo } = project({
        config: AUTO(),
        tasks: { "task-1": "One" },
        files: { "agents/work.sh": OWN },
        origin: false,
      });
      write(repo, { "README.md": "dirty\n" });
      git(repo, "switch", "-q", "-c", "elsewhere");
      git(repo, "commit", "-q", "-am", "Mine");
      git(repo, "switch", "-q", "main");
      write(repo, { "task-1.txt": "in the way\n" });
      const first = await start(repo);
      void first.run();
      await first.fact("task-waiting", "task-1", (fact) => fact.on.code === "base-dirty");
      await first.stop();
      rmSync(`${repo}/task-1.txt`);
      git(repo, "merge", "-q", how, ...(how === "--no-ff" ? ["-m", "By hand"] : []), "pawl/task-1");
      if (how === "--squash") git(repo, "commit", "-q", "-m", "By hand, as one");
      const merged = git(repo, "rev-parse", "main");
      const second = await start(repo, { wrap: later(TEN_SECONDS) });
      await second.run();
      expect(second.task("task-1")).toMatchObject({ status: "completed", merged, round: 0 });
      expect(git(repo, "rev-parse", "main")).toBe(merged);
      expect(second.facts.filter(({ kind }) => kind === "worker-spawned")).toEqual([]);
    },
  );

  test("a pull request that a person merged by hand completes its task; one closed by hand is held", async () => {
    const { repo, origin } = project({
      config: GATED,
      tasks: { "task-1": "One", "task-2": "Two" },
      files: { "agents/work.sh": OWN },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("asking-started", "task-1");
    await run.fact("asking-started", "task-2");
    const clone = `${repo}/../clone`;
    git(`${repo}/..`, "clone", "-q", origin, clone);
    git(clone, "merge", "-q", "--no-ff", "-m", "By hand", "origin/pawl/task-1");
    git(clone, "push", "-q", "origin", "main");
    const { commit } = await run.fact("merge-landed", "task-1");
    expect(git(origin, "merge-base", "--is-ancestor", commit, "main")).toBe("");
    await run.fact("task-completed", "task-1");
    const number = run.task("task-2").pr!.split("/").at(-1);
    git(origin, "update-ref", "-d", `refs/pawl/pr/${number}`);
    const held = await run.fact("task-waiting", "task-2");
    expect(held.on).toMatchObject({
      code: "pr-closed",
      owner: "human",
      reason: expect.stringContaining("closed by hand"),
    });
  });

  test("NO_CHANGE with a reason completes a task without a pull request", async () => {
    const none = `#!/bin/sh -e\nprintf '{"verdict":"NO_CHANGE","detail":"renamed already"}' > "$PAWL_RUN_DIR/verdict.json"\n`;
    const { repo, origin } = project({ config: AUTO(), tasks: { "task-1": "One" }, files: { "agents/work.sh": none } });
    const run = await start(repo);
    void run.run();
    const done = await run.fact("task-completed", "task-1");
    expect(done.evidence).toBe("no change: renamed already");
    expect(git(origin, "for-each-ref", "refs/pawl/pr")).toBe("");
  });

  test("without an origin the repository is the forge; a dirty checkout of the base waits for its owner and loses nothing", async () => {
    const { repo } = project({
      config: AUTO(),
      tasks: { "task-1": "One" },
      files: { "agents/work.sh": OWN },
      origin: false,
    });
    write(repo, { "README.md": "changed by its owner\n" });
    const run = await start(repo);
    void run.run("terminal");
    const waiting = await run.fact("task-waiting", "task-1", (fact) => fact.on.code === "base-dirty");
    expect(waiting.on).toMatchObject({ owner: "human", reason: expect.stringContaining("README.md") });
    expect(git(repo, "status", "--porcelain")).toContain("M README.md");
    git(repo, "checkout", "--", "README.md");
    await run.fact("task-completed", "task-1", () => true, 30_000);
    expect(git(repo, "show", "main:task-1.txt")).toBe("task-1");
    expect(git(repo, "status", "--porcelain")).toBe("");
  });
});
