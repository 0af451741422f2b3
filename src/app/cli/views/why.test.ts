import { describe, expect, it } from "vitest";
import { ago, asciiInk, NOW, plainInk, row, type SceneOf, sceneOf, seed } from "../../../../test/support/scenes.ts";
import type {
  BlobHash,
  Commit,
  EffectKey,
  HostName,
  Instant,
  LegKey,
  PhaseName,
  TaskId,
} from "../../../domain/names.ts";
import type { Finding, Running, Task, WaitCode, Waiting } from "../../../domain/task.ts";
import { whyLine, whyLines, whyOf } from "./why.ts";

const HEAD = "9be21f0c00000000000000000000000000000000" as Commit;
const later = (minutes: number): Instant => (NOW + minutes * 60_000) as Instant;

const lines = (id: string, of: SceneOf): readonly string[] => {
  const scene = sceneOf(of);
  return whyLines(whyOf(scene.tasks.find((task) => task.id === id)!, scene), scene, plainInk);
};
/** the three lines below the labels, of task-003 */
const told = (of: SceneOf): readonly string[] =>
  lines("task-003", of)
    .slice(1)
    .map((line) => line.trim());
const waiting = (code: WaitCode, reason: string, change: Partial<Waiting> = {}): Task =>
  row("task-003", "Search by colour", {
    doing: { kind: "waiting", on: { code, owner: "human", reason, since: ago(1_320), until: null, ...change } },
  });
const running = (change: Partial<Running> = {}): Running => ({
  kind: "running",
  purpose: "agent",
  leg: "task-003/3/2.1" as LegKey,
  host: "birch" as HostName,
  since: ago(242),
  deadline: later(23),
  ended: false,
  verdictSince: null,
  unseen: null,
  stopping: null,
  ...change,
});
const asking = (phase: string, signal: string): Task =>
  row("task-003", "Search by colour", {
    phase: phase as PhaseName,
    round: 1,
    head: HEAD,
    change: { commits: 2, files: 3, added: 84, deleted: 12, patchId: null },
    waitingSince: ago(1_320),
    doing: { kind: "asking", signal, since: ago(1_320) },
  });

