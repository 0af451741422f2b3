import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runtimeContract } from "../../../test/contracts/runtime.contract.ts";
import { endsOf, house, permit, until, type Wanted, worker } from "../../../test/support/host.ts";
import { git } from "../../../test/support/scratch.ts";
import type { RunEnd } from "../../domain/input.ts";
import { createHost } from "./host.ts";

const SPENDS = `printf '{"cost_usd":0.5}' >"$PAWL_RUN_DIR/usage.json"; until [ -e "$GO" ]; do sleep 0.05; done`;

runtimeContract("host", async () => {
  const { repo, parts, runtime, order } = await house();
  const near = (name: string) => join(dirname(repo), name);
  const how: Record<string, Wanted> = {
    passes: {},
    waits: { program: { command: worker("waits") } },
    "exit-7": { purpose: "action", program: { command: "exit 7", verdict: "exit" } },
    spends: { program: { command: SPENDS }, reserve: { microUsd: 10_000, tokens: 0, wallMs: 0, spawns: 1 } },
  };
  return {
    runtime,
    another: () => createHost(parts),
    order: (task, kind) => order({ task, ...how[kind] }),
    release: () => writeFileSync(near("go"), ""),
    starts: () => (existsSync(near("started")) ? readFileSync(near("started"), "utf8").trim().split("\n").length : 0),
  };
});

describe("a worker that behaves", () => {
  it("works in a worktree of its own, and its work is committed by name and pinned", async () => {
    const { repo, parts, through } = await house();
    const end = await through({});
    expect(end).toMatchObject({
      how: "verdict",
      verdict: "PASS",
      findings: [],
      usage: { microUsd: 250_000, tokens: 1200, spawns: 1 },
      usageKnown: true,
      change: { commits: 1, files: 1, added: 1, deleted: 0 },
    });
    expect(end.head).toBe(git(repo, "rev-parse", "pawl/task-1"));
    expect(git(repo, "rev-parse", "refs/pawl/run/task-1/1/1")).toBe(end.head);
    expect(git(repo, "log", "-1", "--format=%B", "pawl/task-1").trim()).toBe("Work of task-1\n\nPawl-Run: task-1/1/1");
    expect(existsSync(join(parts.worktreeRoot, "task-1", "src/a.txt"))).toBe(true);
    const patchId = git(repo, "-c", "alias.p=!git diff main pawl/task-1 | git patch-id --stable", "p");
    expect(end.change?.patchId).toBe(patchId.split(" ")[0]);
  });

  it("finds its names, its prompt, a pawl and nothing else in its environment", async () => {
    process.env.SECRET_OF_THE_HOUSE = "do not tell";
    const { repo, parts, through } = await house();
    const command = 'env >"$PAWL_RUN_DIR/env"; cat >"$PAWL_RUN_DIR/stdin"; pawl verdict "a b" >"$PAWL_RUN_DIR/said"';
    await through({ program: { command, prompt: "stdin", env: { MODEL: "m" } } });
    delete process.env.SECRET_OF_THE_HOUSE;
    const runDir = join(parts.state, "runs/task-1/01-implement-a1");
    const read = (name: string) => readFileSync(join(runDir, name), "utf8");
    const env = Object.fromEntries(
      read("env")
        .trim()
        .split("\n")
        .map((line) => [line.split("=")[0], line]),
    );
    expect(env).toMatchObject({
      PAWL_TASK: "PAWL_TASK=task-1",
      PAWL_LEG: "PAWL_LEG=task-1/1/1.1",
      PAWL_RUN_DIR: `PAWL_RUN_DIR=${runDir}`,
      PAWL_WORKTREE: `PAWL_WORKTREE=${join(repo, ".pawl/worktrees/task-1")}`,
      PAWL_ROLE: "PAWL_ROLE=implementer",
      PAWL_BASE: "PAWL_BASE=main",
      PAWL_KEY: "PAWL_KEY=task-1/1",
      MODEL: "MODEL=m",
    });
    expect(Object.keys(env).filter((name) => /SECRET|PAWL_DRIVER|PAWL_RESUME|NODE|VITEST/.test(name))).toEqual([]);
    expect(read("stdin")).toBe("Do task-1.\n");
    expect(read("said").trim()).toBe('["verdict","a b"]');
    expect(JSON.parse(read("assignment.json"))).toMatchObject({
      leg: "task-1/1/1.1",
      worktree: join(repo, ".pawl/worktrees/task-1"),
    });
  });

  it("is given more time by an EXTEND message", async () => {
    const { runtime, order, ended } = await house();
    const wanted = order({ wallMs: 3_000, program: { command: "sleep 3.6; exit 5" } });
    await runtime.spawn(wanted, permit());
    const message = Buffer.from('{"message_type":"EXTEND","minutes":1}');
    await runtime.deliver(wanted.wish.leg, "001-EXTEND.json", message, permit());
    await ended(wanted.wish.leg);
    expect(await runtime.reap(wanted.wish.leg, permit())).toMatchObject({
      detail: expect.stringContaining("(exit 5)"),
    });
  });
});

