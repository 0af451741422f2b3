import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git, repository, scratch, write } from "../../../../test/support/scratch.ts";
import { readVerdict } from "../../../adapters/agents/verdict-file.ts";
import type { LegKey } from "../../../domain/names.ts";
import { nextProgress } from "../../../protocol/next-progress.ts";
import { runProgram } from "../program.ts";
import { findingOf } from "./verdict.ts";

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line here, with nothing of this process's own environment but PATH. */
async function pawl(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Said> {
  let [out, err] = ["", ""];
  const code = await runProgram(args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...env },
    streams: { stdin: {}, stdout: { write: (text) => (out += text) }, stderr: { write: (text) => (err += text) } },
  });
  return { code, out, err };
}

const AGENT = "agents: {default: {command: ./fix.sh}}\n";
const task = (matter: string): string => `---\n${matter}\n---\nDo it.\n`;

describe("pawl init", () => {
  test("without a terminal it asks nothing, writes what it found, and what it wrote is valid", async () => {
    const { repo } = repository({ "package.json": '{"scripts": {"test": "node --test"}}', "package-lock.json": "{}" });
    const { code, out, err } = await pawl(repo, ["init", "--agent", "./fix.sh: it"]);
    expect(code).toBe(0);
    expect(err).toContain("npm test (package.json)");
    expect(out).toMatch(
      /^wrote {3}pawl\.yaml {2}roles\/implementer\.md {2}roles\/verifier\.md {2}tasks\/example\.md \(draft: true\)\nnext: /,
    );
    const config = readFileSync(join(repo, "pawl.yaml"), "utf8");
    expect(config).toContain('agents: {default: {command: "./fix.sh: it", verdict: exit_code}}');
    expect(config).toContain("worktree: {setup: npm ci}");
    expect(await pawl(repo, ["validate"])).toMatchObject({ code: 0, err: "" });
  });

  test("with --full every key is there, with its default, and it is valid too", async () => {
    const { repo } = repository({});
    await pawl(repo, ["init", "--full"]);
    const { code, out, err } = await pawl(repo, ["validate", "--print"]);
    expect(code).toBe(0);
    expect(err).toContain("warning[AGENT_MISSING]");
    expect(out).toMatch(/^limits\.max_workers +pawl\.yaml:\d+ +4$/m);
    expect(out).toMatch(/^worktree\.setup +default +–$/m);
    expect(out).toMatch(/^base +pawl\.yaml:\d+ +main$/m);
  });

  test("it never writes over a file that is there", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT, "roles/implementer.md": "Mine.\n" });
    const { out } = await pawl(repo, ["init", "--agent", "other"]);
    expect(out).toContain("kept    pawl.yaml  roles/implementer.md");
    // it says itself who does the work
    const next = (await pawl(repo, ["init"])).out.split("next:")[1];
    expect(next).toContain("pawl run --dry; pawl run");
    expect(next).not.toContain("--agent");
    expect(readFileSync(join(repo, "pawl.yaml"), "utf8")).toBe(AGENT);
    expect(readFileSync(join(repo, "roles/implementer.md"), "utf8")).toBe("Mine.\n");
  });

  test("outside a repository it says how to make one", async () => {
    const { code, err } = await pawl(scratch(), ["init"]);
    expect(code).toBe(2);
    expect(err).toMatch(/^error\[REPO_MISSING\] .* is not in a git repository\nnext: git init/);
  });

  test("a repository without commits gets its files, and is told of the first commit", async () => {
    const repo = scratch();
    git(repo, "init", "-q", "-b", "main");
    const { code, out } = await pawl(repo, ["init", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ok: true, kept: [] });
  });

  test.each([
    ["Cargo.toml", "[package]", "cargo test"],
    ["go.mod", "module x", "go test ./..."],
    ["pyproject.toml", "[project]", "python3 -m pytest"],
    ["package.json", '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}', null],
    ["package.json", "{", null],
  ])("from %s holding %s it guesses %s", async (file, text, check) => {
    const { repo } = repository({ [file]: text });
    const { out } = await pawl(repo, ["init", "--json"]);
    expect(JSON.parse(out).checks).toEqual(check === null ? [] : [check]);
  });
});

