import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ModelRequest } from "../../src/ports/model.ts";
import { live } from "../support/live-worker.ts";
import { git } from "../support/scratch.ts";
import { isPlanner, patternIn, plannerSays, type Says } from "../support/scripted-mind.ts";
import { shows } from "../support/shows.ts";

const TREE = `# what the release needs; mind the order
id: task-1
title: adding, our way
nodes:
  - id: n-human # ours
    title: tell the users
    deps: [n-AC-001]
    status: unchanged
    coverage_pct: 0
    acceptance: [a letter]
    notes: after the freeze
    owner: ann
`;
const CRITERIA = [
  { id: "AC-001", text: "add(1, 2) is 3" },
  { id: "AC-002", text: "two is 2" },
];
const PLAN = {
  approach: "swap the sign, then use it",
  ac_mapping: [
    { ac: "AC-001", implementation: "plus", file: "src/add.mjs", test: "suite" },
    { ac: "AC-002", implementation: "a constant", file: "src/two.mjs", test: "suite" },
  ],
  files: [
    { path: "src/add.mjs", changes: ["plus"] },
    { path: "src/two.mjs", changes: ["new"] },
  ],
  tests: [{ name: "adds", kind: "unit", text: "" }],
};
const REPORT = {
  summary: "both",
  ac_verification: [
    { ac: "AC-001", status: "PASS", evidence: [{ file: "src/add.mjs", line: 1 }] },
    { ac: "AC-002", status: "PASS", evidence: [{ file: "src/two.mjs", line: 1 }] },
  ],
  notes: [],
};
const WRITE = { path: "src/two.mjs", text: "export const two = 2;\n" };

/** Three tasks: each with another Entity of Interest, the last without one. */
const TASKS = [
  { task_type: "code_modify", goals: ["add adds"], eoi: { kind: "function", label: "add", path: "src/add.mjs" } },
  { task_type: "code_create", goals: ["two is there"], eoi: { kind: "file", label: "two.mjs", path: "src/two.mjs" } },
  { task_type: "memory_op", goals: ["kept for later"] },
];
const CALLS: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  plan: [["plan_submit", PLAN]],
  report: [["report_submit", REPORT]],
  code_create: [
    ["file_write", WRITE],
    ["test_run", {}],
  ],
  memory_op: [
    ["memory_search", { query: "adding" }],
    ["memory_save", { text: "Adding needs plus." }],
  ],
};

interface RunLog {
  readonly run_id: string;
  readonly eoi: { readonly label: string } | null;
  readonly commands: readonly { readonly cmd: string; readonly exit_code: number }[];
  readonly affected_nodes: readonly Record<string, unknown>[];
}
const logIn = (repo: string): RunLog => {
  const [name] = readdirSync(join(repo, ".pawl", "runs")).filter((one) => one.endsWith(".json"));
  return JSON.parse(readFileSync(join(repo, ".pawl", "runs", name!), "utf8")) as RunLog;
};
const textOf = ({ system, turns }: ModelRequest): string => `${system}\n${(turns[0] as { text: string }).text}`;

/** Carries the tasks out, and keeps what the run log said at each question of an executor. */
async function threeTasks(assignment: Parameters<typeof live>[0] = {}) {
  const logs: RunLog[] = [];
  let planned = 0;
  const says = (request: ModelRequest, _: number, { repo }: { readonly repo: string }): Says | null => {
    logs.push(logIn(repo));
    if (isPlanner(request)) {
      const next = TASKS[planned++];
      return next ? plannerSays({ action: "EXECUTE", ...next }) : plannerSays({ action: "COMPLETE" });
    }
    return callOf(request);
  };
  const lived = await live({
    ...assignment,
    files: { "task_tree.yaml": TREE },
    says,
    submits: callOf,
    order: { tree: "branch", ...assignment.order },
    assignment: { acceptance_criteria: CRITERIA, ...assignment.assignment },
  });
  return { ...lived, logs };
}

function callOf(request: ModelRequest): Says | null {
  const calls = CALLS[patternIn(request)];
  if (!calls) return null;
  const made = request.turns.filter(({ role }) => role === "results").length;
  const [name, args] = calls[made] ?? ["done", { summary: "made" }];
  return { calls: [{ name, args }] };
}

