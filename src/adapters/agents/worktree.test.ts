import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type House, house, permit, until, type Wanted } from "../../../test/support/host.ts";
import { git, write } from "../../../test/support/scratch.ts";
import { impatientGit } from "../../../test/support/test-git.ts";
import type { Place } from "../../domain/intent.ts";
import type { Commit, TaskId } from "../../domain/names.ts";
import { createHost } from "./host.ts";
import { isPath } from "./local-origin.ts";

const place = (over: Partial<Extract<Place, { kind: "worktree" }>> = {}): Place => ({
  kind: "worktree",
  branch: "pawl/task-1",
  base: "main",
  start: null,
  contains: [],
  merge: null,
  ...over,
});
const PASS: Wanted = { program: { command: "echo x >>src/a.txt", verdict: "exit_code" } };
const commit = (at: string, name: string): Commit => {
  write(at, { [name]: name });
  git(at, "add", name);
  git(at, "commit", "-q", "-m", name);
  return git(at, "rev-parse", "HEAD") as Commit;
};
const spawned = (home: House, wanted: Wanted) => home.runtime.spawn(home.order(wanted), permit());

describe("where a new task starts", () => {
  it("is the tip of origin's base, where origin is a path", async () => {
    const home = await house({ origin: true });
    const other = join(home.repo, "../other");
    git(home.repo, "clone", "-q", home.origin!, other);
    const tip = commit(other, "news.txt");
    git(other, "push", "-q", "origin", "main");
    await home.through(PASS);
    expect(git(home.repo, "rev-parse", "pawl/task-1~1")).toBe(tip);
  });

  it.each([
    ["/srv/x.git", true],
    ["../x.git", true],
    ["file:///srv/x.git", true],
    ["https://example.org/x.git", false],
    ["git@example.org:x.git", false],
    ["ssh://example.org/x.git", false],
  ])("%s is a path here: %s", (url, is) => expect(isPath(url)).toBe(is));

  it("is later as long as the base does not hold what a dependency merged", async () => {
    const home = await house();
    git(home.repo, "checkout", "-q", "-b", "dep");
    const dep = commit(home.repo, "dep.txt");
    git(home.repo, "checkout", "-q", "main");
    const wanted = { ...PASS, place: place({ contains: [dep] }) };
    expect(await spawned(home, wanted)).toMatchObject({ kind: "later", detail: expect.stringContaining(dep) });
    expect(git(home.repo, "branch", "--list", "pawl/*")).toBe("");
    git(home.repo, "merge", "-q", "dep");
    expect(await home.through(wanted)).toMatchObject({ verdict: "PASS" });
  });

  it("is refused where there is no base branch, and in a repository without commits", async () => {
    const home = await house();
    const gone = await spawned(home, { place: place({ base: "trunk" }) });
    expect(gone).toMatchObject({ kind: "refused", code: "base-gone" });
    git(home.repo, "update-ref", "-d", "HEAD");
    expect(await spawned(home, {})).toMatchObject({ kind: "refused", code: "base-gone" });
  });
});