describe("pawl add", () => {
  test("takes the next free id, also after ids that only a run folder knows", async () => {
    const { repo } = repository({
      "pawl.yaml": AGENT,
      "tasks/task-007.md": task("title: x"),
      "tasks/other.md": task("title: y"),
    });
    write(repo, { ".pawl/runs/task-011/x": "" });
    const { out, code } = await pawl(repo, [
      "add",
      "Search by: colour",
      "--dep",
      "task-007",
      "--dep",
      "other",
      "--type",
      "research",
    ]);
    expect([code, out]).toEqual([0, "wrote   tasks/task-012.md\n"]);
    expect(readFileSync(join(repo, "tasks/task-012.md"), "utf8")).toBe(
      '---\ntitle: "Search by: colour"\ndeps: [task-007, other]\ntype: research\n---\nSearch by: colour.\n',
    );
    expect(await pawl(repo, ["validate"])).toMatchObject({ code: 0 });
  });

  test("a dependency that is not there is refused, and nothing is written", async () => {
    const { repo } = repository({ "tasks/task-001.md": task("title: x") });
    const { code, err } = await pawl(repo, ["add", "y", "--dep", "task-01"]);
    expect(code).toBe(2);
    expect(err).toBe("error[DEPS_UNKNOWN] there is no task task-01 to depend on\nnext: --dep task-001\n");
    expect(readdirSync(join(repo, "tasks"))).toEqual(["task-001.md"]);
  });

  test("two at once get two ids", async () => {
    const { repo } = repository({});
    const added = await Promise.all([pawl(repo, ["add", "a"]), pawl(repo, ["add", "b"]), pawl(repo, ["add", "c"])]);
    expect(added.map(({ out }) => out).sort()).toEqual([
      "wrote   tasks/task-001.md\n",
      "wrote   tasks/task-002.md\n",
      "wrote   tasks/task-003.md\n",
    ]);
  });
});

describe("pawl validate", () => {
  test("tells everything at once in one form, and that nothing was started", async () => {
    const { repo } = repository({
      "pawl.yaml": `${AGENT}limts: 3\n`,
      "tasks/a.md": task("title: x\ndeps: [b]"),
      "tasks/b.md": task("title: y\ndeps: [a]"),
    });
    const { code, err } = await pawl(repo, ["validate"]);
    expect(code).toBe(2);
    expect(err).toContain(
      'error[KEY_UNKNOWN] "limts" is not a key of pawl.yaml\n  --> pawl.yaml:2:1\n2 | limts: 3\n  | ^^^^^ known: limits, ',
    );
    expect(err).toContain(
      "error[DEPS_CYCLE] a -> b -> a\n  --> tasks/b.md:3:8\n3 | deps: [a]\n  |        ^\nnext: remove one of these 2 deps.\n",
    );
    expect(err).toMatch(/2 errors\. Nothing was started\. \(exit 2\)\n$/);
  });

  test("--json is one document with the place of each error, also where there is no repository", async () => {
    const { repo } = repository({
      "pawl.yaml": AGENT,
      "phase-maps/own.yaml": "phases:\n  a: {run: agent nobody, on_pass: done}\n",
    });
    const { code, out, err } = await pawl(repo, ["validate", "--json"]);
    expect([code, err]).toEqual([2, ""]);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      errors: [{ code: "ROLE_UNKNOWN", file: "phase-maps/own.yaml", line: 2, column: 18 }],
    });
    expect(JSON.parse((await pawl(scratch(), ["--json", "validate"])).out)).toMatchObject({
      ok: false,
      errors: [{ code: "REPO_MISSING", line: null }],
    });
  });

  test("what counts is printed with its origin: flag, environment, file, default", async () => {
    const { repo } = repository({ "pawl.yaml": `${AGENT}base: main\n` });
    const { out } = await pawl(repo, ["validate", "--print", "--json", "--store", "x.db"], { PAWL_AGENT: "other" });
    const from = Object.fromEntries(
      JSON.parse(out).values.map(({ key, from }: { key: string; from: string }) => [key, from]),
    );
    expect(from).toMatchObject({
      store: "--store",
      "agents.default": "PAWL_AGENT",
      base: "pawl.yaml:2",
      tasks: "default",
    });
  });
});

