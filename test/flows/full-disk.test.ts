import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandLine } from "../support/command-line.ts";
import { suiteNeeding } from "../support/needs.ts";
import { ask, project, start, type Watched } from "../support/project.ts";
import { git, write } from "../support/scratch.ts";
import { mayMount, smallDisk } from "../support/small-disk.ts";

const MS = 60_000;
const CONFIG = `agents: {implementer: {command: agents/work.sh, verdict: last_line}}
store: ../disk/store.db
phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: ready, on_fail: implement}
    ready: {run: action mark-ready, on_pass: merge, on_fail: ready}
    merge: {run: action merge, on_pass: done, on_fail: implement}
`;
/** works, and says so when the file go is there */
const HELD = `#!/bin/sh -e
echo "work on $PAWL_TASK" >> "$PAWL_TASK.txt"
git add "$PAWL_TASK.txt"
git commit -qm "Work on $PAWL_TASK"
while [ ! -e TOP/go ]; do sleep 0.05; done
`;
const SAYS = `${HELD}echo PASS\n`;
const WRITES = `${HELD}printf '{"verdict":"PASS"}' > "$PAWL_RUN_DIR/verdict.json"\n`;

const ASKED = CONFIG.replace("on_pass: merge", "on_pass: review").concat(
  "    review: {run: signal human-approval, on_pass: merge, on_fail: implement}\n",
);

const one = (work: string, config = CONFIG) => {
  const text = work.replace("TOP", '"$(git rev-parse --path-format=absolute --git-common-dir)"/../..');
  const made = project({ config, tasks: { "task-1": "One" }, files: { "agents/work.sh": text } });
  return { ...made, top: join(made.repo, ".."), go: () => writeFileSync(join(made.repo, "../go"), "") };
};

/** The worker is at work, and its driver has written down that it is. Gives its pid. */
async function atWork(run: Watched, state: string): Promise<number> {
  await run.fact("worker-spawned", "task-1", undefined, MS);
  const claim = join(state, "runs/task-1/01-implement-a1/leg-1/claim.json");
  const agent = () => (JSON.parse(readFileSync(claim, "utf8")) as { agent: { pid: number } | null }).agent;
  await expect.poll(() => existsSync(claim) && agent(), { timeout: MS }).toBeTruthy();
  return agent()!.pid;
}

/** Waits for a person who makes room, and would be looked at again by itself. */
async function waitsForRoom(run: Watched, folder: string, phase = "implement"): Promise<void> {
  const isHere = () => run.task("task-1").phase === phase;
  const { on } = await run.fact("task-waiting", "task-1", isHere, MS);
  expect(on).toMatchObject({ owner: "human", until: expect.any(Number) });
  expect(on.reason).toContain(`the disk of ${folder} is full: make room there`);
}

/** Done with one run, and once on the base. */
async function isDoneOnce(run: Watched, origin: string, spawns = 1): Promise<void> {
  await run.fact("task-completed", "task-1", undefined, MS);
  expect(run.task("task-1")).toMatchObject({ round: 0, counts: { crashes: 0 }, ledger: { spent: { spawns } } });
  expect(git(origin, "rev-list", "--count", "main")).toBe("3");
}