describe("a branch or worktree that is there", () => {
  it("is attached to, at the commits that it has", async () => {
    const home = await house();
    git(home.repo, "branch", "pawl/task-1");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
  });

  it("is brought forward to the start where it is behind, and refused where it is not", async () => {
    const home = await house();
    await home.through(PASS);
    const worktree = join(home.parts.worktreeRoot, "task-1");
    const old = git(worktree, "rev-parse", "HEAD");
    const start = commit(worktree, "src/b.txt");
    git(worktree, "reset", "-q", "--hard", old);
    const end = await home.through({ ...PASS, visit: 2, place: place({ start }) });
    expect(end).toMatchObject({ verdict: "PASS", change: { commits: 3 } });
    const refused = await spawned(home, { visit: 3, place: place({ start }) });
    expect(refused).toMatchObject({ kind: "refused", code: "head-moved", actual: end.head });
  });

  it("is refused with the place where somebody else has the branch checked out", async () => {
    const home = await house();
    const elsewhere = join(home.repo, "../elsewhere");
    git(home.repo, "worktree", "add", "-q", "-b", "pawl/task-1", elsewhere);
    const refused = await spawned(home, {});
    expect(refused).toMatchObject({ kind: "later", owner: "human", until: expect.any(Number) });
    const how = `branch pawl/task-1 is checked out in ${elsewhere}; switch that one to another branch: git -C ${elsewhere}`;
    expect(refused).toMatchObject({ detail: expect.stringContaining(how) });
    git(elsewhere, "switch", "-q", "--detach");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
  });

  it("is refused with what to do where that place is gone", async () => {
    const home = await house();
    const elsewhere = join(home.repo, "../elsewhere");
    git(home.repo, "worktree", "add", "-q", "-b", "pawl/task-1", elsewhere);
    rmSync(elsewhere, { recursive: true });
    expect(await spawned(home, {})).toMatchObject({
      owner: "human",
      detail: expect.stringContaining("git worktree prune"),
    });
    git(home.repo, "worktree", "prune");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
  });

  it.each([
    ["pawl", "pawl"],
    ["below it", "pawl/task-1/more"],
  ])("cannot be made beside a branch %s: a person's move, and it goes on when that one is renamed", async (_, name) => {
    const home = await house();
    git(home.repo, "branch", name);
    const refused = await spawned(home, {});
    expect(refused).toMatchObject({ kind: "later", owner: "human", until: expect.any(Number) });
    expect(refused).toMatchObject({ detail: expect.stringContaining(`git branch -m ${name} NEWNAME`) });
    git(home.repo, "branch", "-m", name, "mine");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
  });

  it("cannot be made while its lock is there: the message has its age, and it goes on when it is gone", async () => {
    const home = await house();
    write(home.repo, { ".git/refs/heads/pawl/task-1.lock": "" });
    const lock = join(home.repo, ".git/refs/heads/pawl/task-1.lock");
    utimesSync(lock, Date.now() / 1_000 - 600, Date.now() / 1_000 - 600);
    const runtime = createHost({ ...home.parts, git: impatientGit() });
    const refused = await runtime.spawn(home.order(PASS), permit());
    expect(refused).toMatchObject({
      owner: "human",
      detail: expect.stringContaining(`${lock} is there, 10 minutes old`),
    });
    rmSync(lock);
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
  });

  it("is found again where the repository was moved, with what was not committed", async () => {
    const home = await house();
    await home.through({ program: { command: "echo y >>src/a.txt; exit 3" } });
    const to = join(home.repo, "../moved");
    renameSync(home.repo, to);
    const state = join(to, ".pawl");
    const runtime = createHost({ ...home.parts, repo: to, state, worktreeRoot: join(state, "worktrees") });
    const order = home.order({ ...PASS, visit: 2 });
    expect(await runtime.spawn(order, permit())).toMatchObject({ kind: "done" });
    await home.ended(order.wish.leg, runtime);
    expect(await runtime.reap(order.wish.leg, permit())).toMatchObject({ verdict: "PASS", change: { added: 2 } });
    renameSync(to, home.repo);
  });

  it("is made anew where a worker deleted it", async () => {
    const home = await house();
    await home.through(PASS);
    rmSync(join(home.parts.worktreeRoot, "task-1"), { recursive: true });
    expect(await home.through({ ...PASS, visit: 2 })).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
  });
});

it("a worktree that git cannot make is waited for with git's reason", async () => {
  const home = await house();
  git(home.repo, "config", "filter.no.smudge", "exit 3");
  git(home.repo, "config", "filter.no.required", "true");
  write(home.repo, { ".git/info/attributes": "*.txt filter=no\n" });
  const later = await spawned(home, {});
  expect(later).toMatchObject({
    kind: "later",
    owner: "host",
    detail: expect.stringContaining("smudge filter no failed"),
  });
  rmSync(join(home.repo, ".git/info/attributes"));
  expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
});