describe("pawl explain", () => {
  test("draws the way to done, the ways back, and names who answers each phase", async () => {
    const { repo } = repository({ "pawl.yaml": `${AGENT}checks: [npm test]\n` });
    const { out } = await pawl(repo, ["explain"]);
    expect(out.split("\n").slice(0, 6)).toEqual([
      "map default (built-in) · 6 phases · every phase reaches done · every wait has an owner",
      "  ▸ implement ─▸ verify ─▸ await-review ─▸ mark-ready ─▸ merge ─▸ done       ─▸ on_pass",
      "        ▴           ╎            ╎                         ╎                 ╌▸ on_fail, round + 1",
      `        └${"╌".repeat(11)}┴${"╌".repeat(12)}┴${"╌".repeat(25)}┘`,
      "  merge on_conflict ─▸ resolve ─▸ verify",
      "",
    ]);
    expect(out).toMatch(
      /^verify +agent verifier +await-review +implement +\(stays\) +agent verifier, in a clean checkout$/m,
    );
    expect(out).toMatch(/^await-review +signal human-approval .* you: pawl approve \| reject$/m);
  });

  test("a map too wide for a line goes downwards, and timeouts are shown", async () => {
    const names = [
      "prepare-everything",
      "implement-the-task",
      "verify-the-result",
      "write-the-changelog",
      "ask-somebody-else",
    ];
    const phases = names.map(
      (name, i) =>
        `  ${name}: {run: signal human-approval, on_pass: ${names[i + 1] ?? "done"}, on_fail: ${names[0]}, timeout: 2h, escalate: ${names[0]}}\n`,
    );
    const { repo } = repository({ "pawl.yaml": AGENT, "phase-maps/wide.yaml": `phases:\n${phases.join("")}` });
    const { out, code } = await pawl(repo, ["explain", "wide"], { PAWL_ASCII: "1" });
    expect(code).toBe(0);
    expect(out).toContain("  > prepare-everything -> implement-the-task");
    expect(out).toContain("2h, then prepare-everything");
    expect(out.split("\n\n")[0]).not.toMatch(/[▸╎╌]/);
  });

  test("a map that is broken shows what is wrong with it; one that is not there names those that are", async () => {
    const { repo } = repository({
      "pawl.yaml": AGENT,
      "phase-maps/own.yaml": "phases:\n  a: {run: agent nobody, on_pass: done}\n",
    });
    expect(await pawl(repo, ["explain", "own"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("ROLE_UNKNOWN"),
    });
    expect((await pawl(repo, ["explain", "onw"])).err).toContain('no phase map is called "onw" (known: own, ');
    expect((await pawl(repo, ["explain", "auto", "--mermaid"])).out).toContain("p_merge --> p_done");
  });
});

describe("pawl doctor", () => {
  test("names what is installed and ready, and what is not", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT }, { origin: true });
    write(repo, { "notes.txt": "x" });
    const { code, out } = await pawl(repo, ["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^ok {4}git +2\.\d+/m);
    expect(out).toMatch(/^ok {4}sqlite +3\.\d+/m);
    expect(out).toMatch(/^note {2}tree +1 file is not committed.*notes\.txt$/m);
    expect(out).toMatch(/^ok {4}origin +.*origin\.git, on this machine: merges land there$/m);
    expect(out).toMatch(/^ok {4}store +.*is made by the first pawl run$/m);
    expect(out).toMatch(/^no {4}agent default +\.\/fix\.sh: there is no program \.\/fix\.sh$/m);
  });

  test("an origin elsewhere is named without its password, and is left alone", async () => {
    const { repo } = repository({ "pawl.yaml": "agents: {default: {command: git status}}\n" });
    git(repo, "remote", "add", "origin", "https://me:secret@example.org/x.git");
    const { code, out } = await pawl(repo, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toContain("https://example.org/x.git is not on this machine");
    expect(out).not.toContain("secret");
    git(repo, "remote", "set-url", "origin", "https://me:secret@gitlab.com/acme/web/shop.git");
    const known = (await pawl(repo, ["doctor"])).out;
    expect(known).toContain(
      "next: write forge: {kind: gitlab, repo: acme/web/shop} into pawl.yaml, if they should land",
    );
  });

  test("a forge elsewhere is named, and a token that is not there stops the work", async () => {
    const forge = "forge: {kind: github, repo: acme/shop, token_env: PAWL_NO_SUCH_TOKEN}\n";
    const { repo } = repository({ "pawl.yaml": `agents: {default: {command: git status}}\n${forge}` });
    const { code, out } = await pawl(repo, ["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^no +forge +github acme\/shop, by https:\/\/api\.github\.com, .*which is empty$/m);
    expect(out).toContain("next: put a token that may write contents and pull requests into PAWL_NO_SUCH_TOKEN.");
    const lab = "forge: {kind: gitlab, repo: acme/web/shop, token_env: PAWL_NO_SUCH_TOKEN}\n";
    write(repo, { "pawl.yaml": `agents: {default: {command: git status}}\n${lab}` });
    const said = (await pawl(repo, ["doctor"])).out;
    expect(said).toMatch(/^no +forge +gitlab acme\/web\/shop, by https:\/\/gitlab\.com\/api\/v4, .*which is empty$/m);
    expect(said).toContain("next: put a token of scope api and a role of Developer or above into PAWL_NO_SUCH_TOKEN.");
    const intake =
      "intake: [{gitlab: {repo: acme/web/shop, label: pawl, write_back: true, token_env: PAWL_NO_SUCH_TOKEN}}]\n";
    write(repo, { "pawl.yaml": `agents: {default: {command: git status}}\n${intake}` });
    const noted = await pawl(repo, ["doctor"]);
    expect(noted).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^note +intake +gitlab acme\/web\/shop, labelled pawl, /m),
    });
    expect(noted.out).toContain("next: put a token that may read and write issues into PAWL_NO_SUCH_TOKEN.");
  });

  test("outside a repository it still says what is installed", async () => {
    const { code, out } = await pawl(scratch(), ["doctor", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).checks.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ["node", "ok"],
      ["git", "ok"],
      ["sqlite", "ok"],
      ["ripgrep", "ok"],
      ["bubblewrap", expect.stringMatching(/^(ok|note)$/)],
      ["repository", "no"],
    ]);
  });

  test("a store that is broken is told, not opened", async () => {
    const { repo } = repository({ "pawl.yaml": "agents: {default: {command: git status}}\n" });
    write(repo, { ".pawl/store.db": "not a database at all, but long enough to be looked at as one" });
    const { code, out } = await pawl(repo, ["doctor"]);
    expect(code).toBe(1);
    expect(out).toMatch(/^no {4}store .*cannot be used/m);
  });
});

