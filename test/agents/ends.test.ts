import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AcpHouse, acpEnds } from "../support/acp-agent/acp-house.ts";
import type { Script, Step } from "../support/acp-agent/script.ts";
import { git } from "../support/scratch.ts";

const WORK: Step = { do: "write", path: "src/b.txt", text: "b\n" };
const says =
  (task: string, script: Script | readonly Step[], more: Parameters<AcpHouse["acp"]>[1] = {}) =>
  (home: AcpHouse) =>
    home.acp(script, { task, ...more });
const check = (run: string) => ({ brief: { checks: [{ run, timeoutMs: 20_000, when: [] }] } });
const judge = (home: AcpHouse) => ({
  place: { kind: "clean", base: "main", commit: git(home.repo, "rev-parse", "main") } as never,
});

const { home, end } = acpEnds({
  checked: says("checked", [WORK, { do: "say", text: "I have\nadded b." }], check("grep -q b src/b.txt")),
  unchecked: says("unchecked", [WORK], check("echo expected c; grep -q c src/b.txt")),
  strays: says("strays", [WORK, { do: "disk", path: "README.md", text: "theirs\n" }], check("false")),
  commits: says("commits", [{ do: "shell", command: "echo c >src/c.txt && git add src/c.txt && git commit -qm mine" }]),
  blocked: says("blocked", [{ do: "say", text: "I looked.\n\n**BLOCKED:** two sentences disagree" }]),
  same: says("same", [{ do: "say", text: "`NO_CHANGE`: it is there already" }]),
  judges: (made) => made.acp([{ do: "say", text: "FAIL: no test for it" }], { task: "judges", ...judge(made) }),
  agrees: (made) => made.acp([{ do: "say", text: "Looks good.\nPASS" }], { task: "agrees", ...judge(made) }),
  dumb: (made) => made.acp([{ do: "say", text: "Looks good." }], { task: "dumb", ...judge(made) }),
  tools: says("tools", [
    { do: "mcp", tool: "assignment", input: {} },
    { do: "mcp", tool: "progress", input: { status: "implementing", percent: 55, activity: "by itself" } },
    WORK,
    { do: "mcp", tool: "verdict", input: { verdict: "fail" } },
    { do: "mcp", tool: "verdict", input: { verdict: "pass", detail: "seen to work" } },
  ]),
  limit: says("limit", [
    {
      do: "error",
      code: -32_603,
      message: "Internal error",
      data: { details: "429 Too Many Requests, retry after 90s" },
    },
  ]),
  away: says("away", [{ do: "error", code: -32_603, message: "fetch failed: ECONNREFUSED 127.0.0.1:1" }]),
  login: says("login", { turns: [[]], newError: { code: -32_000, message: "Authentication required" } }),
  quota: says("quota", [
    { do: "error", code: -32_603, message: "insufficient_quota: You exceeded your current quota" },
  ]),
  refuses: says("refuses", [{ do: "stop", reason: "refusal" }]),
  full: says("full", [{ do: "stop", reason: "max_tokens" }]),
  long: says("long", [{ do: "error", code: -32_603, message: "prompt is too long: 210000 tokens > 200000 maximum" }]),
  unknown: says("unknown", [{ do: "error", code: -32_603, message: "Internal error" }]),
  version: says("version", { turns: [[WORK]], protocolVersion: 2 }),
  mode: says("mode", { turns: [[WORK]], modes: ["plan", "yolo"] }, { flags: ["--mode", "yolo"] }),
  modeless: says("modeless", { turns: [[WORK]], modes: ["plan"] }, { flags: ["--mode", "yolo"] }),
  absent: says("absent", [], {
    program: {
      command: [process.execPath, `${process.cwd()}/dist/cli.mjs`, "acp-worker", "--", "no-such-agent-anywhere"],
    },
  }),
  spends: says("spends", [
    { do: "usage", costUsd: 0.01 },
    { do: "usage", costUsd: 0.0312 },
    WORK,
    { do: "stop", reason: "end_turn", tokens: 4_321 },
  ]),
  runs: says("runs", [
    { do: "run", command: "echo from $PWD; sleep 300 & echo on" },
    { do: "run", command: "exit 7" },
    { do: "read", path: "src/a.txt", into: "src/read.txt" },
    { do: "read", path: "nowhere.txt" },
    { do: "read", path: "/etc/hostname" },
  ]),
  plans: says("plans", [
    {
      do: "plan",
      entries: [
        ["look", "completed"],
        ["change it", "in_progress"],
        ["test it", "pending"],
        ["tell", "pending"],
      ],
    },
    { do: "tool", title: "Write b", kind: "edit" },
    WORK,
    { do: "tool", title: "Write b", kind: "edit", status: "completed" },
  ]),
});

const fileIn = (task: string, name: string) =>
  JSON.parse(readFileSync(join(home().parts.state, "runs", task, "01-implement-a1", name), "utf8"));