describe("a branch of the task's name that somebody else made", () => {
  const theirs = async (home: House) => {
    git(home.repo, "checkout", "-q", "-b", "pawl/task-1");
    const tip = commit(home.repo, "theirs.txt");
    git(home.repo, "checkout", "-q", "main");
    return tip;
  };

  it("is never taken for it: a person renames it, and the task goes on", async () => {
    const home = await house();
    const tip = await theirs(home);
    const refused = await spawned(home, PASS);
    expect(refused).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("rename or delete it"),
    });
    git(home.repo, "branch", "-m", "pawl/task-1", "mine");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
    expect(git(home.repo, "rev-parse", "mine")).toBe(tip);
  });

  it("is gone on from where a person says so, with that very commit", async () => {
    const home = await house();
    await theirs(home);
    const { detail } = (await spawned(home, PASS)) as { detail: string };
    execFileSync("sh", ["-c", /(git update-ref .*)$/.exec(detail)![1]!], { cwd: home.repo });
    const open = { brief: { authorized: ["**"] } };
    expect(await home.through({ ...PASS, ...open })).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
  });

  it.each<[string, (home: House) => void]>([
    ["its log says that Pawl made it", (home) => rmSync(join(home.repo, ".git/refs/pawl"), { recursive: true })],
    ["a run is pinned on it", (home) => git(home.repo, "reflog", "expire", "--expire=all", "pawl/task-1")],
  ])("is not one whose store was lost, because %s", async (_, lose) => {
    const home = await house();
    await home.through(PASS);
    git(home.repo, "worktree", "remove", "--force", join(home.parts.worktreeRoot, "task-1"));
    lose(home);
    expect(await home.through({ ...PASS, visit: 2 })).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
  });
});

describe("what somebody else did to the task's branch", () => {
  const first = { program: { command: "echo x >>src/a.txt", verdict: "exit_code" }, visit: 1 } as const;
  const next = (start: Commit): Wanted => ({ ...first, visit: 2, place: place({ start }) });

  it("is no breach of the worker's bounds, in this run and the next", async () => {
    const home = await house();
    await home.through(first);
    const worktree = join(home.parts.worktreeRoot, "task-1");
    const theirs = commit(worktree, "DOC.md");
    const end = await home.through(next(theirs));
    expect(end).toMatchObject({ verdict: "PASS", change: { files: 2 } });
    const after = await home.through({ ...next(end.head!), visit: 3 });
    expect(after).toMatchObject({ verdict: "PASS" });
    const breach = { command: "echo x >>README.md; git commit -qam Out", verdict: "exit_code" } as const;
    expect(await home.through({ program: breach, visit: 4, place: place({ start: after.head }) })).toMatchObject({
      verdict: "FAIL",
      findings: [{ key: "scope:README.md" }],
    });
  });

  it("is gone on from where they rewrote it, since the run's own commit is kept", async () => {
    const home = await house();
    const end = await home.through(first);
    const worktree = join(home.parts.worktreeRoot, "task-1");
    git(worktree, "commit", "-q", "--amend", "-m", "Amended by a colleague");
    const amended = git(worktree, "rev-parse", "HEAD") as Commit;
    git(worktree, "reset", "-q", "--hard", end.head!);
    expect(await home.through(next(amended))).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
    expect(git(worktree, "rev-parse", "HEAD~1")).toBe(amended);
  });

  it("at origin alone, with work in it, is told before anybody is paid", async () => {
    const home = await house({ origin: true });
    const other = join(home.repo, "../other");
    git(home.repo, "clone", "-q", home.origin!, other);
    git(other, "switch", "-q", "-c", "pawl/task-1");
    commit(other, "done.txt");
    git(other, "push", "-q", "origin", "pawl/task-1");
    expect(await spawned(home, PASS)).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringMatching(/origin has a branch pawl\/task-1 already, at \w{7}, .*push origin --delete/),
    });
    git(other, "push", "-q", "origin", "--delete", "pawl/task-1");
    expect(await home.through(PASS)).toMatchObject({ verdict: "PASS" });
  });
});