const NOT_COMMITTED =
  /^agent\.sh is not committed on main, so that it is not in the worktree: git add agent\.sh && git commit -m "Add agent\.sh"\n/;

describe("what an agent's end means", () => {
  const CHANGE = "echo x >>src/a.txt";
  const rows: readonly (readonly [string, Wanted, object])[] = [
    [
      "exit 0 with work is PASS by the exit code rule",
      { program: { command: CHANGE, verdict: "exit_code" } },
      { verdict: "PASS" },
    ],
    [
      "exit 0 without work is FAIL by the exit code rule",
      { program: { command: "true", verdict: "exit_code" } },
      { verdict: "FAIL", detail: "nothing changed; say NO_CHANGE with a reason" },
    ],
    [
      "another exit is FAIL with the end of the output, without terminal codes",
      { program: { command: "printf 'a\\n\\033[31mred\\033[0m\\n'; exit 2", verdict: "exit_code" } },
      { verdict: "FAIL", detail: "exit 2\na\nred" },
    ],
    [
      "the last line counts by the last line rule",
      { program: { command: "echo thinking; echo 'BLOCKED: no key'", verdict: "last_line" } },
      { verdict: "BLOCKED", detail: "no key" },
    ],
    [
      "no word in the last line is a crash",
      { program: { command: "echo PASS; echo bye", verdict: "last_line" } },
      { how: "no-verdict" },
    ],
    [
      "NO_CHANGE with commits ahead is FAIL",
      { program: { command: `${CHANGE}; echo 'NO_CHANGE it was right'`, verdict: "last_line" } },
      { verdict: "FAIL", detail: "said NO_CHANGE, and 1 commit is ahead of the base" },
    ],
    [
      "NO_CHANGE without is NO_CHANGE",
      { program: { command: "echo 'NO_CHANGE it was right'", verdict: "last_line" } },
      { verdict: "NO_CHANGE", detail: "it was right" },
    ],
    [
      "a program that is not there is no fault of a worker",
      { program: { command: ["no-such-program-anywhere"] } },
      { how: "setup", detail: expect.stringContaining("no-such-program-anywhere cannot be started") },
    ],
    [
      "a merge left unfinished is FAIL",
      {
        program: {
          verdict: "exit_code",
          command: `git checkout -q -b o; ${CHANGE}; git commit -qam o; git checkout -q -; git merge -q --no-ff --no-commit o`,
        },
      },
      { verdict: "FAIL", detail: expect.stringContaining("a merge was left unfinished") },
    ],
    [
      "work on a branch of its own is taken to the task's",
      {
        program: { command: `git checkout -q -b other; ${CHANGE}; git commit -qam o; ${CHANGE}`, verdict: "exit_code" },
      },
      { verdict: "PASS", change: { commits: 2, files: 1 } },
    ],
    [
      "work on no branch, and with the task's renamed, is too",
      {
        program: {
          command: `git branch -m x; git checkout -q --detach; ${CHANGE}; git commit -qam o`,
          verdict: "exit_code",
        },
      },
      { verdict: "PASS", change: { commits: 1 } },
    ],
    [
      "work on a branch that others made is FAIL",
      {
        program: {
          command: `git branch theirs $(git commit-tree -p HEAD -m t HEAD^{tree}); git switch -q theirs; ${CHANGE}`,
          verdict: "exit_code",
        },
      },
      {
        verdict: "FAIL",
        detail: expect.stringMatching(/was switched to branch theirs, and not .*: commit on pawl\/task-\d/),
      },
    ],
    [
      "a command that is not there is no fault of a worker",
      { program: { command: "./not-committed.sh" } },
      {
        how: "setup",
        detail: expect.stringMatching(/could not be started \(exit 127\).*holds what is committed\n.*not-committed.sh/),
      },
    ],
    ...[
      ["started by itself", "./agent.sh"],
      ["given to a shell", "sh ./agent.sh"],
      ["as a list", ["./agent.sh"]],
      ["as a list for a shell", ["sh", "agent.sh", "--all"]],
    ].map(
      ([how, command]) =>
        [
          `a script of the checkout that is not committed is named, with what to type: ${how}`,
          { program: { command: command!, verdict: "exit_code" } },
          { how: "setup", detail: expect.stringMatching(NOT_COMMITTED) },
        ] as const,
    ),
    [
      "a script of setup that is not committed is named too",
      { brief: { setup: "./agent.sh" } },
      { how: "setup", detail: expect.stringMatching(NOT_COMMITTED) },
    ],
    [
      "a command that may not be executed is none either",
      { program: { command: "./README.md", verdict: "exit_code" } },
      { how: "setup", detail: expect.stringContaining("could not be started (exit 126)") },
    ],
    [
      "127 after work is a crash",
      { program: { command: `${CHANGE}; exit 127` } },
      { how: "no-verdict", detail: expect.stringContaining("exit 127") },
    ],
    [
      "a worktree that was deleted meanwhile is not the worker's crash",
      { program: { command: 'rm -rf "$PAWL_WORKTREE"; exit 1' } },
      { how: "killed", by: "kill", detail: expect.stringMatching(/its worktree .* was deleted while it worked/) },
    ],
    [
      "a repository within the repository that was committed is FAIL",
      {
        program: {
          command: `git init -q src/in && git -C src/in commit -q --allow-empty -m in && git add src 2>&1 && git commit -qm in`,
          verdict: "exit_code",
        },
      },
      {
        verdict: "FAIL",
        findings: [{ file: "src/in", text: expect.stringContaining("a repository within the repository") }],
      },
    ],
    [
      "a branch that begins anew is FAIL",
      {
        program: {
          command: "git checkout -q --orphan n; git commit -qm n; git branch -qM n pawl/$PAWL_TASK",
          verdict: "exit_code",
        },
      },
      { verdict: "FAIL", detail: expect.stringContaining("no commit in common with main") },
    ],
  ];
  const cases = Object.fromEntries(rows.map(([, wanted], n) => [`task-${n}`, wanted]));
  const { end } = endsOf(cases, { "agent.sh": "#!/bin/sh\n" });
  it.each(rows.map(([title, , wanted], n) => [title, n, wanted] as const))("%s", (_, n, wanted) => {
    expect(end(`task-${n}`)).toMatchObject(wanted);
  });

  it("a hook that refuses the work makes it FAIL, with what the hook said", async () => {
    const { repo, through } = await house();
    writeFileSync(join(repo, ".git/hooks/pre-commit"), "#!/bin/sh\necho 'tabs, not spaces'; exit 1\n", { mode: 0o755 });
    const end = await through({});
    expect(end).toMatchObject({ verdict: "FAIL", detail: expect.stringContaining("tabs, not spaces") });
  });

  it("a hook that takes longer than the time to read an end is waited for, not begun again for ever", async () => {
    const { repo, runtime, order, ended } = await house();
    const text = '#!/bin/sh\necho run >>"$(git rev-parse --git-common-dir)/../../hooks"; sleep 3\n';
    writeFileSync(join(repo, ".git/hooks/pre-commit"), text, { mode: 0o755 });
    const wanted = order({});
    await runtime.spawn(wanted, permit());
    await ended(wanted.wish.leg);
    await expect(runtime.reap(wanted.wish.leg, permit(1_000))).rejects.toThrow();
    expect(await runtime.reap(wanted.wish.leg, permit())).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
    expect(readFileSync(join(dirname(repo), "hooks"), "utf8")).toBe("run\n");
  });

  it("a signature that nobody can give here keeps no work from being committed", async () => {
    const { repo, through } = await house();
    git(repo, "config", "commit.gpgSign", "true");
    git(repo, "config", "gpg.program", "false");
    expect(await through({})).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
  });

  it("leaves alone what git ignores", async () => {
    const { parts, through } = await house();
    const end = await through({ program: { command: "echo x >>src/a.txt; echo l >debug.log", verdict: "exit_code" } });
    expect(end).toMatchObject({ verdict: "PASS", change: { files: 1 } });
    expect(existsSync(join(parts.worktreeRoot, "task-1/debug.log"))).toBe(true);
  });

  it("takes the lock away that a killed git left in the worktree", async () => {
    const { through } = await house();
    const command = 'echo x >>src/a.txt; : >"$(git rev-parse --git-dir)/index.lock"';
    expect(await through({ program: { command, verdict: "exit_code" } })).toMatchObject({ verdict: "PASS" });
  });
});

