import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ago, row, seed } from "../../../../test/support/scenes.ts";
import { git, scratch } from "../../../../test/support/scratch.ts";
import { type Told, toldStore } from "../../../../test/support/told-store.ts";
import type { Commit, HostName, Instant, LegKey, PhaseName } from "../../../domain/names.ts";
import type { Finding, Running, Task } from "../../../domain/task.ts";
import { createSource } from "../../config/source.ts";
import { runProgram } from "../program.ts";

const CLI = resolve("dist/cli.mjs");
interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
const ENV = {
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  LANG: "C.UTF-8",
  TZ: "UTC",
  GIT_CONFIG_GLOBAL: "/dev/null",
};
/** `pawl …` as a process of its own, in a pipe; `heard` is told of its output as it comes. */
const program = (cwd: string, args: readonly string[], heard: (text: string) => void = () => {}): Promise<Said> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      [CLI, ...args],
      { cwd, env: ENV, timeout: 20_000, maxBuffer: 1e8 },
      (error, stdout, stderr) =>
        done({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, stdout, stderr }),
    );
    child.stdout!.on("data", (text: string) => heard(text));
  });
/** The same command line within this process: a fiftieth of the time. */
async function pawl(cwd: string, ...args: string[]): Promise<Said> {
  const out = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof out) => ({ write: (text: string) => (out[name] += text) });
  const streams = { stdout: stream("stdout"), stderr: stream("stderr"), stdin: {} };
  const code = await runProgram(args, { cwd, env: ENV, streams });
  return { code, ...out };
}
const json = <T = Record<string, unknown>>({ stdout }: Said): T => JSON.parse(stdout) as T;

const HEAD = "9be21f0c00000000000000000000000000000000" as Commit;
const asking = (id: string, change: Partial<Task> = {}): Task =>
  row(id, `Work on ${id}`, {
    phase: "await-review" as PhaseName,
    round: 1,
    head: HEAD,
    pr: "pawl://pr/3",
    doing: { kind: "asking", signal: "human-approval", since: ago(60) },
    ...change,
  });
const running = (id: string): Task =>
  row(id, `Work on ${id}`, {
    visit: 3,
    attempt: 1,
    doing: {
      kind: "running",
      purpose: "agent",
      leg: `${id}/3/1.1` as LegKey,
      host: "h" as HostName,
      since: ago(60),
      deadline: (Date.now() + 600_000) as Instant,
      ended: false,
      verdictSince: null,
      unseen: null,
      stopping: null,
    } satisfies Running,
  });
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/;
const F1: Finding = {
  id: "x",
  label: "F1",
  text: "no test",
  source: "verify",
  state: "open",
  seen: 1,
  reopened: 0,
  firstRound: 0,
  lastRound: 0,
};