describe("a base that was rewritten while a worker was at it", () => {
  const meanwhile = async (home: House, wanted: Wanted, what: (repo: string) => void) => {
    const order = home.order(wanted);
    expect(await home.runtime.spawn(order, permit())).toMatchObject({ kind: "done" });
    what(home.repo);
    writeFileSync(order.brief.program.env.GO!, "");
    await home.ended(order.wish.leg);
    return home.runtime.reap(order.wish.leg, permit());
  };
  const amend = (repo: string) => {
    write(repo, { "README.md": "amended\n" });
    git(repo, "commit", "-q", "-a", "--amend", "-m", "Amended");
  };
  it("is not blamed on the worker", async () => {
    const home = await house();
    write(home.repo, { "pawl.yaml": "protected: yes\n", "README.md": "first\n" });
    git(home.repo, "add", "--all");
    git(home.repo, "commit", "-q", "-m", "Last of main");
    const held = {
      program: { command: "until [ -e $GO ]; do sleep 0.05; done; echo x >>src/a.txt", verdict: "exit_code" },
    } as const;
    const end = await meanwhile(home, held, amend);
    expect(end).toMatchObject({ verdict: "PASS", change: { commits: 1, files: 1 } });
  });
  it("counts again once the worker has merged it", async () => {
    const home = await house();
    write(home.repo, { "README.md": "first\n" });
    git(home.repo, "commit", "-q", "-a", "-m", "Last of main");
    const merges = "until [ -e $GO ]; do sleep 0.05; done; git merge -q -X theirs main; echo x >README.md";
    const end = await meanwhile(home, { program: { command: merges, verdict: "exit_code" } }, amend);
    expect(end).toMatchObject({ verdict: "FAIL", findings: [{ key: "left:README.md" }] });
  });
});

describe("a branch without commits of its own", () => {
  it.each<[string, (home: House) => void]>([
    ["in its worktree", () => {}],
    ["without one", (home) => git(home.repo, "worktree", "remove", "--force", join(home.parts.worktreeRoot, "task-1"))],
  ])("follows the base at its next spawn, %s, and is set up again", async (_, between) => {
    const home = await house();
    const setup = 'echo once >>"$STARTED"';
    const first = await home.through({ program: { command: "./agent.sh", verdict: "exit_code" }, brief: { setup } });
    expect(first).toMatchObject({ how: "setup", change: { commits: 0 } });
    between(home);
    write(home.repo, { "agent.sh": "#!/bin/sh\necho x >>src/a.txt\n" });
    chmodSync(join(home.repo, "agent.sh"), 0o755);
    git(home.repo, "add", "agent.sh");
    git(home.repo, "commit", "-q", "-m", "Agent");
    const again = { visit: 2, program: { command: "./agent.sh", verdict: "exit_code" as const }, brief: { setup } };
    const end = await home.through({ ...again, place: place({ start: first.head }) });
    expect(end).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
    expect(git(home.repo, "rev-parse", "pawl/task-1~1")).toBe(git(home.repo, "rev-parse", "main"));
    expect(readFileSync(join(home.repo, "../started"), "utf8")).toBe("once\nonce\n");
  });

  it("stays where what is not committed is in the way", async () => {
    const home = await house();
    const first = await home.through({ program: { command: "echo y >>src/a.txt; exit 3" } });
    commit(home.repo, "src/a.txt");
    const end = await home.through({ ...PASS, visit: 2, place: place({ start: first.head }) });
    expect(git(home.repo, "rev-parse", "pawl/task-1~1")).toBe(first.head);
    expect(end).toMatchObject({ verdict: "PASS" });
  });
});