const LEG = "task-001/3/1.1";
function worker(order: object = {}): { run: string; env: Record<string, string> } {
  const run = scratch();
  write(run, { "order.json": JSON.stringify(order), "assignment.json": JSON.stringify({ agent_id: "agent-7" }) });
  return { run, env: { PAWL_RUN_DIR: run, PAWL_LEG: LEG, PAWL_TASK: "task-001", PAWL_BASE: "main" } };
}
const jsonOf = (run: string, file: string) => JSON.parse(readFileSync(join(run, file), "utf8"));

describe("pawl verdict", () => {
  test("writes a verdict of its leg that the host accepts", async () => {
    const { run, env } = worker();
    const args = [
      "verdict",
      "fail",
      "-m",
      "2 of 3",
      "--finding",
      "src/a.ts:41: case counts",
      "--finding",
      "no test",
      "--complete",
    ];
    expect(await pawl(run, args, env)).toMatchObject({ code: 0 });
    expect(readVerdict(join(run, "verdict.json"), LEG as LegKey)).toMatchObject({
      kind: "verdict",
      verdict: {
        leg: LEG,
        verdict: "FAIL",
        detail: "2 of 3",
        complete: true,
        findings: [{ file: "src/a.ts", line: 41, text: "case counts" }, { text: "no test" }],
      },
    });
  });

  test.each([
    ["pass", [], "PASS"],
    ["no-change", ["-m", "renamed already"], "NO_CHANGE"],
    ["blocked", ["-m", "two sentences disagree"], "BLOCKED"],
  ])("%s is %j", async (word, rest, verdict) => {
    const { run, env } = worker();
    await pawl(run, ["verdict", word, ...rest], env);
    expect(jsonOf(run, "verdict.json")).toMatchObject({ verdict, leg: LEG });
  });

  test("without a detail, with another word, or outside a worker it is refused and nothing is written", async () => {
    const { run, env } = worker();
    expect(await pawl(run, ["verdict", "fail"], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining("needs a detail"),
    });
    expect(await pawl(run, ["verdict", "done"], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining('"done" is no verdict'),
    });
    expect(await pawl(run, ["verdict", "pass"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("error[NOT_IN_WORKER]"),
    });
    expect(await pawl(run, ["verdict", "pass"], { PAWL_RUN_DIR: join(run, "gone") })).toMatchObject({
      code: 2,
      err: expect.stringContaining("error[RUN_FOLDER]"),
    });
    expect(existsSync(join(run, "verdict.json"))).toBe(false);
  });

  test.each([
    ["src/a.ts:41: text", { file: "src/a.ts", line: 41, text: "text" }],
    ["src/a.ts:41:7: text: more", { file: "src/a.ts", line: 41, text: "text: more" }],
    ["at 10:30: nothing", { text: "at 10:30: nothing" }],
    ["just text", { text: "just text" }],
    ["a.ts: text", { text: "a.ts: text" }],
  ])("a finding %s is %j", (said, finding) => {
    expect(findingOf(said)).toEqual(finding);
  });
});

describe("pawl progress", () => {
  test("replaces progress.json, keeps its history, and keeps what was said before", async () => {
    const { run, env } = worker();
    await pawl(run, ["progress", "--status", "implementing", "--percent", "50", "--activity", "codemod"], env);
    await pawl(run, ["progress", "--percent", "62"], env);
    expect(jsonOf(run, "progress.json")).toMatchObject({
      agent_id: "agent-7",
      task_id: "task-001",
      status: "implementing",
      percent: 62,
      activity: "codemod",
    });
    const history = readFileSync(join(run, "progress.jsonl"), "utf8").trim().split("\n");
    expect(history.map((line) => JSON.parse(line).percent)).toEqual([50, 62]);
    expect(JSON.parse(history[1]!).step_started_at).toBe(JSON.parse(history[0]!).step_started_at);
  });

  test("a percent outside its status is brought into it, and that is noted", async () => {
    const { run, env } = worker();
    const { code, err } = await pawl(run, ["progress", "--status", "testing", "--percent", "20"], env);
    expect([code, err]).toEqual([0, "note: 20 % is outside testing (70 to 90), shown as 70 %\n"]);
    expect(jsonOf(run, "progress.json")).toMatchObject({
      percent: 70,
      warning: expect.stringContaining("outside testing"),
    });
    const now = "2026-01-01T00:00:00Z";
    expect(
      nextProgress(
        undefined,
        { status: "awaiting_go", percent: undefined, activity: undefined },
        { now, task: "", agent: "" },
      ),
    ).toMatchObject({ percent: 25 });
  });

  test("cost and tokens are what was spent so far", async () => {
    const { run, env } = worker();
    await pawl(run, ["progress", "--cost", "0.25"], env);
    await pawl(run, ["progress", "--cost", "0.5", "--tokens", "1200"], env);
    expect(jsonOf(run, "usage.json")).toEqual({ cost_usd: 0.5, tokens: 1200 });
    expect(existsSync(join(run, "progress.json"))).toBe(false);
  });

  test("progress that is broken, as a worker may leave it, is begun anew", async () => {
    const { run, env } = worker();
    write(run, { "progress.json": "{half" });
    expect(await pawl(run, ["progress", "--status", "testing"], env)).toMatchObject({ code: 0 });
    expect(jsonOf(run, "progress.json")).toMatchObject({ status: "testing", percent: 70 });
  });

  test.each([
    [["progress"], "needs something to say"],
    [["progress", "--status", "implementin"], 'write "implementing"'],
    [["progress", "--percent", "half"], "has to be a number"],
    [["progress", "--cost", "-1"], "has to be a number"],
  ])("%j is refused", async (args, why) => {
    const { run, env } = worker();
    expect(await pawl(run, args, env)).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  });
});

describe("pawl check", () => {
  const check = (run: string, more: object = {}) => ({ run, timeoutMs: 20_000, when: [], ...more });
  const order = (checks: readonly object[]) => ({ wish: {}, brief: { assignment: { base: "main" }, checks } });

  test("in a worker every check runs, and each that failed is a finding with its test and place", async () => {
    const { repo } = repository({ "test/search.test.ts": "x\n" });
    const failing = "printf ' FAIL  test/search.test.ts > search > by colour\\n ❯ test/search.test.ts:12:5\\n'; exit 1";
    const { run, env } = worker(order([check(failing), check("echo fine"), check("exit 3")]));
    const { code, out } = await pawl(repo, ["check"], env);
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL .*\nok {4}echo fine .*\nFAIL {2}exit 3 {2}exited 3, /);
    const read = readVerdict(join(run, "verdict.json"), LEG as LegKey);
    expect(read).toMatchObject({
      kind: "verdict",
      verdict: {
        verdict: "FAIL",
        complete: true,
        detail: expect.stringMatching(/^1 of 3 checks passed: .* exited 1: search > by colour$/),
        findings: [
          {
            key: `check:${failing}`,
            file: "test/search.test.ts",
            line: 12,
            text: expect.stringContaining("exited 1: search > by colour\n"),
          },
          { key: "check:exit 3", text: "exit 3 exited 3" },
        ],
      },
    });
  });

  test("where all pass the verdict is PASS; a check whose files did not change is left out", async () => {
    const { repo } = repository({ "src/a.ts": "1\n", "docs/a.md": "1\n" });
    git(repo, "checkout", "-q", "-b", "pawl/task-001");
    write(repo, { "src/a.ts": "2\n" });
    git(repo, "commit", "-qam", "change");
    const { run, env } = worker(
      order([check("true", { when: ["src/**"] }), check("exit 9", { when: ["docs/**", "*.md"] })]),
    );
    const { code, out } = await pawl(repo, ["check"], env);
    expect(code).toBe(0);
    expect(out).toContain("skip  exit 9  none of docs/**, *.md changed");
    expect(jsonOf(run, "verdict.json")).toMatchObject({
      verdict: "PASS",
      detail: "1 of 1 checks, 1 skipped",
      leg: LEG,
    });
  });

  test("where nobody knows the base, checks with `when` run all the same", async () => {
    const { repo } = repository({});
    const { env } = worker(order([check("exit 4", { when: ["docs/**"] })]));
    const { code, err } = await pawl(repo, ["check"], { ...env, PAWL_BASE: "nowhere" });
    expect(code).toBe(1);
    expect(err).toContain("every check runs");
  });

  test("a check that calls pawl itself does not write over the verdict", async () => {
    const { repo } = repository({});
    const { run, env } = worker(order([check('test -z "$PAWL_RUN_DIR" && test -n "$PAWL_LEG"')]));
    expect(await pawl(repo, ["check"], env)).toMatchObject({ code: 0 });
    expect(jsonOf(run, "verdict.json")).toMatchObject({ verdict: "PASS" });
  });

  test("without checks a worker is blocked, and a person gets an error", async () => {
    const { repo } = repository({ "pawl.yaml": AGENT });
    const { run, env } = worker(order([]));
    expect(await pawl(repo, ["check"], env)).toMatchObject({ code: 1 });
    expect(jsonOf(run, "verdict.json")).toMatchObject({
      verdict: "BLOCKED",
      detail: expect.stringContaining("no checks are configured"),
    });
    expect(await pawl(repo, ["check"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("error[CHECKS_MISSING]"),
    });
  });

  test("an order that cannot be read is an error, and no verdict", async () => {
    const { run, env } = worker();
    write(run, { "order.json": "{half" });
    expect(await pawl(run, ["check"], env)).toMatchObject({
      code: 2,
      err: expect.stringContaining("error[RUN_FOLDER]"),
    });
    expect(existsSync(join(run, "verdict.json"))).toBe(false);
  });

  test("outside a worker it runs pawl.yaml's checks and writes nothing", async () => {
    const { repo } = repository({
      "pawl.yaml": `${AGENT}checks: ["echo one", {run: [sh, -c, "exit 7"]}]\n`,
      "src/a.ts": "",
    });
    const { code, out } = await pawl(join(repo, "src"), ["check", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      verdict: "FAIL",
      checks: [
        { run: "echo one", code: 0 },
        { run: ["sh", "-c", "exit 7"], code: 7 },
      ],
    });
    expect(git(repo, "status", "--porcelain")).toBe("");
  });
});
