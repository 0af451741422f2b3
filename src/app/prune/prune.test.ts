import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../../test/support/command-line.ts";
import { git, repository, scratch, write } from "../../../test/support/scratch.ts";
import { aSeed, aTask, aTick, at } from "../../../test/support/ticks.ts";
import { openReader, openStore } from "../../adapters/store/index.ts";
import type { Commit, Instant, TaskId } from "../../domain/names.ts";
import type { Task } from "../../domain/task.ts";

const OLD = new Date("2026-01-01T00:00:00Z");

/** A repository with worktrees and runs of each kind, and the store that knows of them. */
async function stage() {
  const { repo } = repository({ "a.txt": "a\n", "pawl.yaml": "agents: {default: {command: git status}}\n" });
  const merged = git(repo, "rev-parse", "HEAD") as Commit;
  const worktrees = join(repo, ".pawl/worktrees");
  for (const id of ["task-1", "task-2", "task-3", "task-4", "task-5"])
    git(repo, "worktree", "add", "-q", "-b", `pawl/${id}`, join(worktrees, id));
  write(join(worktrees, "task-2"), { "notes.txt": "not committed\n" });
  git(join(worktrees, "task-5"), "commit", "-q", "--allow-empty", "-m", "nothing new");
  write(join(worktrees, "task-5"), { "b.txt": "b\n" });
  git(join(worktrees, "task-5"), "add", "b.txt");
  git(join(worktrees, "task-5"), "commit", "-q", "-m", "only here");
  mkdirSync(join(worktrees, "mine"));
  for (const run of ["task-1/01-implement-a1", "task-1/02-verify-a1", "task-3/01-implement-a1", "other/01-x-a1"]) {
    const file = join(repo, ".pawl/runs", run, "leg-1/output.log");
    write(repo, { [`.pawl/runs/${run}/leg-1/output.log`]: "x".repeat(1_000) });
    if (run.includes("02-")) continue;
    for (const path of [file, join(file, ".."), join(file, "../..")]) utimesSync(path, OLD, OLD);
  }
  const done = (id: string): Task => aTask(id, { status: "completed", merged, synced: true });
  const rows = [done("task-1"), done("task-2"), aTask("task-3"), aTask("task-4", { status: "failed" }), done("task-5")];
  const store = await openStore(join(repo, ".pawl/store.db"), { create: true });
  const got = await store.lease({ pid: process.pid, host: "here", now: at(1) });
  if (!("lease" in got)) throw new Error("held");
  await store.commit(got.lease.epoch, aTick(1, { rows, seeds: [aSeed("task-9")] }));
  await got.lease.release();
  return { repo, worktrees, store };
}

describe("pawl prune", () => {
  test("takes what is merged, clean and old, after it was told to; names what stays, and why", async () => {
    const { repo, worktrees, store } = await stage();
    const dry = await commandLine(repo, ["prune", "--dry"]);
    expect(dry).toMatchObject({ code: 0, err: "" });
    for (const line of [
      /^would go {2}worktree {2}task-1 {2}\S+ B +merged as [0-9a-f]{7}$/m,
      /^would go {2}runs {6}task-1 {2}1\.0 kB +1 run folder$/m,
      /^kept +worktree +mine +no task of this store has that name$/m,
      /^kept +worktree +task-2 .* holds 1 files that are not committed$/m,
      /^kept +worktree +task-3 +the task is in-progress$/m,
      /^kept +worktree +task-4 +the task failed, and its work may be there alone$/m,
      /^kept +worktree +task-5 .* which holds more than /m,
      /^kept +runs +other +no task of this store has that name$/m,
      /^kept +runs +task-3 +the task is in-progress$/m,
    ])
      expect(dry.out).toMatch(line);
    expect((await commandLine(repo, ["prune"])).err).toContain("say it with --yes.");
    expect(existsSync(join(worktrees, "task-1"))).toBe(true);

    const held = await store.lease({ pid: process.pid, host: "here", now: at(2) });
    expect((await commandLine(repo, ["prune", "--yes"])).err).toContain("error[STORE_HELD]");
    if ("lease" in held) await held.lease.release();
    await store.close();

    const { code, out } = await commandLine(repo, ["prune", "--yes", "--json"]);
    expect(code).toBe(0);
    const said = JSON.parse(out);
    expect(said.removed.map(({ kind, task }: { kind: string; task: string }) => `${kind} ${task}`)).toEqual([
      "worktree task-1",
      "runs task-1",
    ]);
    expect(said.bytes).toBeGreaterThan(1_000);
    expect(existsSync(join(worktrees, "task-1"))).toBe(false);
    for (const id of ["task-2", "task-3", "task-4", "task-5", "mine"])
      expect(existsSync(join(worktrees, id))).toBe(true);
    expect(git(repo, "branch", "--list", "pawl/task-1")).toBe("");
    expect(existsSync(join(repo, ".pawl/runs/task-1/01-implement-a1"))).toBe(false);
    for (const run of ["task-1/02-verify-a1", "task-3/01-implement-a1", "other/01-x-a1"])
      expect(existsSync(join(repo, ".pawl/runs", run))).toBe(true);
    const again = await commandLine(repo, ["prune"]);
    expect([again.code, again.out.split("\n").at(-2)]).toEqual([0, "nothing can go"]);
  });
});

describe("pawl store", () => {
  test("check looks at all of it, backup copies it while somebody holds it, and writes over nothing", async () => {
    const { repo, store } = await stage();
    const held = await store.lease({ pid: process.pid, host: "here", now: Date.now() as Instant });
    expect("lease" in held).toBe(true);
    expect((await commandLine(repo, ["store", "check"])).out).toMatch(
      /store\.db is whole: format \d+, 1 tick, 6 tasks, /,
    );
    const file = join(scratch(), "copy.db");
    const backup = await commandLine(repo, ["store", "backup", file]);
    expect(backup).toMatchObject({ code: 0, out: expect.stringContaining(`wrote   ${file}: format`) });
    const again = await commandLine(repo, ["store", "backup", file]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("error[BACKUP_EXISTS]")]);
    const nowhere = await commandLine(repo, ["store", "backup", "no/such/folder/copy.db"]);
    expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("error[BACKUP_FAILED]")]);
    expect(nowhere.err).toContain("no/such/folder/copy.db cannot be written: ENOENT");
    await store.close();
    const copy = await openReader(file);
    expect((await copy.task("task-1" as TaskId))?.status).toBe("completed");
    await copy.close();

    const bytes = readFileSync(file);
    bytes.fill(0xff, 8_192, 12_288);
    writeFileSync(file, bytes);
    const broken = await commandLine(repo, ["store", "check", "--store", file]);
    expect([broken.code, broken.err]).toEqual([3, expect.stringContaining("error[STORE_CORRUPT]")]);
    const server = await commandLine(repo, ["store", "backup", "x", "--store", "postgres://h/d"]);
    expect([server.code, server.err]).toEqual([3, expect.stringContaining("pg_dump")]);
    for (const args of [
      ["store", "mend"],
      ["store", "backup"],
    ])
      expect((await commandLine(repo, args)).err).toContain("pawl store check  |  pawl store backup FILE");
  });
});