describe("a worktree that somebody switched to another branch", () => {
  it("is switched back where nothing is lost by it", async () => {
    const home = await house();
    const { head } = await home.through(PASS);
    const worktree = join(home.parts.worktreeRoot, "task-1");
    git(worktree, "switch", "-q", "-c", "mine", "main");
    const mine = commit(worktree, "mine.txt");
    const end = await home.through({ ...PASS, visit: 2, place: place({ start: head }) });
    expect(end).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
    expect(git(home.repo, "rev-parse", "mine")).toBe(mine);
  });

  it("is left alone where something would be, with what to do, and goes on when that is done", async () => {
    const home = await house();
    const { head } = await home.through(PASS);
    const worktree = join(home.parts.worktreeRoot, "task-1");
    git(worktree, "switch", "-q", "--detach", "main");
    write(worktree, { "mine.txt": "mine" });
    const again = { ...PASS, visit: 2, place: place({ start: head }) };
    const dirty = await spawned(home, again);
    expect(dirty).toMatchObject({
      kind: "later",
      owner: "human",
      detail: expect.stringContaining("not committed: mine.txt"),
    });
    git(worktree, "add", "mine.txt");
    git(worktree, "commit", "-q", "-m", "mine");
    expect(await spawned(home, again)).toMatchObject({
      owner: "human",
      detail: expect.stringContaining("no branch holds"),
    });
    git(worktree, "switch", "-q", "-c", "mine");
    expect(await home.through(again)).toMatchObject({ verdict: "PASS", change: { commits: 2 } });
  });
});

it("files named for it are copied into a worktree, and are nobody's work", async () => {
  const home = await house();
  write(home.repo, { ".env.test": "KEY=1", "certs/a.pem": "pem", "../outside.txt": "no" });
  const copy = [".env.test", "certs", "missing", "../outside.txt"];
  const command = "cat .env.test certs/a.pem && echo x >>src/a.txt && test ! -e ../outside.txt";
  const end = await home.through({ brief: { copy }, program: { command, verdict: "exit_code" } });
  expect(end).toMatchObject({ verdict: "PASS", findings: [], change: { files: 1 } });
});