test("WRK-2.1 WRK-2.2 WRK-2.3 tree and run log tell what was done, commit by commit, and leave what people wrote", async () => {
  const { end, repo, base, logs } = await threeTasks();
  expect(end).toMatchObject({ how: "finished", verdict: "PASS" });

  const commits = git(repo, "rev-list", "--reverse", `${base}..HEAD`).split("\n");
  const trees = commits.map((commit) => git(repo, "show", `${commit}:task_tree.yaml`));
  const nodes = trees.map((text) => (parse(text) as { nodes: Record<string, unknown>[] }).nodes);
  const states = nodes.map((of) => of.map(({ id, status, coverage_pct }) => [id, status, coverage_pct].join(" ")));
  expect(states[0]?.every((line) => line.endsWith("unchanged 0"))).toBe(true);
  // a commit's id is known only behind it: the tree in the next one has it
  expect(states[1]).toEqual(["n-human unchanged 0", "n-AC-001 partial 80", "n-AC-002 unchanged 0"]);
  expect(states.at(-1)).toEqual(["n-human unchanged 0", "n-AC-001 done 100", "n-AC-002 done 100"]);
  shows("WRK-2.1", 1);
  const [, first] = nodes.at(-1)!;
  const evidence = first!.evidence as { commits: string[]; files: string[] };
  expect(evidence.files).toEqual(["src/add.mjs"]);
  // the first commit made it, and the second is about something else
  expect(evidence.commits).toEqual([commits[0]]);
  shows("WRK-2.1", 2);
  for (const words of [
    "# what the release needs",
    "# ours",
    "deps: [n-AC-001]",
    "notes: after the freeze",
    "owner: ann",
  ])
    expect(trees.at(-1)).toContain(words);
  expect(trees.at(-1)).toContain("title: adding, our way");
  shows("WRK-2.1", 3);

  const fields = [
    "run_id",
    "task_id",
    "start_ts",
    "end_ts",
    "eoi",
    "commands",
    "commits",
    "validation",
    "affected_nodes",
  ];
  expect(Object.keys(logs[0]!)).toEqual(expect.arrayContaining([...fields, "reflections", "status"]));
  shows("WRK-2.2", 1);
  const tested = ({ commands }: RunLog) => commands.filter(({ cmd }) => cmd === "sh suite.sh").length;
  expect(logs.map(tested).toSorted((a, b) => a - b)).toEqual(logs.map(tested));
  expect(tested(logs.at(-1)!)).toBe(2);
  shows("WRK-2.2", 2);
  expect(logIn(repo).affected_nodes).toEqual([
    {
      id: "n-AC-001",
      status: "done",
      coverage_pct: 100,
      evidence: { commits: evidence.commits, files: ["src/add.mjs"] },
      note: "src/add.mjs:1",
    },
    expect.objectContaining({ id: "n-AC-002", status: "done", note: "src/two.mjs:1" }),
  ]);
  shows("WRK-2.3", 1);
});

test("WRK-3.1 WRK-3.2 the prompt has ticket, attention, views, tree and constraints, within its budget", async () => {
  const lived = await threeTasks({
    assignment: {
      acceptance_criteria: CRITERIA,
      body: `\`add\` subtracts. Mend it. ${"Numbers matter to everyone who counts. ".repeat(2000)}`,
      stakeholders: ["accounting"],
      viewpoints: ["correctness"],
      concerns: ["overflow"],
    },
  });
  expect(lived.end).toMatchObject({ verdict: "PASS" });
  const { asked } = lived.mind;
  const inTask = (type: string) => textOf(asked.find((one) => patternIn(one) === type)!);
  const text = inTask("code_modify");
  for (const words of [
    "task-1: add adds",
    "attention: function add (src/add.mjs)",
    "stakeholders: accounting",
    "viewpoints: correctness",
    "concerns: overflow",
    "- n-human unchanged 0 %: tell the users; after n-AC-001; after the freeze",
    "may be changed: src/**",
  ])
    expect(text).toContain(words);
  shows("WRK-3.1", 1);
  // the body alone is 80 kB; a token is about four characters
  for (const request of asked) expect(textOf(request).length).toBeLessThan(7000 * 4);
  expect(text).toMatch(/\[cut/);
  shows("WRK-3.1", 2);

  const eois = lived.logs.map(({ eoi }) => eoi?.label ?? null);
  const inOrder = eois.filter((label, n) => label !== eois[n - 1]);
  expect(inOrder).toEqual([null, "add", "two.mjs", null]);
  shows("WRK-3.2", 1);
  expect(inTask("code_create")).toContain("attention: file two.mjs (src/two.mjs)");
  shows("WRK-3.2", 2);
  expect(inTask("memory_op")).not.toContain("attention:");
  shows("WRK-3.2", 3);
});

test("WRK-10.1 a plan that one session keeps is read and changed in the next", async () => {
  const step = (state: string) => ({
    steps: [
      { text: "mend add", state },
      { text: "write to ann", state: "open" },
    ],
  });
  const keep = (state: string, name = "plan_update") => ({
    calls: [{ name, args: name === "plan_read" ? {} : step(state) }],
  });
  const first = await live({
    run: "a/1",
    says: (request, n) => (n === 1 && !isPlanner(request) ? keep("doing") : null),
  });
  expect(first.end).toMatchObject({ verdict: "PASS" });
  const second = await live({
    at: first.repo,
    run: "a/2",
    says: (request, n) => (isPlanner(request) ? null : n === 1 ? keep("", "plan_read") : n === 2 ? keep("done") : null),
  });
  expect(second.isTold("1. [doing] mend add\\n2. [open] write to ann")).toBe(true);
  shows("WRK-10.1", 1);
  const kept = JSON.parse(readFileSync(join(first.repo, ".pawl", "a", "plan.json"), "utf8")) as unknown;
  expect(kept).toEqual(step("done"));
  shows("WRK-10.1", 2);
});
