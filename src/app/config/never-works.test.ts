import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { faultsRepository } from "../../../test/support/faults-of.ts";
import { git } from "../../../test/support/plain-git.ts";
import { readConfiguration } from "./reading.ts";

const { repo, faultsOf, errorsOf, close } = faultsRepository();
afterAll(close);
writeFileSync(join(repo, "file"), "no folder");

const AGENT = "agents: {default: {command: ./fix.sh}}\n";
const pawl = (more: string): Record<string, string> => ({ "pawl.yaml": AGENT + more });
const screen = (target: string): Record<string, string> => ({
  "pawl.yaml": `agents: {default: {command: x}, phone: {device: {target: ${target}}}}\n`,
});

type Row = readonly [what: string, files: Record<string, string>, fault: string, next: RegExp];

const VALUES: readonly Row[] = [
  ["a screen of no kind that there is", screen('"usb:1"'), "TARGET_BAD:pawl.yaml:1:58", /adb:SERIAL/],
  ["a kind of screen in capitals", screen("ADB:x"), "TARGET_BAD:pawl.yaml:1:58", /^write adb:x\./],
  ["a browser's address that is none", screen('"browser:ftp://x"'), "TARGET_BAD:pawl.yaml:1:58", /browser:https:/],
  ["a browser without an address", screen('"browser:"'), "TARGET_BAD:pawl.yaml:1:58", /browser:https:/],
  ["a recorded run without a name", screen('"replay:"'), "TARGET_BAD:pawl.yaml:1:58", /replay:RUN/],
  ["a phone without a name", screen('"adb:"'), "TARGET_BAD:pawl.yaml:1:58", /adb:SERIAL/],
  ["a phone with a name that none has", screen('"adb:a b"'), "TARGET_BAD:pawl.yaml:1:58", /adb:SERIAL/],
  [
    "more approvals than there are people",
    {
      "pawl.yaml": `${AGENT}forge: {kind: github, repo: a/b}\nsignals: {pr-approved: {approvals: 3, from: [ann, bob]}}\n`,
    },
    "TYPE_BAD:pawl.yaml:3:36",
    /^write 2 or less/,
  ],
  ["a gate that nobody can answer", pawl("gates: {go: []}\n"), "TYPE_BAD:pawl.yaml:2:13", /rules, human/],
  [
    "a channel that is told nothing",
    pawl("channels: [{webhook: {url_env: X, events: []}}]\n"),
    "TYPE_BAD:pawl.yaml:2:43",
    /^name one/,
  ],
  ["a budget of no worker", pawl("budgets: {task: {spawns: 0}}\n"), "TYPE_BAD:pawl.yaml:2:26", /take spawns out/],
  ["a budget of no token", pawl("budgets: {backlog: {tokens: 0}}\n"), "TYPE_BAD:pawl.yaml:2:29", /take tokens out/],
  ["a budget of no money", pawl("budgets: {task: {cost_usd: 0.0}}\n"), "TYPE_BAD:pawl.yaml:2:28", /take cost_usd out/],
  [
    "a budget of less than can be counted",
    pawl("budgets: {task: {cost_usd: 0.0000001}}\n"),
    "TYPE_BAD:pawl.yaml:2:28",
    /take cost_usd out/,
  ],
  [
    "a task's budget of nothing",
    { ...pawl(""), "tasks/a.md": "---\ntitle: x\nbudget: {spawns: 0}\n---\nDo it.\n" },
    "TYPE_BAD:tasks/a.md:3:18",
    /take spawns out/,
  ],
  [
    "a model whose answer alone fills what it can read",
    pawl("models: {m: {provider: ollama, model: x, context: 4k, max_output_tokens: 4k}}\n"),
    "TYPE_BAD:pawl.yaml:2:74",
    /less than 4000/,
  ],
  [
    "an address of a model that is none",
    pawl('models: {m: {provider: openai-compatible, model: x, base_url: "http://[::1"}}\n'),
    "TYPE_BAD:pawl.yaml:2:63",
    /http:/,
  ],
  ["an address of a server of tools", pawl("mcp_servers: {a: {url: nowhere}}\n"), "TYPE_BAD:pawl.yaml:2:24", /https:/],
  [
    "another protocol than that of the web",
    pawl('mcp_servers: {a: {url: "ftp://x/y"}}\n'),
    "TYPE_BAD:pawl.yaml:2:24",
    /https:/,
  ],
  ["a forge of no kind", pawl("forge: {repo: acme/shop}\n"), "KEY_MISSING:pawl.yaml:2:1", /kind: github/],
  ["a channel of no kind", pawl("channels: [{}]\n"), "KEY_MISSING:pawl.yaml:2:12", /webhook/],
  [
    "a place in an output that is none",
    { "pawl.yaml": "agents: {default: {command: x, output: {format: json-lines, message: {at: []}}}}\n" },
    "TYPE_BAD:pawl.yaml:1:75",
    /^name one/,
  ],
  [
    "a branch below one that is there",
    pawl("branch_prefix: main/\n"),
    "BRANCH_TAKEN:pawl.yaml:2:16",
    /another branch_prefix/,
  ],
  [
    "a branch far below one that is there",
    pawl("branch_prefix: main/x/y-\n"),
    "BRANCH_TAKEN:pawl.yaml:2:16",
    /another branch_prefix/,
  ],
];