const put = ({ state }: Told, path: string, text: string): void => {
  const whole = join(state, "runs", path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
};

describe("looking", () => {
  it("status, why and show work with nobody there, and say so", async () => {
    const told = await toldStore({
      rows: [running("task-3"), asking("task-10")],
      seeds: [seed("task-20", "Later", ["task-10"])],
    });
    put(
      told,
      "task-3/03-implement-a1/progress.json",
      '{"status": "implementing", "percent": 62, "activity": "\\u001b[31medit"}',
    );
    put(told, "task-3/03-implement-a1/leg-1/claim.json", '{"agent": {"pid": 4188}}');
    const [status, why, all, show] = await Promise.all([
      program(told.repo, ["status"]),
      pawl(told.repo, "why", "task-3"),
      pawl(told.repo, "why"),
      pawl(told.repo, "show", "task-10", "--json"),
    ]);
    expect(status).toMatchObject({ code: 0, stderr: "" });
    expect(status.stdout).toMatch(/^3 tasks: 2 in-progress, 1 not-started · – · nobody ticks; pawl run\n/);
    expect(status.stdout.match(/^task-\d+/gm)).toEqual(["task-3", "task-10", "task-20"]);
    expect(status.stdout).toMatch(/waiting for you: task-10\n$/);
    expect(why.stdout).toMatch(
      /waits for {2}its worker: implementing 62 %, pid 4188, last sign of life \d+s ago \(edit\)/,
    );
    expect(all.stdout.split("\n").filter((line) => line.startsWith("task-"))).toHaveLength(3);
    expect(json(show)).toMatchObject({
      ok: true,
      task: "task-10",
      code: "asking",
      owner: "human",
      head: HEAD,
      history: [],
    });
  });
  it("names the processor while one is there", async () => {
    const told = await toldStore({ rows: [asking("task-1")] });
    await told.answers();
    expect((await pawl(told.repo, "status")).stdout).toMatch(new RegExp(`pid ${process.pid} ticked \\d+s ago`));
    expect(json(await pawl(told.repo, "status", "--json"))).toMatchObject({
      ok: true,
      processor: { pid: process.pid },
      counts: { "in-progress": 1 },
    });
  });
  it("says which names are near, what is only a file so far, and what to do without a store", async () => {
    const told = await toldStore({
      rows: [asking("task-001")],
      files: { "tasks/search.md": "---\nid: task-002\ntitle: x\n---\n" },
    });
    const unknown = await pawl(told.repo, "why", "task-01");
    expect(unknown).toMatchObject({ code: 6, stdout: "" });
    expect(unknown.stderr).toBe(
      'error[TASK_UNKNOWN] no task is called "task-01"\nnext: write one of these: task-001; pawl status shows all.\n',
    );
    expect((await pawl(told.repo, "show", "task-002")).stderr).toContain(
      "task-002 is only a file so far (tasks/search.md): no processor has read it\nnext: pawl run",
    );
    put(told, "task-001/01-implement-a1/prompt.md", "x");
    rmSync(join(told.state, "store.db"));
    const lines = [
      ["status"],
      ["why"],
      ["approve", "task-001"],
      ["stop"],
      ["run", "--agent", "x"],
      ["run", "--dry", "--agent", "x"],
      ["doctor"],
    ];
    for (const line of lines) {
      const lost = await pawl(told.repo, ...line);
      expect([line, lost.stdout + lost.stderr]).toEqual([
        line,
        expect.stringMatching(/holds runs of an earlier one[\s\S]*next: put the store back; or, to begin anew: mv /),
      ]);
    }
    rmSync(told.state, { recursive: true });
    const none = await pawl(told.repo, "status", "--json");
    expect(none.code).toBe(3);
    expect(json(none)).toMatchObject({
      ok: false,
      errors: [{ code: "STORE_MISSING", next: expect.stringContaining("pawl run") as string }],
    });
  });
  it("shows nothing of agents and people that gives orders to a terminal, in a pipe neither", async () => {
    const evil = "x\u001b[2J\u001b]0;title\u0007\u009b5m\u202egnp";
    const finding = { ...F1, text: evil, file: evil };
    const waiting = { code: "blocked", owner: "human", reason: evil, since: ago(9), until: null } as const;
    const told = await toldStore({
      rows: [
        row("task-1", evil, { status: "completed", noChange: evil, synced: true }),
        row("task-2", evil, { status: "failed", why: evil, findings: [finding] }),
        row("task-3", evil, {
          doing: { kind: "waiting", on: waiting },
          notes: [{ from: evil, text: evil, phase: "verify" as PhaseName }],
        }),
      ],
    });
    const lines = ["task-1", "task-2", "task-3"].flatMap((id) => [
      ["why", id],
      ["show", id],
      ["show", id, "--findings"],
    ]);
    for (const line of [["status"], ["why"], ...lines]) {
      const { stdout, stderr } = await pawl(told.repo, ...line);
      expect([line, stdout + stderr]).toEqual([line, expect.not.stringMatching(CONTROLS)]);
      const document = await pawl(told.repo, ...line, "--json");
      expect([line, document.stdout]).toEqual([line, expect.not.stringMatching(CONTROLS)]);
    }
  });
  it("status names task files that no processor can use", async () => {
    const told = await toldStore({
      rows: [asking("task-10")],
      files: { "tasks/task-10.md": "---\ntitle: x\n---\nDo it.\n", "tasks/task-11.md": "---\ntitle: [\n---\nDo it.\n" },
    });
    expect((await pawl(told.repo, "status")).stdout).toContain("\ncannot be used: tasks/task-11.md; pawl validate\n");
    expect(json(await pawl(told.repo, "status", "--json"))).toMatchObject({ broken_files: ["tasks/task-11.md"] });
  });
  it("status names two task files of one id, a circle, and a link that leads nowhere: whatever the backlog's size", async () => {
    const files = {
      "tasks/a.md": "---\nid: one\n---\nDo it.\n",
      "tasks/b.md": "---\nid: one\n---\nDo it.\n",
      "tasks/c.md": "---\ndeps: [d]\n---\nDo it.\n",
      "tasks/d.md": "---\ndeps: [c]\n---\nDo it.\n",
      "tasks/e.md": "---\ndeps: [done-before]\n---\nDo it.\n",
    };
    const broken_files = ["a", "b", "c", "d", "link"].map((name) => `tasks/${name}.md`);
    const small = await toldStore({ rows: [asking("done-before")], files });
    symlinkSync("nowhere", join(small.repo, "tasks/link.md"));
    const document = json(await pawl(small.repo, "status", "--json")) as { broken_files: string[] };
    expect(document.broken_files.toSorted()).toEqual(broken_files);
    expect((await pawl(small.repo, "why", "c")).stderr).toContain(
      "c is in a file that no processor can use (tasks/c.md)\nnext: pawl validate",
    );

    const ids = Array.from({ length: 1_100 }, (_, i) => `task-${i}`);
    const large = await toldStore({ rows: [asking("done-before")], seeds: ids.map((id) => seed(id, "Later")), files });
    symlinkSync("nowhere", join(large.repo, "tasks/link.md"));
    for (const id of ids) writeFileSync(join(large.repo, `tasks/${id}.md`), "---\ntitle: x\n---\n");
    writeFileSync(join(large.repo, "pawl.yaml"), "agents: {default: {command: 'true'}}\n");
    await createSource({ repo: large.repo, overrides: {}, isKnown: (id) => id === "done-before" }).read();
    const said = json(await pawl(large.repo, "status", "--json")) as { broken_files: string[] };
    expect(said.broken_files.toSorted()).toEqual(broken_files);
    rmSync(join(large.repo, "tasks/b.md"));
    rmSync(join(large.repo, "tasks/link.md"));
    expect((await pawl(large.repo, "status")).stdout).toContain(
      "\ncannot be used: tasks/c.md, tasks/d.md; pawl validate\n",
    );
  });
  it("status of a large backlog shows what is in progress, what failed and what comes next; --all shows every task", async () => {
    const ids = Array.from({ length: 1_100 }, (_, i) => `task-${i + 20}`);
    const broken = "---\ntitle: [\n---\nDo it.\n";
    const told = await toldStore({
      rows: [running("task-3"), asking("task-10"), row("task-12", "Broken off", { status: "failed", why: "no" })],
      seeds: [...ids.map((id) => seed(id, "Later")), seed("task-15", "Hangs on it", ["task-12"])],
      files: { "tasks/task-20.md": broken, ".pawl/cache/broken-files.json": '["tasks/task-20.md", "tasks/gone.md"]' },
    });
    const { stdout } = await pawl(told.repo, "status");
    expect(stdout).toMatch(/^1104 tasks: 1 failed, 2 in-progress, 1101 not-started /);
    const next = Array.from({ length: 9 }, (_, i) => `task-${i + 20}`);
    expect(stdout.match(/^task-\d+/gm)).toEqual(["task-3", "task-10", "task-12", "task-15", ...next]);
    expect(stdout).toMatch(/^task-15 .* not-started .* you: task-12 /m);
    expect(stdout).toMatch(/\n\(1091 more tasks; pawl status --all shows every task, --waiting and --failed those\)\n/);
    expect(stdout).toMatch(/waiting for you: task-10, task-15\ncannot be used: tasks\/task-20.md; pawl validate\n$/);
    const all = await pawl(told.repo, "status", "--all");
    expect([all.stdout.match(/^task-\d+/gm)?.length, all.stdout.includes("more tasks")]).toEqual([1_104, false]);
    expect((await pawl(told.repo, "status", "--failed")).stdout.match(/^task-\d+/gm)).toEqual(["task-12"]);
    expect(json<{ tasks: unknown[] }>(await pawl(told.repo, "status", "--json")).tasks).toHaveLength(1_104);
  });
  it("finds the store that pawl.yaml names, and one that is named without a repository", async () => {
    const told = await toldStore({ rows: [asking("task-1")] });
    writeFileSync(join(told.repo, "pawl.yaml"), "# store: elsewhere\nstore: .pawl/store.db # here\n");
    const outside = scratch();
    for (const args of [["status"], ["status", "--store", join(told.state, "store.db")]])
      expect((await pawl(args.length > 1 ? outside : told.repo, ...args)).stdout).toMatch(/^1 task: 1 in-progress/);
  });
  it("shows what a branch changes", async () => {
    const told = await toldStore({});
    git(told.repo, "checkout", "-q", "-b", "work");
    writeFileSync(join(told.repo, "a.txt"), "new\n");
    git(told.repo, "add", "a.txt");
    git(told.repo, "commit", "-q", "-m", "Work");
    await told.tick({
      rows: [
        asking("task-1", { head: git(told.repo, "rev-parse", "HEAD") as Commit }),
        asking("task-2", { head: null }),
      ],
    });
    expect((await pawl(told.repo, "show", "task-1", "--diff")).stdout).toMatch(/\+new\n$/);
    expect(await pawl(told.repo, "show", "task-2", "--diff")).toEqual({
      code: 0,
      stdout: "",
      stderr: "task-2 has changed nothing so far.\n",
    });
    expect((await pawl(told.repo, "show", "task-1", "--prompt")).code).toBe(6);
  });
});

it("every field of a document is in docs/json.md", async () => {
  const told = await toldStore({
    rows: [asking("task-1"), running("task-2")],
    seeds: [seed("task-3", "x", ["task-1"])],
  });
  const page = readFileSync("docs/json.md", "utf8");
  for (const line of [["status"], ["why"], ["show", "task-1"], ["approve", "task-1"], ["stop"]])
    for (const key of keysOf(json(await pawl(told.repo, ...line, "--json")))) expect(page).toContain(`\`${key}\``);
});
/** of a document and of its `tasks` */
const keysOf = (value: Record<string, unknown>): readonly string[] => [
  ...Object.keys(value),
  ...(Array.isArray(value.tasks)
    ? value.tasks.flatMap((one) => (typeof one === "object" ? Object.keys(one as object) : []))
    : []),
];

describe("logs", () => {
  it("prints the newest leg without its orders to a terminal, the last lines of it, or a named attempt", async () => {
    const told = await toldStore({ rows: [running("task-3")] });
    put(told, "task-3/01-implement-a1/leg-1/output.log", "first\n");
    put(told, "task-3/10-implement-a1/leg-1/output.log", "tenth\n");
    put(told, "task-3/10-implement-a1/leg-2/output.log", "\u001b[31mone\u001b[2J\u009b0m\n1%\r2%\r\ntwo\nthree\u0007");
    const [whole, tail, named, unknown, lines] = await Promise.all([
      program(told.repo, ["logs", "task-3"]),
      program(told.repo, ["logs", "task-3", "--tail", "2"]),
      program(told.repo, ["logs", "task-3", "--attempt", "01-a1"]),
      program(told.repo, ["logs", "task-3", "--attempt", "07-a1"]),
      program(told.repo, ["logs", "task-3", "--json", "--tail", "3"]),
    ]);
    expect(whole).toEqual({ code: 0, stdout: "one0m\n1%\n2%\ntwo\nthree", stderr: "" });
    expect(tail.stdout).toBe("two\nthree");
    expect(named.stdout).toBe("first\n");
    expect(unknown).toMatchObject({
      code: 6,
      stderr: "error[RUN_UNKNOWN] task-3 has no attempt 07-a1\nnext: write one of these: 01-a1, 10-a1\n",
    });
    expect(
      lines.stdout
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { text: string }).text),
    ).toEqual(["1%\r2%\r", "two", "three\u0007"]);
  });
  it("has no bytes of what is a link, and says when nobody has written anything", async () => {
    const told = await toldStore({ rows: [running("task-3")] });
    expect((await program(told.repo, ["logs", "task-3"])).code).toBe(6);
    mkdirSync(join(told.state, "runs/task-3/01-implement-a1/leg-1"), { recursive: true });
    symlinkSync("/etc/hostname", join(told.state, "runs/task-3/01-implement-a1/leg-1/output.log"));
    expect(await program(told.repo, ["logs", "task-3"])).toEqual({ code: 0, stdout: "", stderr: "" });
  });
  it("says that the folder of a run was deleted, not that there never was one; show --prompt too", async () => {
    const spent = { ...row("task-3", "x").ledger, spent: { microUsd: 0, tokens: 0, wallMs: 1, spawns: 1 } };
    const told = await toldStore({
      rows: [running("task-3"), asking("task-10", { ledger: spent }), asking("task-11")],
    });
    put(told, "task-3/02-implement-a1/prompt.md", "an earlier one");
    rmSync(join(told.state, "runs/task-3"), { recursive: true });
    for (const args of [
      ["logs", "task-3"],
      ["logs", "task-10"],
      ["show", "task-10", "--prompt"],
      ["show", "task-10", "--plan"],
    ])
      expect(await pawl(told.repo, ...args)).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(
          /what the workers of task-\d+ wrote is gone: its folder was deleted from .*runs/,
        ) as string,
      });
    expect((await pawl(told.repo, "logs", "task-11")).stderr).toContain(
      "no worker of task-11 has written anything yet",
    );
  });
  it("-f goes on across legs and phases until the task is at its end", async () => {
    const told = await toldStore({ rows: [running("task-3")] });
    const folder = "task-3/01-implement-a1/leg-1";
    put(told, `${folder}/output.log`, "one\n");
    let heard = "";
    const following = program(told.repo, ["logs", "task-3", "-f"], (text) => (heard += text));
    await expect.poll(() => heard, { timeout: 10_000 }).toBe("one\n");
    appendFileSync(join(told.state, "runs", folder, "output.log"), "two\n");
    put(told, `${folder}/ended.json`, "{}");
    put(told, "task-3/02-verify-a1/leg-1/output.log", "three\n");
    put(told, "task-3/02-verify-a1/leg-1/ended.json", "{}");
    await told.tick({ rows: [row("task-3", "x", { status: "failed", why: "enough" })] });
    const { code, stdout, stderr } = await following;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "one\ntwo\nthree\n" });
    expect(stderr).toContain("task-3 02-a1 (02-verify-a1)");
  });
});

