import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../../../../test/support/command-line.ts";
import { needs } from "../../../../test/support/needs.ts";
import { repository, scratch } from "../../../../test/support/scratch.ts";
import { aMap, aSeed, aTask, aTick, at } from "../../../../test/support/ticks.ts";
import { glance, NOTHING_SEEN } from "../../../adapters/store/glance.ts";
import { openStore } from "../../../adapters/store/index.ts";
import type { LegKey, PhaseName } from "../../../domain/names.ts";
import type { Phase, PhaseMap } from "../../../domain/phase.ts";
import type { Finding, Task } from "../../../domain/task.ts";
import { DECLARED } from "../declared.ts";
import { complete } from "./complete.ts";
import { SCRIPTS } from "./scripts.ts";

const phase = (name: string, answeredBy: "human" | "command"): Phase =>
  ({ name, step: { run: "signal", name: "x", answeredBy, pr: false } }) as unknown as Phase;
const MAP: PhaseMap = {
  ...aMap(),
  phases: { review: phase("review", "human"), window: phase("window", "command") } as PhaseMap["phases"],
};
const asking = (id: string, at_: string): Task =>
  aTask(id, { phase: at_ as PhaseName, doing: { kind: "asking", signal: "x", since: at(1) } });
const gated = (id: string, gate: "GO" | "NEXT"): Task =>
  aTask(id, {
    doing: { kind: "at-gate", leg: `${id}/1/1.1` as LegKey, gate, seq: 1, since: at(1) } as unknown as Task["doing"],
    findings: [
      { label: "F1", state: "open" },
      { label: "F2", state: "fixed" },
    ] as unknown as Finding[],
  });

/** A repository whose store has a task of each kind. */
async function withTasks(): Promise<string> {
  const { repo } = repository({ "tasks/task-1.md": "x\n", "tasks/new.md": "x\n", "phase-maps/release.yaml": "x\n" });
  const store = await openStore(join(repo, ".pawl/store.db"), { create: true });
  const got = await store.lease({ pid: process.pid, host: "here", now: at(1) });
  if (!("lease" in got)) throw new Error("held");
  const rows = [
    asking("task-10", "review"),
    asking("task-2", "review"),
    asking("task-3", "window"),
    gated("task-4", "GO"),
    gated("task-5", "NEXT"),
    aTask("task-6", { status: "failed", doing: { kind: "nothing" } as Task["doing"] }),
  ];
  await store.commit(got.lease.epoch, aTick(1, { rows, seeds: [aSeed("task-7")], maps: [MAP] }));
  await store.close();
  return repo;
}

async function completed(cwd: string, line: string): Promise<readonly string[]> {
  const out: string[] = [];
  const stdout = { write: (text: string | Uint8Array) => void out.push(String(text)) };
  const env = { PATH: process.env.PATH, HOME: cwd };
  await complete(line.split(" "), { cwd, env, streams: { stdin: {}, stdout, stderr: stdout } });
  return out.join("").split("\n").filter(Boolean);
}