describe("pawl why", () => {
  it("says for a gate what to look at, since when, when it escalates, and the two answers", () => {
    expect(lines("task-003", { rows: [asking("await-review", "human-approval")] })).toEqual([
      "task-003  await-review, round 1",
      "  waits for  you: human-approval of 9be21f0 (2 commits, 3 files, +84 -12), since 09:31 (22m)",
      "  looked at  when you answer; escalates to ask-owner in 2d23h",
      '  next       pawl show task-003 --diff; pawl approve task-003 | pawl reject task-003 -m "…"',
    ]);
  });
  it("says for a worker what it does and when it showed life", () => {
    const sight = {
      pid: 4188,
      lastSign: ago(8),
      progress: { status: "implementing", percent: 62, activity: "tool call: \u001b[31medit" },
      ended: false,
    };
    const task = row("task-003", "Search", { round: 1, attempt: 2, doing: running() });
    expect(lines("task-003", { rows: [task], sights: { "task-003": sight } })).toEqual([
      "task-003  implement, round 1, attempt 2",
      "  waits for  its worker: implementing 62 %, pid 4188, last sign of life 8s ago (tool call: edit)",
      "  looked at  when it reports; the attempt ends at 10:16 (23m)",
      "  next       pawl logs task-003 -f",
    ]);
  });
  it("says after how much silence a worker counts as stalled", () => {
    const sight = { pid: 4188, lastSign: ago(8), progress: null, ended: false, stallMs: 600_000 };
    const of = { rows: [row("task-003", "Search", { doing: running() })], sights: { "task-003": sight } };
    expect(told(of)[1]).toBe(
      "looked at  when it reports; stalls after 10m of silence; the attempt ends at 10:16 (23m)",
    );
  });
  it("says since when something fails again and again, not since the last time", () => {
    const task = waiting("base-dirty", "main has changes: a.txt", { since: ago(4), until: later(1) });
    expect(told({ rows: [{ ...task, infraSince: ago(1_320) }] })[0]).toContain("since 09:31 (22m)");
  });
  it("says when a worker has ended and nobody has read how", () => {
    const sights = { "task-003": { pid: null, lastSign: ago(8), progress: null, ended: true } };
    expect(told({ rows: [row("task-003", "Search", { doing: running() })], sights, quiet: true })).toEqual([
      "waits for  its worker: it has ended; how is read at the next tick",
      "looked at  at the next tick; nobody ticks just now",
      "next       pawl run",
    ]);
  });
  it("names the failed task at the root of a chain", () => {
    const failed = row("task-001", "Read", { status: "failed", why: "exceeded max rounds (50 of 50)" });
    const seeds = [seed("task-002", "Write", ["task-001"]), seed("task-003", "Search", ["task-002"])];
    expect(lines("task-003", { rows: [failed], seeds })).toEqual([
      "task-003  not-started, cannot start",
      "  waits for  you: task-001 (failed: exceeded max rounds (50 of 50)) -> task-002 (not-started) ->",
      "             task-003",
      "  looked at  when task-001 moves",
      "  next       pawl show task-001; pawl retry task-001, or edit deps of task-002",
    ]);
  });
  it("says when nobody ticks", () => {
    expect(told({ seeds: [seed("task-003", "Search")], quiet: true })).toEqual([
      "waits for  a free slot: it starts at the next tick",
      "looked at  at the next tick; nobody ticks just now",
      "next       pawl run",
    ]);
  });
  it("is ASCII alone where nothing else can be shown", () => {
    const scene = sceneOf({ rows: [asking("await-review", "human-approval")] });
    expect(whyLines(whyOf(scene.tasks[0]!, scene), scene, asciiInk).join("\n")).toMatch(/^[\n\x20-\x7e]*$/);
  });
  it("answers for each of a backlog of thousands in one chain, soon", () => {
    const seeds = Array.from({ length: 2_000 }, (_, i) => seed(`task-${i}`, "x", i === 0 ? [] : [`task-${i - 1}`]));
    const scene = sceneOf({ seeds });
    expect(scene.tasks.map((task) => whyOf(task, scene).code).filter((code) => code === "deps")).toHaveLength(1_999);
  });
  it("wraps what is longer than a line, and cuts nothing", () => {
    const shown = lines("task-003", {
      rows: [waiting("blocked", `BLOCKED: ${"the API key of the shop is missing ".repeat(6)}`)],
    });
    expect(shown.every((line) => line.length <= 100)).toBe(true);
    expect(shown.join(" ").match(/missing/g)).toHaveLength(6);
  });

  const done = row("task-001", "Read", { status: "completed", merged: HEAD, head: HEAD });
  const other = row("task-002", "Write", { doing: { ...running({ leg: "task-002/1/1.1" as LegKey }) } });
  const landing = row("task-002", "Write", {
    phase: "merge" as PhaseName,
    head: HEAD,
    pr: "pawl://pr/2",
    ready: true,
    entered: ago(500),
    doing: running({ purpose: "check", leg: "task-002/1/1.1" as LegKey }),
  });
  const finding = {
    id: "x",
    label: "F2",
    text: "no test",
    source: "verify",
    state: "open",
    seen: 3,
    reopened: 0,
    firstRound: 0,
    lastRound: 2,
  } as Finding;
  const rows: readonly (readonly [string, SceneOf, string, string, string])[] = [
    [
      "a draft",
      { seeds: [seed("task-003", "Search", [], { draft: true })] },
      "nobody: a draft is listed, and never started",
      "when the file changes",
      'take "draft: true" out of the file of task-003',
    ],
    [
      "a dependency at work",
      { rows: [other], seeds: [seed("task-003", "Search", ["task-002"])] },
      "its dependencies: task-002 (in-progress)",
      "when task-002 moves, or its merge is seen in the base",
      "nothing to do; pawl why task-002",
    ],
    [
      "a merge that is not in the base yet",
      { rows: [done], seeds: [seed("task-003", "Search", ["task-001"])] },
      "its dependencies: task-001: completed, but its merge is not yet in main",
      "when task-001 moves, or its merge is seen in the base",
      "nothing to do; pawl why task-001",
    ],
    [
      "a dependency that nobody wrote",
      { seeds: [seed("task-003", "Search", ["task-009"])] },
      "you: cannot start: no task is called task-009",
      "when that task is there",
      "write task-009, or take it out of deps of task-003",
    ],
    [
      "no map",
      { seeds: [seed("task-003", "Search")], maps: {} },
      "you: its phase map default is not there",
      "when the file changes",
      "pawl validate",
    ],
    [
      "a full house",
      { rows: [other], seeds: [seed("task-003", "Search")], limits: { maxWorkers: 1 } },
      "a free slot: 1 of 1 workers are at work",
      "when a worker ends",
      "nothing to do; more at once: pawl run --workers N",
    ],
    [
      "a place in the merge queue",
      {
        rows: [
          landing,
          row("task-003", "Search", {
            phase: "merge" as PhaseName,
            head: HEAD,
            published: HEAD,
            pr: "pawl://pr/3",
            ready: true,
          }),
        ],
      },
      "the merge queue: behind task-002 on main, place 2",
      "when task-002 has ended its work there",
      "nothing to do; pawl why task-002",
    ],
    [
      "an effect under way",
      {
        rows: [
          row("task-003", "Search", {
            doing: {
              kind: "effect",
              since: ago(2),
              intent: {
                kind: "open-pr",
                key: "k" as EffectKey,
                task: "task-003" as TaskId,
                branch: "b",
                base: "main",
                head: HEAD,
                title: "t",
                body: "h" as BlobHash,
              },
            },
          }),
        ],
      },
      "an effect: open-pr is under way, since 09:53 (2s)",
      "when it ends, within a minute or two",
      "nothing to do",
    ],
    [
      "a signal of a command",
      { rows: [asking("window", "deploy-window")] },
      "its command: deploy-window of 9be21f0 (2 commits, 3 files, +84 -12), since 09:31 (22m)",
      "each time its command has run",
      "nothing to do",
    ],
    [
      "a run that cannot be seen",
      { rows: [row("task-003", "Search", { doing: running({ unseen: "its driver cannot be asked" }) })] },
      "the host: its run cannot be seen: its driver cannot be asked, since 09:49 (4m)",
      "as often as its host can be asked; the attempt ends at 10:16 (23m)",
      "nothing to do; if it stays so: pawl doctor",
    ],
    [
      "a rate limit",
      { rows: [waiting("rate-limited", "anthropic: rate limit", { owner: "provider", until: later(12) })] },
      "the provider: anthropic: rate limit, until 10:05 (12m); no round, no crash counted, since 09:31 (22m)",
      "10:05 (12m)",
      "nothing to do; or name another agent in pawl.yaml, then pawl retry task-003",
    ],
    [
      "BLOCKED",
      { rows: [waiting("blocked", "BLOCKED: no key")] },
      "you: BLOCKED: no key, since 09:31 (22m)",
      "when you act",
      "pawl show task-003; pawl logs task-003; when what blocks it is gone: pawl retry task-003",
    ],
    [
      "a budget of its own",
      { rows: [waiting("budget", "budget of the task is used up: spawns; pawl extend task-003")] },
      "you: budget of the task is used up: spawns, since 09:31 (22m)",
      "when you act",
      "pawl extend task-003 --spawns 5",
    ],
    [
      "the budget of all",
      {
        rows: [waiting("backlog-budget", "budget of the backlog is used up: money; raise it in pawl.yaml")],
      },
      "you: budget of the backlog is used up: money, since 09:31 (22m)",
      "when pawl.yaml changes",
      "raise budgets.backlog in pawl.yaml; it goes on by itself",
    ],
    [
      "a finding that goes in circles",
      { rows: [{ ...waiting("findings", "finding F2 is open for 3 rounds in a row: no test"), findings: [finding] }] },
      "you: finding F2 is open for 3 rounds in a row: no test, since 09:31 (22m)",
      "when you act",
      'pawl show task-003 --findings; pawl waive task-003 F2 -m "…" | pawl retry task-003',
    ],
    [
      "too many conflicts",
      { rows: [waiting("conflicts", "5 of 5 merge conflicts and moved heads")] },
      "you: 5 of 5 merge conflicts and moved heads, since 09:31 (22m)",
      "when you act",
      "pawl logs task-003; pawl retry task-003",
    ],
    [
      "a branch of somebody else's in the way of the task's",
      {
        rows: [
          waiting(
            "effect",
            "spawn: branch pawl/task-003 cannot be made beside a branch called pawl: rename that one (git branch -m pawl NEWNAME)",
            {
              until: later(1),
            },
          ),
        ],
      },
      "you: spawn: branch pawl/task-003 cannot be made beside a branch called pawl: rename that one (git branch -m pawl NEWNAME), since 09:31 (22m)",
      "09:54 (1m)",
      "git branch -m pawl NEWNAME; it goes on by itself (at once: pawl retry task-003)",
    ],
    [
      "a branch of the task's name that somebody else made",
      {
        rows: [
          waiting(
            "effect",
            "spawn: there is a branch pawl/task-003 already, at 9be21f0, with commits that no run of task-003 made: rename or delete it",
            {
              until: later(1),
            },
          ),
        ],
      },
      "you: spawn: there is a branch pawl/task-003 already, at 9be21f0, with commits that no run of task-003 made: rename or delete it, since 09:31 (22m)",
      "09:54 (1m)",
      "git branch -m pawl/task-003 NEWNAME; it goes on by itself (at once: pawl retry task-003)",
    ],
    [
      "a script that nobody committed",
      {
        rows: [
          waiting(
            "setup",
            'agent.sh is not committed on main, so that it is not in the worktree: git add agent.sh && git commit -m "Add agent.sh"\nits command could not be started (exit 127)',
            { owner: "host", until: later(1) },
          ),
        ],
      },
      'the host: agent.sh is not committed on main, so that it is not in the worktree: git add agent.sh && git commit -m "Add agent.sh" its command could not be started (exit 127), since 09:31 (22m)',
      "09:54 (1m)",
      'git add agent.sh && git commit -m "Add agent.sh"; pawl retry task-003',
    ],
    [
      "an agent's command that cannot be started",
      { rows: [waiting("setup", "fix-it cannot be started: ENOENT", { owner: "host", until: later(1) })] },
      "the host: fix-it cannot be started: ENOENT, since 09:31 (22m)",
      "09:54 (1m)",
      "see the command of its agent in pawl.yaml; pawl logs task-003; pawl retry task-003",
    ],
    [
      "a checkout of the base that is behind its own branch",
      {
        rows: [
          waiting("base-dirty", "main is behind; to bring them forward: git -C /shop read-tree -m -u abc HEAD", {
            until: later(1),
          }),
        ],
      },
      "you: main is behind; to bring them forward: git -C /shop read-tree -m -u abc HEAD, since 09:31 (22m)",
      "09:54 (1m)",
      "git -C /shop read-tree -m -u abc HEAD; it goes on by itself",
    ],
    [
      "a setup that fails",
      { rows: [waiting("setup", "npm ci: exit 1", { owner: "host", until: later(1) })] },
      "the host: npm ci: exit 1, since 09:31 (22m)",
      "09:54 (1m)",
      "see worktree.setup in pawl.yaml; pawl logs task-003; pawl retry task-003",
    ],
    [
      "an agent that is not installed",
      {
        rows: [
          waiting("setup", "the agent cannot begin: gemini cannot be started: spawn gemini ENOENT", { owner: "host" }),
        ],
      },
      "the host: the agent cannot begin: gemini cannot be started: spawn gemini ENOENT, since 09:31 (22m)",
      "when you act",
      "npm install -g @google/gemini-cli; pawl retry task-003",
    ],
    [
      "a quota",
      { rows: [waiting("quota", "quota used up: 402")] },
      "you: quota used up: 402, since 09:31 (22m)",
      "when you act",
      "pay for more, or name another agent in pawl.yaml; then pawl retry task-003",
    ],
    [
      "a host that is held",
      { rows: [waiting("host", "no space left (again and again since the first time; held)")] },
      "you: no space left (again and again since the first time; held), since 09:31 (22m)",
      "when you act",
      "pawl doctor; pawl retry task-003",
    ],
    [
      "a credential",
      { rows: [waiting("auth", "the key was refused")] },
      "you: the key was refused, since 09:31 (22m)",
      "when you act",
      "give its agent the credential it needs, then pawl retry task-003",
    ],
    [
      "a pull request closed by hand",
      { rows: [waiting("pr-closed", "pr 3 was closed")] },
      "you: pr 3 was closed, since 09:31 (22m)",
      "when you act",
      'pawl retry task-003 (opens a new one) | pawl cancel task-003 -m "…"',
    ],
    [
      "a dirty base",
      { rows: [waiting("base-dirty", "main has changes: a.txt", { until: later(1) })] },
      "you: main has changes: a.txt, since 09:31 (22m)",
      "09:54 (1m)",
      "commit what is changed in the checkout of main; it goes on by itself",
    ],
    [
      "a base that is gone",
      { rows: [waiting("base-gone", "there is no main")] },
      "you: there is no main, since 09:31 (22m)",
      "when you act",
      "git branch main COMMIT, then pawl retry task-003",
    ],
    [
      "an action that waits",
      { rows: [waiting("action-wait", "deploy: exit 75", { owner: "processor", until: later(5) })] },
      "the processor: deploy: exit 75, since 09:31 (22m)",
      "09:58 (5m)",
      "nothing to do",
    ],
    [
      "an action whose end is not known",
      { rows: [waiting("action-unknown", "it is not known whether deploy happened")] },
      "you: it is not known whether deploy happened, since 09:31 (22m)",
      "when you act",
      "see whether it happened; pawl retry task-003 runs it again",
    ],
    [
      "a forge that is asked again",
      { rows: [waiting("effect", "publish: later", { owner: "forge", until: later(1) })] },
      "an effect: publish: later, since 09:31 (22m)",
      "09:54 (1m)",
      "nothing to do",
    ],
    [
      "what the forge refused",
      { rows: [waiting("denied", "protected branch")] },
      "you: protected branch, since 09:31 (22m)",
      "when you act",
      "put right what was refused, then pawl retry task-003",
    ],
    [
      "a phase that its map lost",
      { rows: [waiting("no-phase", "its map has no phase implement")] },
      "you: its map has no phase implement, since 09:31 (22m)",
      "when you act",
      "give its map the phase implement again, or pawl retry task-003 --from PHASE",
    ],
    [
      "many runs that ended at once",
      { rows: [waiting("mass-end", "6 of 8 runs ended unseen")] },
      "you: 6 of 8 runs ended unseen, since 09:31 (22m)",
      "when you act",
      "pawl logs task-003; pawl retry task-003",
    ],
    [
      "a cancelled task, for which nobody waits",
      { rows: [row("task-003", "Search", { status: "failed", why: "cancelled by lead: not needed" })] },
      "nobody: cancelled by lead: not needed",
      "when you retry it",
      "nothing to do; pawl retry task-003 opens it again",
    ],
    [
      "a failed task",
      { rows: [row("task-003", "Search", { status: "failed", why: "worker crashed 3 times in a row: exit 137" })] },
      "you: failed: worker crashed 3 times in a row: exit 137",
      "when you retry it",
      "pawl show task-003; pawl retry task-003",
    ],
    [
      "a completed task",
      {
        rows: [
          row("task-003", "Search", {
            status: "completed",
            phase: null,
            merged: HEAD,
            synced: true,
            pr: "pawl://pr/3",
          }),
        ],
      },
      "nobody: completed, 9be21f0, pr 3",
      "never again",
      "nothing to do; pawl show task-003",
    ],
  ];
  it.each(rows)("tells %s", (_name, of, waits, looked, next) => {
    const text = told(of).join(" ").replace(/ +/g, " ");
    expect(text).toBe(`waits for ${waits} looked at ${looked} next ${next}`);
  });
  it("is one line a task when no task is named", () => {
    const scene = sceneOf({ rows: [asking("await-review", "human-approval")] });
    expect(whyLine(whyOf(scene.tasks[0]!, scene), scene)).toBe(
      "task-003  await-review, round 1: you: human-approval of 9be21f0 (2 commits, 3 files, +84 -12), since 09:31 (22m)",
    );
  });
});