const PLACES: readonly Row[] = [
  ["worktrees in a file", pawl("worktree: {root: file}\n"), "PLACE_BAD:pawl.yaml:2:18", /name a folder/],
  ["worktrees below a file", pawl("worktree: {root: file/a/b}\n"), "PLACE_BAD:pawl.yaml:2:18", /name a folder/],
  [
    "worktrees below what is no folder",
    pawl("worktree: {root: /dev/null/x}\n"),
    "PLACE_BAD:pawl.yaml:2:18",
    /name a folder/,
  ],
  [
    "worktrees where nothing can be made",
    pawl("worktree: {root: /proc/x/y}\n"),
    "PLACE_BAD:pawl.yaml:2:18",
    /name a folder/,
  ],
  [
    "worktrees in git's own folder",
    pawl("worktree: {root: .git/worktrees}\n"),
    "PLACE_BAD:pawl.yaml:2:18",
    /leave root out/,
  ],
  ["worktrees among the tasks", pawl("worktree: {root: tasks}\n"), "PLACE_BAD:pawl.yaml:2:18", /leave root out/],
  [
    "worktrees below the tasks",
    pawl("tasks: work\nworktree: {root: ./work/trees}\n"),
    "PLACE_BAD:pawl.yaml:3:18",
    /leave root out/,
  ],
  [
    "worktrees among the checkout's own files",
    pawl("worktree: {root: .}\n"),
    "PLACE_BAD:pawl.yaml:2:18",
    /leave root out/,
  ],
  ["worktrees among what Pawl keeps", pawl("worktree: {root: .pawl}\n"), "PLACE_BAD:pawl.yaml:2:18", /leave root out/],
  ["worktrees where the store is", pawl("worktree: {root: .pawl/store.db}\n"), "PLACE_BAD:pawl.yaml:2:18", /name a f/],
  ["worktrees among runs", pawl("worktree: {root: ./.pawl/runs/x}\n"), "PLACE_BAD:pawl.yaml:2:18", /name a folder/],
  ["a store where runs are", pawl("store: .pawl/runs\n"), "PLACE_BAD:pawl.yaml:2:8", /name a file/],
  ["a store where worktrees are", pawl("store: .pawl/worktrees\n"), "PLACE_BAD:pawl.yaml:2:8", /name a file/],
  [
    "answers of people where the store's log is",
    pawl("signals: {human-approval: {inbox: .pawl/store.db-wal}}\n"),
    "PLACE_BAD:pawl.yaml:2:35",
    /name a folder/,
  ],
  ["a store below a file", pawl("store: file/store.db\n"), "PLACE_BAD:pawl.yaml:2:8", /name a file/],
  [
    "a store that is a folder",
    { ...pawl("store: tasks\n"), "tasks/README.md": "x" },
    "PLACE_BAD:pawl.yaml:2:8",
    /name a file/,
  ],
  [
    "answers of people in a file",
    pawl("signals: {human-approval: {inbox: file}}\n"),
    "PLACE_BAD:pawl.yaml:2:35",
    /name a folder/,
  ],
  ["tasks in a file", pawl("tasks: file\n"), "PLACE_BAD:pawl.yaml:2:8", /name a folder/],
  ["tasks in git's own folder", pawl("tasks: .git/tasks\n"), "PLACE_BAD:pawl.yaml:2:8", /name a folder/],
  ["roles in a file", pawl("roles: [file]\n"), "PLACE_BAD:pawl.yaml:2:9", /name a folder/],
  ["patterns in a file", pawl("patterns: file\n"), "PLACE_BAD:pawl.yaml:2:11", /name a folder/],
  ["skills in a file", pawl("skills: file\n"), "PLACE_BAD:pawl.yaml:2:9", /name a folder/],
];