describe("completion", () => {
  test("offers only the ids that fit, in their natural order, and what else a word may become", async () => {
    const repo = await withTasks();
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ["approve ", ["task-2", "task-10"]],
      ["approve task-1", ["task-10"]],
      ["reject ", ["task-2", "task-10"]],
      ["go ", ["task-4"]],
      ["next ", ["task-5"]],
      ["block ", ["task-4", "task-5"]],
      ["waive ", ["task-4", "task-5"]],
      ["waive task-4 ", ["F1"]],
      ["retry ", ["task-6"]],
      ["retry task-6 --from ", ["review", "window"]],
      ["cancel ", ["task-2", "task-3", "task-4", "task-5", "task-7", "task-10"]],
      ["show task-1", ["task-10"]],
      ["run task-2 task-", ["task-3", "task-4", "task-5", "task-7", "task-10"]],
      ["-q approve task-10 ", []],
      ["add x --dep ", ["new", "task-1"]],
      ["explain ", ["release", "auto", "default"]],
      ["verdict ", ["pass", "fail", "no-change", "blocked"]],
      ["completion z", ["zsh"]],
      ["device re", ["replay"]],
      ["app", ["approve"]],
      ["approve --mes", ["--message"]],
      ["approve -m ", []],
      ["approve -m words task-2", ["task-2"]],
      ["exec --sandbox re", ["require"]],
      ["edit ", []],
      ["nothing-like-it ", []],
    ];
    for (const [line, found] of rows) expect([line, await completed(repo, line)]).toEqual([line, found]);
    expect(await completed(repo, "")).toEqual([...DECLARED.map(({ usage }) => usage.split(" ")[0]), "help"]);
    const store = join(repo, ".pawl/store.db");
    expect(await completed(scratch(), `--store ${store} go `)).toEqual(["task-4"]);
  });

  test("what the time of the look is too short for is not offered", async () => {
    const store = join(await withTasks(), ".pawl/store.db");
    expect((await glance(store, 10_000)).live).toHaveLength(5);
    expect(await glance(store, -1)).toEqual(NOTHING_SEEN);
  });

  test("outside of a repository, and over a store that cannot be read, it says nothing", async () => {
    expect(await completed(scratch(), "approve ")).toEqual([]);
    const { repo } = repository({ "a.txt": "" });
    mkdirSync(join(repo, ".pawl"));
    writeFileSync(
      join(repo, ".pawl/store.db"),
      "no database, but long enough to be taken for one at the first look".repeat(20),
    );
    expect(await completed(repo, "show ")).toEqual([]);
  });

  test("a shell that is not known is refused with those that are", async () => {
    const { code, err } = await commandLine(scratch(), ["completion", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish, powershell")]);
  });
});

/** `pawl` on the path, as it is installed. */
function shell(program: string, args: readonly string[], script: string): string {
  const bin = scratch();
  writeFileSync(
    join(bin, "pawl"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(process.cwd(), "dist/cli.mjs")}" "$@"\n`,
  );
  chmodSync(join(bin, "pawl"), 0o755);
  const env = { HOME: bin, PATH: [bin, process.env.PATH].join(delimiter), XDG_CONFIG_HOME: bin, XDG_DATA_HOME: bin };
  const said = spawnSync(program, [...args, script], { cwd: bin, env, encoding: "utf8", timeout: 30_000 });
  return said.stdout + said.stderr;
}

describe("in the shells themselves", () => {
  needs("bash", "bash")("bash completes commands, flags and values, also an empty word", () => {
    const said = shell(
      "bash",
      ["--norc", "-c"],
      `source <(pawl completion bash); complete -p pawl
       try() { COMP_WORDS=(pawl "$@"); COMP_CWORD=$#; _pawl; echo "$* = \${COMPREPLY[*]}"; }
       try app; try verdict ""; try approve --he`,
    );
    expect(said).toBe(
      "complete -o default -F _pawl pawl\napp = approve\nverdict  = pass fail no-change blocked\napprove --he = --head --help\n",
    );
  });

  needs("zsh", "zsh")("zsh takes what the program says, and files where it says nothing", () => {
    const said = shell(
      "zsh",
      ["-f", "-c"],
      `compdef() { }; compadd() { print -r -- "add \${(P)@[-1]}" }; _files() { print files }
       source <(pawl completion zsh)
       words=(pawl verdict ""); CURRENT=3; _pawl; words=(pawl edit ""); CURRENT=3; _pawl`,
    );
    expect(said).toBe("add pass fail no-change blocked\nfiles\n");
  });

  needs("fish", "fish")("fish completes commands and values", () => {
    const said = shell(
      "fish",
      ["-N", "-c"],
      "pawl completion fish | source; complete -C 'pawl app'; complete -C 'pawl verdict '",
    );
    for (const word of ["approve", "pass", "no-change"]) expect(said.split("\n")).toContain(word);
  });

  test("each script asks the program, and names no command of it", () => {
    for (const script of Object.values(SCRIPTS)) {
      expect(script).toContain("__complete");
      expect(script).not.toContain("approve");
    }
  });
});