describe("deciding", () => {
  it("is answered by the processor, under the name of git's user", async () => {
    const told = await toldStore({
      rows: [asking("task-1"), asking("task-2"), row("task-3", "x", { findings: [F1] })],
    });
    await told.answers();
    const approved = await program(told.repo, ["approve", "task-1", "-m", "fine"]);
    expect(approved).toEqual({
      code: 0,
      stdout: `approved 9be21f0 of task-1 as test@example.org (taken by pid ${process.pid})\n`,
      stderr: "",
    });
    const again = await pawl(told.repo, "approve", "task-1");
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toMatch(/^error\[REFUSED\] task-1 does not wait for an answer/);
    const rejected = json(
      await pawl(told.repo, "reject", "task-2", "-m", "no test", "--as", "lead", "--head", "9be2", "--json"),
    );
    expect(rejected).toMatchObject({
      ok: true,
      accepted: true,
      by: "lead",
      task: "task-2",
      command: { do: "reject", head: HEAD, message: "no test" },
    });
    expect((await pawl(told.repo, "waive", "task-3", "F1", "-m", "by design")).stdout).toMatch(
      /^waived F1 of task-3: by design/,
    );
    expect(json(await pawl(told.repo, "waive", "task-3", "F9", "-m", "x", "--json"))).toMatchObject({
      ok: false,
      accepted: false,
    });
    expect((await pawl(told.repo, "extend", "task-3", "--spawns", "5", "--cost", "2.50")).stdout).toMatch(
      /^extended task-3/,
    );
    expect((await pawl(told.repo, "cancel", "task-3", "-m", "not needed", "--yes")).stdout).toMatch(
      /^cancelled task-3/,
    );
    expect((await pawl(told.repo, "retry", "task-3", "--from", "verify")).stdout).toMatch(/^task-3 goes on at verify/);
  });
  it("is noted when nobody ticks, and taken by the next processor", async () => {
    const told = await toldStore({ rows: [asking("task-1")] });
    const noted = await pawl(told.repo, "approve", "task-1", "--json");
    expect(noted.code).toBe(0);
    expect(json(noted)).toMatchObject({
      ok: true,
      accepted: null,
      reply: "approve task-1 is noted for the next pawl run; nobody ticks just now",
    });
    const [why, whyAll, status, document] = await Promise.all([
      pawl(told.repo, "why", "task-1"),
      pawl(told.repo, "why"),
      pawl(told.repo, "status"),
      pawl(told.repo, "status", "--json"),
    ]);
    expect(why.stdout).toMatch(
      /^ {2}noted {6}approve by test@example.org; the next pawl run takes it\n {2}next {7}pawl run$/m,
    );
    expect(whyAll.stdout).toContain("(noted: approve by test@example.org; the next pawl run takes it)");
    expect(status.stdout).toContain("you: pawl run (noted: approve)");
    expect(status.stdout).toContain("\nnoted: task-1 approve by test@example.org; the next pawl run takes it\n");
    expect(json(document)).toMatchObject({ tasks: [{ noted: [{ do: "approve", by: "test@example.org" }] }] });
    await told.answers();
    await expect
      .poll(
        async () => json<{ tasks: { phase: string }[] }>(await pawl(told.repo, "status", "--json")).tasks[0]!.phase,
        { timeout: 5_000 },
      )
      .toBe("merge");
  });
  it("is refused at once where nobody ticks and the next processor would refuse it, and nothing is posted", async () => {
    const told = await toldStore({
      rows: [
        asking("task-1"),
        row("task-3", "x", { status: "completed", synced: true }),
        row("task-4", "x", { status: "failed", why: "x" }),
      ],
      seeds: [seed("task-5", "Later", ["task-1"])],
    });
    for (const [line, why] of [
      [["approve", "task-3"], /task-3 does not wait for an answer \(completed/],
      [["cancel", "task-3", "-m", "x"], /task-3 is completed already/],
      [["extend", "task-3", "--spawns", "1"], /task-3 is completed; a new task is a new file/],
      [["retry", "task-3"], /task-3 is completed; a new task is a new file/],
      [["waive", "task-4", "F9", "-m", "x"], /task-4 has no finding F9/],
      [["approve", "task-5"], /task-5 does not wait for an answer \(not-started/],
      [["retry", "task-1"], /task-1 is waiting for an answer, nothing to retry/],
    ] as const) {
      const refused = await pawl(told.repo, ...line);
      expect([line, refused]).toMatchObject([line, { code: 1, stdout: "" }]);
      expect(refused.stderr).toMatch(why);
    }
    expect(json(await pawl(told.repo, "retry", "task-3", "--json"))).toMatchObject({ ok: false, accepted: false });
    expect((await pawl(told.repo, "status")).stdout).not.toContain("noted");
    expect((await pawl(told.repo, "retry", "task-4")).stdout).toMatch(/^retry task-4 is noted/);
    // what was noted before may change what fits
    expect((await pawl(told.repo, "extend", "task-4", "--spawns", "1")).stdout).toMatch(/^extend task-4 is noted/);
  });
  it("refuses by itself what cannot be meant, and posts nothing", async () => {
    const told = await toldStore({ rows: [asking("task-1")] });
    const codes = await Promise.all(
      [
        ["approve", "task-1", "--head", "1234567"],
        ["approve", "task-1", "--head", "main"],
        ["approve", "task-9"],
        ["reject", "task-1"],
        ["cancel", "task-1", "-m", "x"],
        ["extend", "task-1"],
        ["extend", "task-1", "--time", "soon"],
      ].map((args) => pawl(told.repo, ...args)),
    );
    expect(codes.map(({ code }) => code)).toEqual([1, 2, 6, 2, 2, 2, 2]);
    expect(codes[0]!.stderr).toContain("the head of task-1 is 9be21f0, not 1234567");
    expect(codes[4]!.stderr).toContain(
      "it ends as failed; branch pawl/task-1 and its worktree stay. Nobody can be asked here\nnext: say it with --yes.",
    );
    await told.answers();
    expect(json(await pawl(told.repo, "approve", "task-1", "--json"))).toMatchObject({ accepted: true });
  });
  it("stop --workers asks only where workers would be ended", async () => {
    const told = await toldStore({ rows: [asking("task-1"), running("task-3")] });
    const refused = await pawl(told.repo, "stop", "--workers");
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("stop ends 1 worker: task-3; branches and worktrees stay.");
    await told.tick({ rows: [asking("task-3")] });
    expect(await pawl(told.repo, "stop", "--workers")).toEqual({
      code: 0,
      stdout: "nobody ticks; no worker is at work\n",
      stderr: "",
    });
    await told.answers();
    expect((await pawl(told.repo, "stop", "--workers")).stdout).toMatch(/^stopping, and ending the workers/);
  });
  it("stop ends the processor, or says that there is none", async () => {
    const told = await toldStore({ rows: [asking("task-1")] });
    expect((await pawl(told.repo, "stop")).stdout).toBe("nobody ticks; there is nothing to stop\n");
    expect(json(await pawl(told.repo, "stop", "--workers", "--yes", "--json"))).toMatchObject({
      ok: true,
      processor: null,
      workers: [],
    });
    await told.answers();
    const stopped = pawl(told.repo, "stop", "--workers", "--yes", "--json");
    expect(json(await stopped)).toMatchObject({
      ok: true,
      accepted: true,
      task: null,
      command: { do: "stop", workers: true },
    });
    expect(json(await pawl(told.repo, "status", "--json"))).toMatchObject({ stopping: true });
  });
});