it("a lock that is old is taken away although somebody stands in the worktree", async () => {
  const { parts, through } = await house();
  const command = 'echo x >>src/a.txt; i="$(git rev-parse --git-dir)/index.lock"; : >"$i"; touch -d "1 hour ago" "$i"';
  await through({ program: { command: "echo x >>src/a.txt; exit 3" } });
  const shell = spawn("sleep", ["300"], { cwd: join(parts.worktreeRoot, "task-1"), stdio: "ignore" });
  onTestFinished(() => void shell.kill("SIGKILL"));
  expect(await through({ visit: 2, program: { command, verdict: "exit_code" } })).toMatchObject({ verdict: "PASS" });
  shell.kill("SIGKILL");
  await once(shell, "exit");
});

it("a verdict may say how many criteria were met; more than there are is refused", async () => {
  const { through } = await house();
  const says = (met: number) =>
    `printf '{"verdict":"NO_CHANGE","detail":"seen","criteria":{"met":${met},"of":2}}' >"$PAWL_RUN_DIR/verdict.json"`;
  expect(await through({ program: { command: says(2) } })).toMatchObject({ criteria: { met: 2, of: 2 } });
  expect(await through({ visit: 2, program: { command: says(3) } })).toMatchObject({ how: "no-verdict" });
});