describe("what can never work is a fault, at its place, with what to do", () => {
  test.each(VALUES)("a value: %s", async (_, files, fault, next) => {
    expect(await faultsOf(files)).toEqual([fault]);
    expect((await errorsOf(files))[0]?.next).toMatch(next);
  });
  test.each(PLACES)("a place: %s", async (_, files, fault, next) => {
    expect(await faultsOf(files)).toEqual([fault]);
    expect((await errorsOf(files))[0]?.next).toMatch(next);
  });
  test("worktrees where this user may make nothing: root may everywhere", async () => {
    mkdirSync(join(repo, "shut"), { mode: 0o500 });
    const faults = await faultsOf(pawl("worktree: {root: shut/trees}\n"));
    expect(faults).toEqual(process.getuid?.() === 0 ? [] : ["PLACE_BAD:pawl.yaml:2:18"]);
  });
  test("a branch that the usual prefix would be below has no place in pawl.yaml", async () => {
    git(repo, "branch", "pawl");
    expect(await faultsOf(pawl(""))).toEqual(["BRANCH_TAKEN"]);
    git(repo, "branch", "-D", "pawl");
  });
});

describe("what can work is none", () => {
  test.each([
    [
      "screens",
      {
        "pawl.yaml": `agents: {default: {command: x}, a: {device: {target: adb}}, b: {device: {target: "adb:10.0.0.2:5555"}}, c: {device: {target: "browser:example.org"}}, d: {device: {target: "browser:http://127.0.0.1:8080/x"}}, e: {device: {target: "replay:shop-1"}}}\n`,
      },
    ],
    [
      "places that are not there yet",
      pawl(
        "worktree: {root: ../beside/trees}\nstore: .pawl/other/store.db\nsignals: {human-approval: {inbox: answers/here}}\n",
      ),
    ],
    ["worktrees below Pawl's own folder", pawl("worktree: {root: .pawl/trees}\n")],
    [
      "places that are the usual ones",
      pawl(
        "worktree: {root: .pawl/worktrees/mine}\nstore: .pawl/store.db\nsignals: {human-approval: {inbox: .pawl/inbox}}\n",
      ),
    ],
    [
      "as many approvals as there are people",
      {
        "pawl.yaml": `${AGENT}forge: {kind: github, repo: a/b}\nsignals: {pr-approved: {approvals: 2, from: [ann, bob]}}\n`,
      },
    ],
    ["bounds that say never", pawl("limits: {plan_revisions: 0, fix_attempts: 0, max_hold_hours: 0}\n")],
    ["a small budget", pawl("budgets: {task: {spawns: 1, tokens: 1, cost_usd: 0.01, wall: 1s}}\n")],
    ["a prefix that is like a branch", pawl("branch_prefix: main-\n")],
  ])("%s", async (_, files) => {
    expect(await faultsOf(files)).toEqual([]);
  });

  test.each([
    ["the built-in worker", "agents: {default: pawl}\n", undefined, ["pawl"]],
    ["one with a name", "agents: {default: mine, mine: {pawl: {planner: ollama/x}}}\n", undefined, ["mine"]],
    ["one with a model of its own", "agents: {default: {pawl: {model: ollama/x}}}\n", undefined, []],
    ["one with the first of models:", "agents: {default: pawl}\nmodels: {m: ollama/x}\n", undefined, []],
    ["one whose surroundings name it", "agents: {default: pawl}\n", "ollama/x", []],
    ["one of another maker", "agents: {default: claude}\n", undefined, []],
  ])("a worker that thinks with no model is a warning: %s", async (_, yaml, model, lacking) => {
    await errorsOf({ "pawl.yaml": yaml });
    const overrides = model === undefined ? {} : { model: { value: model, from: "PAWL_MODEL" } };
    const { reading } = await readConfiguration({ repo, overrides });
    const told = reading.warnings.filter(({ code }) => code === "MODEL_MISSING");
    expect(told.map(({ message }) => / agent (\w+) thinks/.exec(message)?.[1])).toEqual(lacking);
  });

  test("a folder that is named and not there is a warning: what is to come from it does not", async () => {
    await errorsOf(pawl("roles: [roels]\nskills: [a/b]\n"));
    const { reading } = await readConfiguration({ repo, overrides: {} });
    expect(
      reading.warnings.filter(({ code }) => code === "FOLDER_MISSING").map(({ at }) => [at.line, at.column]),
    ).toEqual([
      [2, 9],
      [3, 10],
    ]);
  });
});