suiteNeeding({ right: "the right to mount a disk in memory (root)", works: mayMount() }, "a full disk", () => {
  test("of the store stops the processor, and is no start; the next one goes on with the worker's end", async () => {
    const { repo, state, origin, top, go } = one(SAYS);
    const disk = smallDisk(join(top, "disk"));
    const first = await start(repo);
    const ending = first.run();
    await atWork(first, state);
    disk.fill();
    go();
    await expect(ending).rejects.toMatchObject({
      code: "STORE_FULL",
      message: expect.stringMatching(/^the disk of the store .* is full/),
    });
    await first.stop();
    const refused = await commandLine(repo, ["run"]);
    expect(refused.err).toMatch(/the disk of the store .* is full/);
    expect(refused.code).not.toBe(0);
    disk.makeRoom();
    const second = await start(repo);
    void second.run();
    await isDoneOnce(second, origin);
  });

  test.each([
    ["add", ["add", "Search by colour"], "task-001.md"],
    ["import", ["import", "list.md"], "search-by-colour.md"],
  ])(
    "of the task files is told by pawl %s, which leaves no half of one and works again behind it",
    async (_, words, name) => {
      const { repo } = project({ config: CONFIG, tasks: {}, files: { "list.md": "- [ ] Search by colour\n" } });
      const disk = smallDisk(join(repo, "tasks"));
      disk.fill();
      const full = await commandLine(repo, words);
      expect(full).toMatchObject({
        code: 1,
        err: expect.stringMatching(/error\[FILE_UNUSABLE\] .*: the disk is full/),
      });
      expect(readdirSync(join(repo, "tasks"))).toEqual(["ballast"]);
      disk.makeRoom();
      expect(await commandLine(repo, words)).toMatchObject({ code: 0 });
      expect(readdirSync(join(repo, "tasks"))).toEqual([name]);
    },
  );

  test("of the run folders keeps a worker from starting, with the disk as the reason", async () => {
    const { repo, state, origin, go } = one(SAYS);
    const disk = smallDisk(join(state, "runs"));
    disk.fill();
    go();
    const run = await start(repo);
    void run.run();
    await waitsForRoom(run, join(state, "runs"));
    disk.makeRoom();
    await ask(run, "task-1", { do: "retry", from: null });
    await isDoneOnce(run, origin);
  });

  test("of the run folders at a worker's end holds the end back, and it is read when there is room", async () => {
    const { repo, state, origin, go } = one(SAYS);
    const disk = smallDisk(join(state, "runs"));
    const run = await start(repo);
    void run.run();
    await atWork(run, state);
    disk.fill();
    go();
    const { unseen } = await run.fact("worker-seen", "task-1", (fact) => fact.unseen !== null, MS);
    expect(unseen).toMatch(/the disk of .* is full: its end is kept when there is room/);
    disk.makeRoom();
    await isDoneOnce(run, origin);
  });

  test("of git's objects, when a worker's changes are to be committed, is no finding against it, and costs no round", async () => {
    const leaves = SAYS.replace(/git add.*\n.*commit.*\n/, "");
    const { repo, state, origin, go } = one(leaves);
    const disk = smallDisk(join(repo, ".git/objects"));
    const run = await start(repo);
    void run.run();
    await atWork(run, state);
    disk.fill();
    go();
    await expect
      .poll(() => readFileSync(join(state, "events.jsonl"), "utf8"), { timeout: MS })
      .toMatch(/No space left/);
    disk.makeRoom();
    await isDoneOnce(run, origin);
    expect(run.task("task-1").findings).toEqual([]);
  });

  test("of the run folders that swallowed the verdict is no crash of the worker: it runs again", async () => {
    const { repo, state, origin, go } = one(WRITES);
    const disk = smallDisk(join(state, "runs"));
    const run = await start(repo);
    void run.run();
    const pid = await atWork(run, state);
    disk.fill();
    go();
    await run.fact("worker-seen", "task-1", (fact) => fact.unseen !== null, MS);
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: MS }).toBe(false); // its driver knows
    disk.makeRoom();
    const { end } = await run.fact("worker-ended", "task-1", undefined, MS);
    expect(end).toMatchObject({ how: "killed", detail: expect.stringContaining("disk") });
    await isDoneOnce(run, origin, 2);
  });

  test(
    "of the origin makes publication and merge wait, with the disk as the reason, and the work lands once",
    async () => {
      const { repo, state, origin, go } = one(SAYS, ASKED);
      const disk = smallDisk(origin);
      const run = await start(repo);
      void run.run();
      await atWork(run, state);
      disk.fill();
      go();
      await waitsForRoom(run, origin, "ready");
      disk.makeRoom();
      await ask(run, "task-1", { do: "retry", from: null });
      await run.fact("asking-started", "task-1", undefined, MS);
      disk.fill();
      write(state, { "inbox/task-1.approve": "" });
      await waitsForRoom(run, origin, "merge");
      disk.makeRoom();
      await ask(run, "task-1", { do: "retry", from: null });
      await isDoneOnce(run, origin);
    },
    2 * MS,
  );
});