describe("setup", () => {
  const setup = 'echo once >>"$STARTED"; test ! -e broken';
  it("runs once in a worktree, before the first worker", async () => {
    const { repo, through } = await house();
    await through({ brief: { setup } });
    await through({ visit: 2, brief: { setup } });
    expect(readFileSync(join(dirname(repo), "started"), "utf8")).toBe("once\n");
  });

  it("that fails is no fault of a worker, and runs again", async () => {
    const { repo, through } = await house({ files: { broken: "" } });
    const end = (await through({ brief: { setup: `echo words; ${setup}` } })) as Extract<RunEnd, { how: "setup" }>;
    expect(end).toMatchObject({ how: "setup", detail: "setup ended with exit 1\nwords" });
    await through({ visit: 2, brief: { setup } });
    expect(readFileSync(join(dirname(repo), "started"), "utf8")).toBe("once\nonce\n");
  });
});

describe("a clean checkout", () => {
  it("stands on its commit and is thrown away when it was reaped", async () => {
    const { repo, parts, through } = await house();
    const first = await through({});
    const place = { kind: "clean" as const, commit: first.head!, base: "main" };
    const program = { command: 'cat src/a.txt; echo mess >README.md; pwd >"$STARTED"', verdict: "exit_code" as const };
    const end = await through({ visit: 2, phase: "verify" as never, place, program });
    expect(end).toMatchObject({ verdict: "PASS", head: null, change: null });
    const where = readFileSync(join(dirname(repo), "started"), "utf8").trim();
    expect(where).toBe(join(parts.worktreeRoot, ".clean/task-1-2-1.1"));
    expect(existsSync(where)).toBe(false);
    expect(git(repo, "worktree", "list")).not.toContain(".clean");
    expect(git(repo, "rev-parse", "pawl/task-1")).toBe(first.head);
  });
});

describe("a stop", () => {
  it("for a verdict that lies there and is none leaves a crash, which says what is wrong with it", async () => {
    const { runtime, order } = await house();
    const wanted = order({ program: { command: 'echo "{" >"$PAWL_RUN_DIR/verdict.json"; exec sleep 300' } });
    const { leg } = wanted.wish;
    await runtime.spawn(wanted, permit());
    await until(
      async () => Reflect.get((await runtime.look([leg], permit())).get(leg) ?? {}, "verdictWritten"),
      "seen",
    );
    await runtime.stop(leg, "verdict-written", permit());
    expect(await runtime.reap(leg, permit())).toMatchObject({
      how: "no-verdict",
      detail: expect.stringContaining("not JSON"),
    });
  });

  it("asks first: a worker that hears SIGTERM may still say how far it came", async () => {
    const { runtime, order } = await house();
    const command = `trap 'printf "{\\"verdict\\":\\"FAIL\\",\\"detail\\":\\"half done\\"}" >"$PAWL_RUN_DIR/verdict.json"; exit 0' TERM
      : >"$STARTED"; while :; do sleep 0.05; done`;
    const wanted = order({ program: { command } });
    await runtime.spawn(wanted, permit());
    await until(() => existsSync(wanted.brief.program.env.STARTED ?? ""), "it began");
    await runtime.stop(wanted.wish.leg, "stopped", permit());
    expect(await runtime.reap(wanted.wish.leg, permit())).toMatchObject({ how: "verdict", detail: "half done" });
  });
});
