import { afterAll, describe, expect, test } from "vitest";
import { faultsRepository } from "../../../test/support/faults-of.ts";

const { faultsOf, errorsOf, close } = faultsRepository();
afterAll(close);

const AGENT = "agents: {default: {command: ./fix.sh}}\n";
const pawl = (more: string): Record<string, string> => ({ "pawl.yaml": AGENT + more });
const task = (matter: string): string => `---\n${matter}\n---\nDo it.\n`;
const WORK = "  work: {run: agent implementer, on_pass: done}\n";
const map = (phases: string): Record<string, string> => ({
  ...pawl("phases: own\n"),
  "phase-maps/own.yaml": `phases:\n${phases}`,
});
const asks = (step: string): string =>
  `phases:\n  work: {run: agent implementer, on_pass: ask}\n  ask: {run: ${step}, on_pass: done, on_fail: work}\n`;

type Row = readonly [what: string, files: Record<string, string>, fault: string];

const THERE_AND_BAD: readonly Row[] = [
  ["an address to listen at", pawl("webhooks: {listen: here, github_secret_env: X}\n"), "TYPE_BAD:pawl.yaml:2:20"],
  [
    "a variable of a secret",
    pawl("webhooks: {listen: '127.0.0.1:8787', gitlab_secret_env: 1X}\n"),
    "TYPE_BAD:pawl.yaml:2:57",
  ],
  ["a channel's variable", pawl("channels: [{webhook: {url_env: 1x}}]\n"), "TYPE_BAD:pawl.yaml:2:32"],
  ["a forge's repository", pawl("forge: {kind: github, repo: [a]}\n"), "TYPE_BAD:pawl.yaml:2:29"],
  ["an intake's repository", pawl("intake: [{github: {repo: [a], label: x}}]\n"), "TYPE_BAD:pawl.yaml:2:26"],
  ["an intake's label", pawl("intake: [{github: {repo: a/b, label: [[]]}}]\n"), "TYPE_BAD:pawl.yaml:2:39"],
  ["a signal's command", pawl("signals: {ci: {command: []}}\n"), "TYPE_BAD:pawl.yaml:2:25"],
  ["an action's command", pawl("actions: {ship: {command: []}}\n"), "TYPE_BAD:pawl.yaml:2:27"],
  ["a check's command", pawl("checks: [{run: []}]\n"), "TYPE_BAD:pawl.yaml:2:16"],
  ["a search's key", pawl("research: {provider: brave, key_env: 1x}\n"), "TYPE_BAD:pawl.yaml:2:38"],
  ["a store's variable", pawl("store: {postgres_env: 1x}\n"), "TYPE_BAD:pawl.yaml:2:23"],
  [
    "a price",
    pawl("models: {m: {provider: ollama, model: x, price: {input: a, output: 1}}}\n"),
    "TYPE_BAD:pawl.yaml:2:57",
  ],
  ["a phase's run", map("  work: {run: [agent], on_pass: done}\n"), "TYPE_BAD:phase-maps/own.yaml:2:15"],
  [
    "a phase's on_pass",
    map("  work: {run: agent implementer, on_pass: [done]}\n"),
    "TYPE_BAD:phase-maps/own.yaml:2:43",
  ],
  [
    "a phase's timeout, beside escalate",
    map("  ask: {run: signal human-approval, on_pass: done, on_fail: ask, timeout: 5x, escalate: ask}\n"),
    "TYPE_BAD:phase-maps/own.yaml:2:75",
  ],
  ["a screen's target", { "pawl.yaml": "agents: {default: {device: {target: []}}}\n" }, "TYPE_BAD:pawl.yaml:1:37"],
  ["a whole map", { ...pawl("phases: own\n"), "phase-maps/own.yaml": "- x\n" }, "TYPE_BAD:phase-maps/own.yaml:1:1"],
];