describe("an agent that says no verdict as we do ends with", () => {
  it("PASS where files have changed and our checks pass; its last words are the evidence", () => {
    expect(end("checked")).toMatchObject({
      how: "verdict",
      verdict: "PASS",
      detail: "1 check passes\nits last words: I have\nadded b.",
      change: { commits: 1, files: 1 },
    });
    expect(end("commits")).toMatchObject({ verdict: "PASS", change: { commits: 1 } });
  });

  it("where checks fail it is told, too, of what it changed outside its bounds: that may be why", () => {
    expect(end("strays")).toMatchObject({
      verdict: "FAIL",
      findings: [
        { text: expect.stringContaining("false exited 1") },
        { text: "README.md: changed outside authorized_files", file: "README.md" },
      ],
    });
  });

  it("FAIL where a check fails, with what it said", () => {
    expect(end("unchecked")).toMatchObject({
      verdict: "FAIL",
      findings: [{ key: expect.stringContaining("check:"), text: expect.stringContaining("expected c") }],
    });
  });

  it("the no of its last line", () => {
    expect(end("blocked")).toMatchObject({ verdict: "BLOCKED", detail: "two sentences disagree" });
    expect(end("same")).toMatchObject({ verdict: "NO_CHANGE", detail: "it is there already" });
  });

  it("what it says of the work of others, where it only judges; nothing said is a crash", () => {
    expect(end("judges")).toMatchObject({ verdict: "FAIL", detail: "no test for it" });
    expect(end("agrees")).toMatchObject({ verdict: "PASS" });
    expect(end("dumb")).toMatchObject({ how: "no-verdict" });
  });
});

describe("what keeps an agent from going on", () => {
  it.each([
    ["limit", { how: "rate-limited", cause: "rate-limit", detail: expect.stringContaining("429") }],
    [
      "away",
      { how: "rate-limited", cause: "provider-down", until: null, detail: expect.stringContaining("ECONNREFUSED") },
    ],
    ["login", { how: "auth", cause: "auth", detail: "Authentication required" }],
    ["quota", { how: "auth", cause: "quota", detail: expect.stringContaining("insufficient_quota") }],
    ["version", { how: "setup", detail: expect.stringContaining("version 2 of ACP") }],
    ["modeless", { how: "setup", detail: expect.stringContaining("no mode yolo (it has: plan)") }],
    ["absent", { how: "setup", detail: expect.stringContaining("no-such-agent-anywhere cannot be started") }],
    ["refuses", { how: "verdict", verdict: "BLOCKED", cause: "model-refused" }],
    [
      "full",
      {
        how: "verdict",
        verdict: "FAIL",
        cause: "context-full",
        findings: [{ key: "context-full", text: expect.anything() }],
      },
    ],
    [
      "long",
      {
        how: "verdict",
        verdict: "FAIL",
        cause: "context-full",
        findings: [{ key: "context-full", text: expect.anything() }],
      },
    ],
    ["unknown", { how: "no-verdict" }],
  ])("%s", (name, wanted) => {
    expect(end(name)).toMatchObject(wanted);
  });

  it("a limit says until when", () => {
    const { until } = end("limit") as { until: number };
    expect(Math.abs(until - Date.now() - 90_000)).toBeLessThan(300_000);
  });
});

describe("an agent has", () => {
  it("tools: its assignment, progress, and a verdict of its own that counts", () => {
    expect(end("tools")).toMatchObject({ verdict: "PASS", detail: "seen to work", change: { commits: 1 } });
    const [assignment, progress, refused] = home()
      .heard("tools")
      .filter(({ what }) => what === "tool");
    expect(assignment?.text).toContain('"task_id": "tools"');
    expect(progress?.text).toBe("implementing 55 %");
    expect(refused?.text).toContain("needs a detail");
    expect(fileIn("tools", "progress.json")).toMatchObject({ status: "implementing", percent: 55 });
  });

  it("the mode that it is to be in", () => {
    expect(end("mode")).toMatchObject({ verdict: "PASS" });
    expect(home().heard("mode")).toContainEqual({ what: "session/set_mode", mode: "yolo" });
  });

  it("its usage counted: the session's money as it says it last, the turn's tokens", () => {
    expect(end("spends")).toMatchObject({ usageKnown: true, usage: { microUsd: 31_200, tokens: 4_321 } });
  });

  it("commands that leave nothing behind, and the files of its worktree alone", () => {
    const heard = home().heard("runs");
    const [first, second] = heard.filter(({ what }) => what === "ran");
    expect(first).toMatchObject({ exitCode: 0, output: expect.stringMatching(/from .*worktrees\/runs\non\n/) });
    expect(second).toMatchObject({ exitCode: 7 });
    expect(git(home().repo, "show", "pawl/runs:src/read.txt")).toBe("a");
    expect(heard.filter(({ what }) => what === "unread").map(({ path, code }) => [path, code])).toEqual([
      ["nowhere.txt", -32_002],
      ["/etc/hostname", -32_602],
    ]);
  });

  it("progress from its plan", () => {
    expect(fileIn("plans", "progress.json")).toMatchObject({
      status: "implementing",
      percent: 40,
      activity: "Write b",
    });
    expect(home().log("plans")).toContain("plan   [x] look  [>] change it  [ ] test it  [ ] tell");
  });
});
