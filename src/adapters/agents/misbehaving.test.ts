import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endsOf, type Wanted, worker } from "../../../test/support/host.ts";
import { git } from "../../../test/support/scratch.ts";
import type { RunEnd } from "../../domain/input.ts";

const repeat = (what: string) => `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do ${what}; sleep 0.25; done; exit 9`;
const SHORT = { wallMs: 600 };
const STALL = { stallMs: 2_000 };

const CASES: Record<string, Wanted> = {
  "exits-137": {},
  "half-line": {},
  "torn-verdict": {},
  "huge-verdict": {},
  "others-verdict": {},
  "never-ends": SHORT,
  "ignores-term": SHORT,
  stalls: { program: { ...STALL, command: worker("never-ends") } },
  prints: { program: { ...STALL, command: repeat('echo "$i"') } },
  computes: { program: { ...STALL, command: "(timeout 3 sh -c 'while :; do :; done'); exit 9" } },
  progresses: { program: { ...STALL, command: repeat('echo "$i" >"$PAWL_RUN_DIR/progress.json"') } },
  commits: { program: { ...STALL, command: repeat('git commit -q --allow-empty -m "$i"') } },
  "holds-pipe": {},
  escapes: {},
  forks: {},
  floods: { brief: { logBytes: 300_000 } },
  outside: {},
  "deletes-worktree": {},
};

const { home, end: endOf } = endsOf(
  Object.fromEntries(
    Object.entries(CASES).map(([name, wanted]) => [
      name,
      { ...wanted, program: { command: worker(name), ...wanted.program } },
    ]),
  ),
);
const alive = (name: string) =>
  home().parts.processes.withEnv("PAWL_RUN_DIR", join(home().parts.state, `runs/${name}/01-implement-a1`));

describe("a worker that writes no good verdict has crashed, and its detail says how", () => {
  it.each<[string, string]>([
    ["exits-137", "(exit 137, killed)"],
    ["half-line", "(exit 3)"],
    ["torn-verdict", "(verdict.json is refused: it is not JSON"],
    ["huge-verdict", "(verdict.json is refused: it has 104857600 bytes, more than 1048576; exit 0)"],
    [
      "others-verdict",
      "(verdict.json is refused: it is the verdict of leg task-9/1/1.1, not of others-verdict/1/1.1; exit 0)",
    ],
  ])("%s", (name, detail) => {
    const end = endOf(name);
    expect(end.how).toBe("no-verdict");
    expect((end as Extract<RunEnd, { how: "no-verdict" }>).detail).toContain(
      `worker completed without writing verdict ${detail}`,
    );
    expect(end).toMatchObject({ usage: { microUsd: 0, tokens: 0, spawns: 1 }, usageKnown: false });
    expect(end.usage.wallMs).toBeGreaterThan(0);
  });
});

describe("a worker that does not end", () => {
  it("is ended at its wall limit, and is told so", () => {
    expect(endOf("never-ends")).toMatchObject({ how: "timeout", detail: "timed out after 0.01 of 0.01 minutes" });
  });

  it("is killed with its children where it does not hear SIGTERM", async () => {
    expect(endOf("ignores-term").how).toBe("timeout");
    expect(await alive("ignores-term")).toEqual([]);
  });

  it("is stalled when nothing of it moves", () => {
    expect(endOf("stalls")).toMatchObject({
      how: "no-verdict",
      detail: "worker completed without writing verdict (no sign of life for 0.033 minutes)",
    });
  });

  it.each([
    ["prints", "prints now and then"],
    ["computes", "has a child that computes in silence"],
    ["progresses", "replaces progress.json"],
    ["commits", "commits"],
  ])("is not stalled (%s) as long as it %s", (name) => {
    expect(endOf(name)).toMatchObject({ detail: "worker completed without writing verdict (exit 9)" });
  });
});

describe("a worker that leaves things behind", () => {
  it("with a grandchild that holds its output ends when it ends, and the grandchild too", async () => {
    const end = endOf("holds-pipe");
    expect(end).toMatchObject({ how: "verdict", verdict: "FAIL", detail: "left a child" });
    expect(end.usage.wallMs).toBeLessThan(20_000);
    expect(await alive("holds-pipe")).toEqual([]);
  });

  it.each(["escapes", "forks"])("in other sessions (%s) has them ended by their environment", async (name) => {
    expect(endOf(name)).toMatchObject({ how: "verdict", verdict: "FAIL" });
    expect(await alive(name)).toEqual([]);
  });

  it("floods its output: the log keeps its head and its end, and says how much is cut", () => {
    expect(endOf("floods")).toMatchObject({ how: "no-verdict", detail: expect.stringContaining("(exit 4)") });
    const folder = join(home().parts.state, "runs/floods/01-implement-a1/leg-1");
    expect(statSync(join(folder, "output.log")).size).toBeLessThan(301_000);
    const log = readFileSync(join(folder, "output.log"), "latin1");
    expect(log).toMatch(/\[pawl: 1997\d+ bytes of 200000015 are cut here\]/);
    expect(log.endsWith("the last line\n")).toBe(true);
    const ended = JSON.parse(readFileSync(join(folder, "ended.json"), "utf8"));
    expect(ended.log_bytes + ended.log_cut).toBe(200_000_015);
    expect(ended.tail.length).toBeLessThanOrEqual(65_536);
  });
});

describe("a worker that passes with files outside its scope", () => {
  it("fails with a finding for each, committed or not, and they stay where they are", () => {
    const end = endOf("outside");
    expect(end).toMatchObject({ how: "verdict", verdict: "FAIL" });
    const { findings } = end as Extract<RunEnd, { how: "verdict" }>;
    expect(findings).toEqual([
      { key: "scope:MANUAL.md", file: "MANUAL.md", text: "MANUAL.md: changed outside authorized_files" },
      { key: "scope:README.md", file: "README.md", text: "README.md: changed outside authorized_files" },
      { key: "left:loose ä.txt", file: "loose ä.txt", text: "loose ä.txt: changed outside authorized_files" },
      { key: "scope:pawl.yaml", file: "pawl.yaml", text: "pawl.yaml: changed although it is protected" },
    ]);
    const worktree = join(home().parts.worktreeRoot, "outside");
    expect(existsSync(join(worktree, "loose ä.txt"))).toBe(true);
    expect(git(worktree, "status", "--porcelain")).toBe('?? "loose \\303\\244.txt"');
    expect(git(worktree, "show", "--stat", "--format=%s", "HEAD")).toContain("Work of outside");
  });

  it("is taken at its commits where it took its own worktree away", () => {
    expect(endOf("deletes-worktree")).toMatchObject({ how: "verdict", verdict: "PASS", change: { commits: 1 } });
  });
});