const MISTYPED: readonly Row[] = [
  ["an agent's command", { "pawl.yaml": "agents: {default: {comand: x}}\n" }, "KEY_UNKNOWN:pawl.yaml:1:20"],
  ["an ACP agent's command", { "pawl.yaml": "agents: {default: {acp: {comand: x}}}\n" }, "KEY_UNKNOWN:pawl.yaml:1:26"],
  ["a screen's target", { "pawl.yaml": "agents: {default: {device: {taget: adb}}}\n" }, "KEY_UNKNOWN:pawl.yaml:1:29"],
  [
    "a rule over the output",
    {
      "pawl.yaml":
        "agents: {default: {command: x, verdict: output, output: {format: text, verdct: {PASS: {match: a}}}}}\n",
    },
    "KEY_UNKNOWN:pawl.yaml:1:72",
  ],
  [
    "a format of the output",
    { "pawl.yaml": "agents: {default: {command: x, output: {fromat: text}}}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:41",
  ],
  ["a signal's command", pawl("signals: {ci: {comand: x}}\n"), "KEY_UNKNOWN:pawl.yaml:2:16"],
  ["an action's command", pawl("actions: {ship: {comand: x}}\n"), "KEY_UNKNOWN:pawl.yaml:2:18"],
  ["a check's run", pawl("checks: [{rn: x}]\n"), "KEY_UNKNOWN:pawl.yaml:2:11"],
  ["a server of tools", pawl("mcp_servers: {a: {comand: x}}\n"), "KEY_UNKNOWN:pawl.yaml:2:19"],
  ["an intake's forge", pawl("intake: [{githb: {repo: a/b, label: x}}]\n"), "KEY_UNKNOWN:pawl.yaml:2:11"],
  ["an intake's label", pawl("intake: [{github: {repo: a/b, lable: x}}]\n"), "KEY_UNKNOWN:pawl.yaml:2:31"],
  ["a forge's kind", pawl("forge: {knd: github, repo: a/b}\n"), "KEY_UNKNOWN:pawl.yaml:2:9"],
  ["a channel", pawl("channels: [{webhok: {url_env: X}}]\n"), "KEY_UNKNOWN:pawl.yaml:2:13"],
  ["a model's provider", pawl("models: {m: {providr: ollama, model: x}}\n"), "KEY_UNKNOWN:pawl.yaml:2:14"],
  ["a phase's run", map("  work: {rn: agent implementer, on_pass: done}\n"), "KEY_UNKNOWN:phase-maps/own.yaml:2:10"],
  [
    "a phase's on_pass",
    map("  work: {run: agent implementer, on_past: done}\n"),
    "KEY_UNKNOWN:phase-maps/own.yaml:2:34",
  ],
  [
    "a signal's on_fail",
    map("  ask: {run: signal human-approval, on_pass: done, on_fial: ask}\n"),
    "KEY_UNKNOWN:phase-maps/own.yaml:2:52",
  ],
  [
    "a timeout, beside escalate",
    map("  ask: {run: signal human-approval, on_pass: done, on_fail: ask, timeot: 5m, escalate: ask}\n"),
    "KEY_UNKNOWN:phase-maps/own.yaml:2:66",
  ],
  [
    "the phases of a map",
    { ...pawl("phases: own\n"), "phase-maps/own.yaml": `phaess:\n${WORK}` },
    "KEY_UNKNOWN:phase-maps/own.yaml:1:1",
  ],
  [
    "a suite's command",
    { ...pawl(""), "tasks/a.md": task("test_delta: {regression: [{comand: x}]}") },
    "KEY_UNKNOWN:tasks/a.md:2:28",
  ],
];

const NAMED_AND_BAD: readonly Row[] = [
  [
    "an agent that another one stands for",
    { "pawl.yaml": "agents: {default: {comand: x}, reviewer: default}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:20",
  ],
  [
    "an agent of a task",
    {
      "pawl.yaml": "agents: {default: {command: ./fix.sh}, cody: {command: []}}\n",
      "tasks/a.md": task("agents: {implementer: cody}"),
    },
    "TYPE_BAD:pawl.yaml:1:56",
  ],
  [
    "an agent whose role a map runs",
    {
      "pawl.yaml":
        "agents: {default: {command: ./fix.sh}, critic: {command: []}}\nphases:\n  work: {run: agent critic, on_pass: done}\n",
    },
    "TYPE_BAD:pawl.yaml:1:58",
  ],
  [
    "the agent on a screen",
    {
      "pawl.yaml": "agents: {default: {command: ./fix.sh}, phone: {devise: {target: adb}}}\n",
      "tasks/a.md": task("environment: device"),
    },
    "KEY_UNKNOWN:pawl.yaml:1:48",
  ],
  [
    "a model that reads at a gate",
    pawl("models: {eyes: antropic/x}\ngates: {go: 'model:eyes'}\n"),
    "TYPE_BAD:pawl.yaml:2:16",
  ],
  ["an action of a map", pawl(`actions: {ship: {command: []}}\n${asks("action ship")}`), "TYPE_BAD:pawl.yaml:2:27"],
  ["a signal of a map", pawl(`signals: {ci: {command: []}}\n${asks("signal ci")}`), "TYPE_BAD:pawl.yaml:2:25"],
  [
    "the forge that answers a signal",
    pawl(`forge: {kind: github, repo: x}\n${asks("signal ci-green")}`),
    "TYPE_BAD:pawl.yaml:2:29",
  ],
  [
    "a task that another one depends on",
    { ...pawl(""), "tasks/a.md": task("title: x\ndeps: [bb]"), "tasks/b.md": task('id: "bb"\ntitle: [y') },
    "YAML_BAD:tasks/b.md:3:8",
  ],
];

const ONE_CAUSE: readonly Row[] = [
  [
    "a circle of agents",
    { "pawl.yaml": "agents: {default: {command: ./fix.sh}, a: b, b: c, c: a, d: a}\n" },
    "AGENT_CYCLE:pawl.yaml:1:43",
  ],
  [
    "a circle that leads nowhere, and what leads to it",
    map(
      "  work: {run: agent implementer, on_pass: b}\n  b: {run: agent implementer, on_pass: c}\n  c: {run: agent implementer, on_pass: b}\n",
    ),
    "DONE_UNREACHABLE:phase-maps/own.yaml:3:3",
  ],
  [
    "a circle that nothing leads to",
    map(`${WORK}  x: {run: agent implementer, on_pass: y}\n  y: {run: agent implementer, on_pass: x}\n`),
    "PHASE_UNREACHABLE:phase-maps/own.yaml:3:3",
  ],
  [
    "what follows a phase that nothing leads to, whichever stands first",
    map(`${WORK}  y: {run: agent implementer, on_pass: done}\n  x: {run: agent implementer, on_pass: y}\n`),
    "PHASE_UNREACHABLE:phase-maps/own.yaml:4:3",
  ],
  [
    "a way that leads back in place of on",
    map("  work: {run: agent implementer, on_pass: work}\n  ship: {run: agent implementer, on_pass: done}\n"),
    "PHASE_UNREACHABLE:phase-maps/own.yaml:3:3",
  ],
];

describe("one mistake is one fault", () => {
  test.each(THERE_AND_BAD)("what is there with a fault is not said to be missing: %s", async (_, files, fault) => {
    expect(await faultsOf(files)).toEqual([fault]);
  });
  test.each(MISTYPED)("what is mistyped is not said to be missing: %s", async (_, files, fault) => {
    expect(await faultsOf(files)).toEqual([fault]);
  });
  test.each(NAMED_AND_BAD)("who names what has a fault is not said to name nothing: %s", async (_, files, fault) => {
    expect(await faultsOf(files)).toEqual([fault]);
  });
  test.each(ONE_CAUSE)("what has one cause is told once: %s", async (_, files, fault) => {
    expect(await faultsOf(files)).toEqual([fault]);
  });
  test("two that are missing are told together, and one of them alone", async () => {
    const [both] = await errorsOf(pawl("models: {m: {context: 8k}}\n"));
    expect(both?.message).toBe("models.m needs provider and model");
    const [one] = await errorsOf(pawl("models: {m: {provider: ollama}}\n"));
    expect(one?.message).toBe("models.m needs model");
  });
});

/** What is written, where it is wrong, and what to write. */
const MEANT: readonly (readonly [what: string, files: Record<string, string>, fault: string, next: RegExp])[] = [
  [
    "a role that agents have mistyped",
    { "pawl.yaml": "agents: {implmenter: {command: x}, verifier: {command: y}}\n" },
    "AGENT_MISSING",
    /write agents: \{implementer: …\} in place of implmenter, if/,
  ],
  ["a word", pawl("budgets: {on_limit: wiat}\n"), "TYPE_BAD:pawl.yaml:2:21", /^write wait\./],
  ["a kind of forge", pawl("forge: {kind: githb, repo: a/b}\n"), "TYPE_BAD:pawl.yaml:2:15", /^write github\./],
  ["a provider", pawl("models: {m: {provider: olama, model: x}}\n"), "TYPE_BAD:pawl.yaml:2:24", /^write ollama\./],
  ["an owner of gates", pawl("gates: {go: [human, rulse]}\n"), "TYPE_BAD:pawl.yaml:2:21", /^write rules\./],
  [
    "a model at a gate",
    pawl("models: {fast: ollama/x}\ngates:\n  go: [rules, 'model:fasst']\n"),
    "MODEL_NAME:pawl.yaml:4:15",
    /^write "model:fast"\./,
  ],
  [
    "a model at a gate, in a list of lines",
    pawl("models: {fast: ollama/x}\ngates:\n  next:\n    - rules\n    - model:fasst\n"),
    "MODEL_NAME:pawl.yaml:6:7",
    /^write "model:fast"\./,
  ],
  [
    "an agent of a task that stands for another one",
    {
      "pawl.yaml": "agents: {default: cody, cody: {command: x}, kritik: cody}\n",
      "tasks/a.md": task("agents: {implementer: kritk}"),
    },
    "AGENT_UNKNOWN:tasks/a.md:2:23",
    /^write "kritik"\./,
  ],
  [
    "an environment",
    { ...pawl(""), "tasks/a.md": task("environment: devise") },
    "ENVIRONMENT_UNKNOWN:tasks/a.md:2:14",
    /^write device/,
  ],
  [
    "a role of a task",
    { "pawl.yaml": "agents: {default: cody, cody: {command: x}}\n", "tasks/a.md": task("agents: {implementr: cody}") },
    "ROLE_UNKNOWN:tasks/a.md:2:10",
    /^write "implementer"\./,
  ],
  [
    "where a role works",
    { ...pawl("phases:\n  work: {run: agent own, on_pass: done}\n"), "roles/own.md": task("checkout: brnch") },
    "TYPE_BAD:roles/own.md:2:11",
    /^write branch\./,
  ],
  [
    "a key of a role",
    { ...pawl("phases:\n  work: {run: agent own, on_pass: done}\n"), "roles/own.md": task("chekcout: clean") },
    "KEY_UNKNOWN:roles/own.md:2:1",
    /^write "checkout"/,
  ],
];

describe("what is mistyped is told with what was probably meant, at its place", () => {
  test.each(MEANT)("%s", async (_, files, fault, next) => {
    expect(await faultsOf(files)).toEqual([fault]);
    expect((await errorsOf(files))[0]?.next).toMatch(next);
  });
});

describe("what is there twice is told at the second", () => {
  test("two repositories whose issues would be the same tasks", async () => {
    const files = pawl("intake:\n  - github: {repo: a/b, label: x}\n  - github: {repo: a/c, label: x}\n");
    expect(await faultsOf(files)).toEqual(["TYPE_BAD:pawl.yaml:4:13"]);
  });
  test("two criteria of one id", async () => {
    const files = { ...pawl(""), "tasks/a.md": task("acceptance_criteria: [{id: A, text: a}, {id: A, text: b}]") };
    expect(await faultsOf(files)).toEqual(["CRITERION_TWICE:tasks/a.md:2:41"]);
  });
});

test("a variable's value that is a list is a fault, and not an empty text", async () => {
  const files = { "pawl.yaml": "agents: {default: {command: x, env: {A: [x]}}}\n" };
  expect(await faultsOf(files)).toEqual(["TYPE_BAD:pawl.yaml:1:41"]);
});