describe("clean-up", () => {
  const cleanUp = (home: House, merged: Commit) =>
    home.runtime.cleanUp({ id: "task-1" as TaskId, branch: "pawl/task-1", merged }, permit());
  const merge = (home: House): Commit => {
    git(home.repo, "merge", "-q", "--squash", "pawl/task-1");
    git(home.repo, "commit", "-q", "-m", "Squash");
    return git(home.repo, "rev-parse", "HEAD") as Commit;
  };
  const worktree = (home: House) => join(home.parts.worktreeRoot, "task-1");

  it("takes the worktree and the branch of squashed work, ignored and copied files with it, once", async () => {
    const home = await house();
    write(home.repo, { ".env.test": "KEY=1" });
    await home.through({ ...PASS, brief: { copy: [".env.test"] } });
    writeFileSync(join(worktree(home), "x.log"), "ignored");
    const merged = merge(home);
    commit(home.repo, "later.txt");
    expect(await cleanUp(home, merged)).toMatchObject({ kind: "done", found: false });
    expect(existsSync(worktree(home))).toBe(false);
    expect(git(home.repo, "branch", "--list", "pawl/*")).toBe("");
    expect(git(home.repo, "rev-parse", "refs/pawl/run/task-1/1/1")).toMatch(/^[0-9a-f]{40}$/);
    expect(await cleanUp(home, merged)).toMatchObject({ kind: "done", found: true });
  });

  it("takes a worktree with a submodule in it, which setup filled, and keeps one in which work was not committed", async () => {
    const home = await house();
    const lib = join(home.repo, "../lib");
    git(join(home.repo, ".."), "init", "-q", lib);
    commit(lib, "lib.txt");
    const file = ["-c", "protocol.file.allow=always"];
    git(home.repo, ...file, "submodule", "--quiet", "add", lib, "lib");
    git(home.repo, "commit", "-q", "-m", "lib");
    const setup = "git -c protocol.file.allow=always submodule --quiet update --init";
    await home.through({ ...PASS, brief: { setup } });
    const merged = merge(home);
    write(worktree(home), { "lib/mine.txt": "mine" });
    expect(await cleanUp(home, merged)).toMatchObject({ code: "denied", files: ["lib"] });
    rmSync(join(worktree(home), "lib/mine.txt"));
    git(join(worktree(home), "lib"), "switch", "-q", "-c", "mine");
    const mine = commit(join(worktree(home), "lib"), "mine.txt");
    git(join(worktree(home), "lib"), "switch", "-q", "--detach", "mine~1");
    expect(await cleanUp(home, merged)).toMatchObject({
      code: "denied",
      detail: expect.stringContaining(mine.slice(0, 7)),
    });
    git(join(worktree(home), "lib"), "branch", "-D", "-q", "mine");
    expect(await cleanUp(home, merged)).toMatchObject({ kind: "done" });
    expect(existsSync(worktree(home))).toBe(false);
  });

  it.each<[string, (home: House) => void, string]>([
    ["an untracked file", (home) => write(worktree(home), { "new.txt": "mine" }), "1 files that are not committed"],
    ["a changed file", (home) => write(worktree(home), { "README.md": "mine" }), "1 files that are not committed"],
    ["a commit that is not on the base", (home) => void commit(worktree(home), "src/c.txt"), "holds more than"],
  ])("keeps everything for %s", async (_, change, why) => {
    const home = await house();
    await home.through(PASS);
    const merged = merge(home);
    change(home);
    const head = git(worktree(home), "rev-parse", "HEAD");
    expect(await cleanUp(home, merged)).toMatchObject({ code: "denied", detail: expect.stringContaining(why) });
    expect(git(worktree(home), "rev-parse", "pawl/task-1")).toBe(head);
  });

  it("keeps everything for a process that works in there, a user's shell too", async () => {
    const home = await house();
    await home.through(PASS);
    const merged = merge(home);
    const shell = spawn("sleep", ["300"], { cwd: worktree(home), stdio: "ignore" });
    onTestFinished(() => void shell.kill("SIGKILL"));
    await until(() => readFileSync(`/proc/${shell.pid}/comm`, "utf8") === "sleep\n", "it began");
    const detail = `process ${shell.pid} works in ${worktree(home)}`;
    expect(await cleanUp(home, merged)).toMatchObject({ code: "denied", detail });
    expect(existsSync(worktree(home))).toBe(true);
  });

  it("keeps everything for work that was never merged", async () => {
    const home = await house();
    await home.through(PASS);
    const base = execFileSync("git", ["rev-parse", "main"], { cwd: home.repo, encoding: "utf8" }).trim() as Commit;
    expect(await cleanUp(home, base)).toMatchObject({ kind: "refused", code: "denied" });
  });
});

it("a candidate that only origin has is brought here for its checkout", async () => {
  const home = await house({ origin: true });
  const other = join(home.repo, "../other");
  git(home.repo, "clone", "-q", home.origin!, other);
  const candidate = commit(other, "candidate.txt");
  git(other, "push", "-q", "origin", "main:refs/pawl/candidate");
  git(home.origin!, "update-ref", "-d", "refs/pawl/candidate");
  const place = { kind: "clean" as const, commit: candidate, base: "main" };
  const command = "test -e candidate.txt";
  const end = await home.through({ purpose: "check", place, program: { command, verdict: "exit" } });
  expect(end).toMatchObject({ how: "exit", code: 0 });
});
