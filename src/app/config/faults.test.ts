import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { repository, write } from "../../../test/support/scratch.ts";
import { readConfiguration } from "./reading.ts";

const root = mkdtempSync(join(tmpdir(), "pawl-test-"));
const { repo } = repository({}, { at: root });
afterAll(() => rmSync(root, { recursive: true, force: true }));
beforeEach(() => {
  for (const path of ["pawl.yaml", "tasks", "roles", "phase-maps"])
    rmSync(join(repo, path), { recursive: true, force: true });
});

const AGENT = "agents: {default: {command: ./fix.sh}}\n";

async function faultsOf(files: Record<string, string>): Promise<readonly string[]> {
  write(repo, { "pawl.yaml": AGENT, ...files });
  const { reading } = await readConfiguration({ repo, overrides: {} });
  return reading.errors.map(({ code, at }) =>
    [code, at.file, at.line, at.column].filter((part) => part !== undefined).join(":"),
  );
}

/** A map of one's own, used by every task. */
const map = (phases: string): Record<string, string> => ({
  "pawl.yaml": `${AGENT}phases: own\n`,
  "phase-maps/own.yaml": `phases:\n${phases}`,
});
const WORK = "  work: {run: agent implementer, on_pass: done}\n";

/** What is written, and every fault that is found, with its place. */
type Row = readonly [what: string, files: Record<string, string>, ...faults: string[]];

const PAWL: readonly Row[] = [
  ["an unknown key", { "pawl.yaml": `${AGENT}limts: {}\n` }, "KEY_UNKNOWN:pawl.yaml:2:1"],
  ["an unknown key further in", { "pawl.yaml": `${AGENT}limits: {max_worker: 3}\n` }, "KEY_UNKNOWN:pawl.yaml:2:10"],
  ["a key of a later release", { "pawl.yaml": `${AGENT}task_tree: {}\n` }, "KEY_UNKNOWN:pawl.yaml:2:1"],
  [
    "issues of which anybody could make tasks",
    { "pawl.yaml": `${AGENT}intake: [{github: {repo: acme/shop}}]\n` },
    "KEY_MISSING:pawl.yaml:2:19",
  ],
  [
    "issues of two repositories that would be the same tasks",
    {
      "pawl.yaml": `${AGENT}intake:\n  - github: {repo: acme/shop, label: pawl}\n  - github: {repo: acme/web, label: pawl}\n`,
    },
    "TYPE_BAD:pawl.yaml:4:13",
  ],
  ["issues of nowhere", { "pawl.yaml": `${AGENT}intake: [{}]\n` }, "TYPE_BAD:pawl.yaml:2:10"],
  ["a key that is there twice", { "pawl.yaml": `${AGENT}base: main\nbase: main\n` }, "KEY_TWICE:pawl.yaml:3:1"],
  ["text that is no YAML", { "pawl.yaml": "agents: {default: [\n" }, "YAML_BAD:pawl.yaml:1:19"],
  ["a tab as indent", { "pawl.yaml": "limits:\n\tmax_workers: 2\n" }, "YAML_BAD:pawl.yaml:2:1"],
  ["a list instead of a mapping", { "pawl.yaml": "- agents\n" }, "TYPE_BAD:pawl.yaml:1:1"],
  ["a number that is none", { "pawl.yaml": `${AGENT}limits: {max_workers: many}\n` }, "TYPE_BAD:pawl.yaml:2:23"],
  ["a bound of zero", { "pawl.yaml": `${AGENT}limits: {max_workers: 0}\n` }, "TYPE_BAD:pawl.yaml:2:23"],
  [
    "a duration without a unit",
    { "pawl.yaml": `${AGENT}checks: [{run: npm test, timeout: 90}]\n` },
    "TYPE_BAD:pawl.yaml:2:35",
  ],
  ["a check that runs nothing", { "pawl.yaml": `${AGENT}checks: [{timeout: 9s}]\n` }, "KEY_MISSING:pawl.yaml:2:10"],
  ["a bad glob", { "pawl.yaml": `${AGENT}defaults: {authorized_files: ["src/[ab"]}\n` }, "GLOB_BAD:pawl.yaml:2:31"],
  [
    "a glob that leaves the repository",
    { "pawl.yaml": `${AGENT}sandbox: {protect: [../x/**]}\n` },
    "GLOB_BAD:pawl.yaml:2:21",
  ],
  [
    "an output whose format nobody knows",
    { "pawl.yaml": "agents:\n  default:\n    command: x\n    output: {format: xml}\n" },
    "TYPE_BAD:pawl.yaml:4:22",
  ],
  [
    "an output without a format",
    { "pawl.yaml": "agents:\n  default:\n    command: x\n    output: {message: result}\n" },
    "KEY_MISSING:pawl.yaml:4:5",
  ],
  [
    "a pattern that is none",
    { "pawl.yaml": "agents:\n  default:\n    command: x\n    output: {format: text, error: {match: '('}}\n" },
    "TYPE_BAD:pawl.yaml:4:43",
  ],
  [
    "keys of lines that are text",
    {
      "pawl.yaml":
        "agents:\n  default:\n    command: x\n    output:\n      format: text\n      message: result\n      tokens: {at: usage}\n",
    },
    "KEY_UNKNOWN:pawl.yaml:6:16",
    "KEY_UNKNOWN:pawl.yaml:7:16",
  ],
  [
    "a rule over the output that is not there",
    { "pawl.yaml": "agents: {default: {command: x, verdict: output}}\n" },
    "KEY_MISSING:pawl.yaml:1:41",
  ],
  [
    "a rule over the output that nobody reads",
    {
      "pawl.yaml":
        "agents:\n  default:\n    command: x\n    verdict: exit_code\n    output: {format: text, verdict: {PASS: {match: ok}}}\n",
    },
    "TYPE_BAD:pawl.yaml:5:28",
  ],
  [
    "a verdict that there is not",
    { "pawl.yaml": "agents: {default: {command: x, output: {format: text, verdict: {OK: {match: ok}}}}}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:65",
  ],
  [
    "an output of who speaks ACP",
    { "pawl.yaml": "agents: {default: {acp: gemini --acp, output: {format: text}}}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:39",
  ],
  ["an agent that speaks nothing", { "pawl.yaml": "agents: {default: {acp: {}}}\n" }, "KEY_MISSING:pawl.yaml:1:20"],
  [
    "a custom agent without a command",
    { "pawl.yaml": "agents: {default: {acp: {preset: custom}}}\n" },
    "KEY_MISSING:pawl.yaml:1:20",
  ],
  ["a preset that is none", { "pawl.yaml": "agents: {default: {acp: {preset: cody}}}\n" }, "TYPE_BAD:pawl.yaml:1:34"],
  [
    "a permission that is none",
    { "pawl.yaml": "agents: {default: {acp: gemini --acp, permissions: {edit: yes}}}\n" },
    "TYPE_BAD:pawl.yaml:1:59",
  ],
  [
    "a permission for what agents do not do",
    { "pawl.yaml": "agents: {default: {acp: gemini --acp, permissions: {edits: allow}}}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:53",
  ],
  [
    "a mode of what is a command",
    { "pawl.yaml": "agents: {default: {command: ./fix.sh, mode: plan}}\n" },
    "KEY_UNKNOWN:pawl.yaml:1:39",
  ],
  [
    "an agent that names no other",
    { "pawl.yaml": `agents:\n  default: {command: ./fix.sh}\n  reviewer: defalt\n` },
    "AGENT_UNKNOWN:pawl.yaml:3:13",
  ],
  ["agents that name each other", { "pawl.yaml": "agents: {default: b, b: default}\n" }, "AGENT_CYCLE:pawl.yaml:1:19"],
  ["an agent without a command", { "pawl.yaml": "agents: {default: {prompt: stdin}}\n" }, "KEY_MISSING:pawl.yaml:1:10"],
  ["a store's address in the file", { "pawl.yaml": `${AGENT}store: postgres://jo:x@db/y\n` }, "TYPE_BAD:pawl.yaml:2:8"],
  ["a store without its variable", { "pawl.yaml": `${AGENT}store: {schema: shop}\n` }, "KEY_MISSING:pawl.yaml:2:1"],
  [
    "no name of a schema",
    { "pawl.yaml": `${AGENT}store: {postgres_env: X, schema: A-b}\n` },
    "STORE_ADDRESS:pawl.yaml:2:34",
  ],
  ["a forge that is none", { "pawl.yaml": `${AGENT}forge: {kind: gitlub}\n` }, "TYPE_BAD:pawl.yaml:2:15"],
  [
    "a project of GitLab without its group",
    { "pawl.yaml": `${AGENT}forge: {kind: gitlab, repo: shop}\n` },
    "TYPE_BAD:pawl.yaml:2:29",
  ],
  [
    "the address of a GitLab in the place of that of its API",
    { "pawl.yaml": `${AGENT}forge: {kind: gitlab, repo: a/b/c, base_url: "https://git.example.org"}\n` },
    "TYPE_BAD:pawl.yaml:2:46",
  ],
  ["a forge without its repository", { "pawl.yaml": `${AGENT}forge: {kind: github}\n` }, "KEY_MISSING:pawl.yaml:2:1"],
  [
    "a forge whose token would go over the network as it is",
    { "pawl.yaml": `${AGENT}forge: {kind: github, repo: acme/shop, base_url: "http://example.org"}\n` },
    "TYPE_BAD:pawl.yaml:2:50",
  ],
  ["a branch prefix that git refuses", { "pawl.yaml": `${AGENT}branch_prefix: "a b/"\n` }, "TYPE_BAD:pawl.yaml:2:16"],
  ["a base that is not there", { "pawl.yaml": `${AGENT}base: mian\n` }, "BASE_MISSING:pawl.yaml:2:7"],
  ["a map that is not there", { "pawl.yaml": `${AGENT}phases: atuo\n` }, "MAP_UNKNOWN:pawl.yaml:2:9"],
  [
    "an action that takes Pawl's name",
    { "pawl.yaml": `${AGENT}actions: {merge: {command: x}}\n` },
    "NAME_TAKEN:pawl.yaml:2:11",
  ],
  ["a version of the format that is newer", { "pawl.yaml": `version: 2\n${AGENT}` }, "VERSION_UNKNOWN:pawl.yaml:1:10"],
  ["nobody who does the work", { "pawl.yaml": "" }, "AGENT_MISSING"],
  ["a role without an agent", { "pawl.yaml": "agents: {implementer: {command: x}}\n" }, "AGENT_MISSING"],
  [
    "two things at once",
    { "pawl.yaml": `${AGENT}base: mian\nlimts: 1\n` },
    "BASE_MISSING:pawl.yaml:2:7",
    "KEY_UNKNOWN:pawl.yaml:3:1",
  ],
];

const MAPS: readonly Row[] = [
  [
    "an unknown role",
    map("  work:\n    run: agent implmenter\n    on_pass: done\n"),
    "ROLE_UNKNOWN:phase-maps/own.yaml:3:16",
  ],
  [
    "an unknown role in quotes",
    map('  work: {run: "agent nobody", on_pass: done}\n'),
    "ROLE_UNKNOWN:phase-maps/own.yaml:2:22",
  ],
  [
    "an unknown action",
    map("  work: {run: action deploy, on_pass: done}\n"),
    "ACTION_UNKNOWN:phase-maps/own.yaml:2:22",
  ],
  [
    "an unknown signal",
    map("  work: {run: signal ci-green, on_pass: done, on_fail: work}\n"),
    "SIGNAL_UNKNOWN:phase-maps/own.yaml:2:22",
  ],
  [
    "an unknown kind of step",
    map("  work: {run: agnt implementer, on_pass: done}\n"),
    "RUN_BAD:phase-maps/own.yaml:2:15",
  ],
  [
    "an unknown target",
    map("  work: {run: agent implementer, on_pass: dnoe}\n"),
    "TARGET_UNKNOWN:phase-maps/own.yaml:2:43",
  ],
  ["an unknown key", map("  work: {run: agent implementer, on_past: done}\n"), "KEY_UNKNOWN:phase-maps/own.yaml:2:34"],
  ["a missing run", map("  work: {on_pass: done}\n"), "RUN_MISSING:phase-maps/own.yaml:2:3"],
  ["a phase that says nothing", map("  work:\n"), "RUN_MISSING:phase-maps/own.yaml:2:3"],
  ["a missing on_pass", map("  work: {run: agent implementer}\n"), "ROUTE_MISSING:phase-maps/own.yaml:2:3"],
  [
    "a signal without on_fail",
    map("  ask: {run: signal human-approval, on_pass: done}\n"),
    "ROUTE_MISSING:phase-maps/own.yaml:2:3",
  ],
  [
    "done as a name",
    map(`${WORK}  done: {run: agent implementer, on_pass: done}\n`),
    "DONE_MISPLACED:phase-maps/own.yaml:3:3",
  ],
  [
    "done outside on_pass",
    map("  work: {run: agent implementer, on_pass: done, on_fail: done}\n"),
    "DONE_MISPLACED:phase-maps/own.yaml:2:58",
  ],
  [
    "a phase that nothing leads to",
    map(`${WORK}  other: {run: agent implementer, on_pass: done}\n`),
    "PHASE_UNREACHABLE:phase-maps/own.yaml:3:3",
  ],
  [
    "a phase that never reaches done",
    map("  work: {run: agent implementer, on_pass: work}\n"),
    "DONE_UNREACHABLE:phase-maps/own.yaml:2:3",
  ],
  [
    "waiting that never ends",
    map(
      "  ask: {run: signal human-approval, on_pass: done, on_fail: ask, on_wait: two}\n  two: {run: signal human-approval, on_pass: done, on_fail: ask, on_wait: ask}\n",
    ),
    "WAIT_ENDLESS:phase-maps/own.yaml:2:75",
  ],
  [
    "a merge that nothing was marked ready for",
    map(`  work: {run: agent implementer, on_pass: land}\n  land: {run: action merge, on_pass: done, on_fail: work}\n`),
    "READY_MISSING:phase-maps/own.yaml:3:15",
  ],
  [
    "on_conflict where nothing is merged",
    map("  work: {run: agent implementer, on_pass: done, on_conflict: work}\n"),
    "KEY_MISPLACED:phase-maps/own.yaml:2:49",
  ],
  [
    "escalate without timeout",
    map("  ask: {run: signal human-approval, on_pass: done, on_fail: ask, escalate: ask}\n"),
    "KEY_MISPLACED:phase-maps/own.yaml:2:66",
  ],
  [
    "on_wait of an agent",
    map(`  work: {run: agent implementer, on_pass: b, on_wait: b}\n  b: {run: agent implementer, on_pass: done}\n`),
    "KEY_MISPLACED:phase-maps/own.yaml:2:46",
  ],
  [
    "a name that is no folder's",
    map("  a/b: {run: agent implementer, on_pass: done}\n"),
    "PHASE_NAME:phase-maps/own.yaml:2:3",
  ],
  ["a phase that is there twice", map(`${WORK}${WORK}`), "KEY_TWICE:phase-maps/own.yaml:3:3"],
  [
    "no phases",
    { "pawl.yaml": `${AGENT}phases: own\n`, "phase-maps/own.yaml": "version: 1\nphases:\n" },
    "PHASES_MISSING:phase-maps/own.yaml:2:8",
  ],
  [
    "a map in place that is wrong",
    { "pawl.yaml": `${AGENT}phases:\n  work: {run: agent me, on_pass: done}\n` },
    "ROLE_UNKNOWN:pawl.yaml:3:21",
  ],
];

const task = (matter: string, body = "Do it.\n"): string => `---\n${matter}\n---\n${body}`;

const TASKS: readonly Row[] = [
  ["front matter that does not parse", { "tasks/a.md": task("title: x\ndeps: [b") }, "YAML_BAD:tasks/a.md:3:7"],
  ["front matter that never ends", { "tasks/a.md": "---\ntitle: x\n" }, "FRONT_MATTER_OPEN:tasks/a.md:1:1"],
  ["no front matter", { "tasks/a.md": "Do it.\n" }, "FRONT_MATTER_MISSING:tasks/a.md:1:1"],
  ["front matter that is no mapping", { "tasks/a.md": task("- x") }, "TYPE_BAD:tasks/a.md:2:1"],
  ["a key that is there twice", { "tasks/a.md": task("title: x\ntitle: y") }, "KEY_TWICE:tasks/a.md:3:1"],
  ["a bad id", { "tasks/a.md": task("id: a..b\ntitle: x") }, "ID_BAD:tasks/a.md:2:5"],
  ["a file name that is no id", { "tasks/a b.md": task("title: x") }, "ID_BAD:tasks/a b.md:1:1"],
  [
    "one id in two files",
    { "tasks/a.md": task("id: t\ntitle: x"), "tasks/b.md": task("title: y\nid: t") },
    "ID_TWICE:tasks/b.md:3:5",
  ],
  [
    "ids that differ in case only",
    { "tasks/a.md": task("title: x"), "tasks/b.md": task("id: A\ntitle: y") },
    "ID_CASE:tasks/a.md:1:1",
  ],
  [
    "an environment that is none",
    { "tasks/a.md": task("title: x\nenvironment: devise") },
    "ENVIRONMENT_UNKNOWN:tasks/a.md:3:14",
  ],
  [
    "a task on a screen that nobody works on",
    { "tasks/a.md": task("title: x\nenvironment: device") },
    "SCREEN_AGENT:tasks/a.md:3:14",
  ],
  [
    "a task on a screen, given to who works on none",
    {
      "pawl.yaml": `agents: {default: {command: ./fix.sh}, phone: {device: {target: "adb:x"}}}\n`,
      "tasks/a.md": task("title: x\nenvironment: device\nagents: {implementer: default}"),
    },
    "SCREEN_AGENT:tasks/a.md:3:14",
  ],
  [
    "a task on one of two screens",
    {
      "pawl.yaml": `agents: {default: {command: ./fix.sh}, a: {device: {target: "adb:x"}}, b: {device: {target: "adb:y"}}}\n`,
      "tasks/a.md": task("title: x\nenvironment: device"),
    },
    "SCREEN_AGENT:tasks/a.md:3:14",
  ],
  ["a task that depends on itself", { "tasks/a.md": task("title: x\ndeps: [a]") }, "DEPS_SELF:tasks/a.md:3:8"],
  ["a dependency that is not there", { "tasks/a.md": task("title: x\ndeps:\n  - b") }, "DEPS_UNKNOWN:tasks/a.md:4:5"],
  [
    "dependencies in a circle",
    {
      "tasks/a.md": task("title: x\ndeps: [b]"),
      "tasks/b.md": task("title: x\ndeps: [c]"),
      "tasks/c.md": task("title: x\ndeps: [a]"),
    },
    "DEPS_CYCLE:tasks/c.md:3:8",
  ],
  ["a map that is not there", { "tasks/a.md": task("title: x\nphases: fast") }, "MAP_UNKNOWN:tasks/a.md:3:9"],
  ["a base that is not there", { "tasks/a.md": task("title: x\nbase: release") }, "BASE_MISSING:tasks/a.md:3:7"],
  [
    "an agent that is not there",
    { "tasks/a.md": task("title: x\nagents: {implementer: cody}") },
    "AGENT_UNKNOWN:tasks/a.md:3:23",
  ],
  ["a bad glob", { "tasks/a.md": task('title: x\ntouches: ["{a"]') }, "GLOB_BAD:tasks/a.md:3:11"],
  ["a budget that is none", { "tasks/a.md": task("title: x\nbudget: {cost_usd: -1}") }, "TYPE_BAD:tasks/a.md:3:20"],
  ["a time that is none", { "tasks/a.md": task("title: x\ntimeout_minutes: soon") }, "TYPE_BAD:tasks/a.md:3:18"],
  [
    "a criterion with a colon that is not quoted",
    { "tasks/a.md": task("title: x\nacceptance_criteria:\n  - returns: red") },
    "TYPE_BAD:tasks/a.md:4:5",
  ],
  [
    "two criteria of one id",
    { "tasks/a.md": task("title: x\nacceptance_criteria: [{id: A, text: a}, {id: A, text: b}]") },
    "CRITERION_TWICE:tasks/a.md:3:41",
  ],
  [
    "faults in several files",
    { "tasks/a.md": task("title: x\ndeps: [zz]"), "tasks/b.md": task("budget: 3") },
    "DEPS_UNKNOWN:tasks/a.md:3:8",
    "TYPE_BAD:tasks/b.md:2:9",
  ],
];

const named = ([what, files, ...faults]: Row) => ({ what, files, faults });

describe("what is wrong is named with its place", () => {
  test.each(PAWL.map(named))("in pawl.yaml: $what", async ({ files, faults }) => {
    expect(await faultsOf(files)).toEqual(faults);
  });
  test.each(MAPS.map(named))("in a phase map: $what", async ({ files, faults }) => {
    expect(await faultsOf(files)).toEqual(faults);
  });
  test.each(TASKS.map(named))("in a task file: $what", async ({ files, faults }) => {
    expect(await faultsOf(files)).toEqual(faults);
  });
});

describe("what is wrong is explained", () => {
  const first = async (files: Record<string, string>) => {
    write(repo, { "pawl.yaml": AGENT, ...files });
    return (await readConfiguration({ repo, overrides: {} })).reading.errors[0];
  };

  test("an unknown key names the known ones, the nearest first, and what to write", async () => {
    const error = await first({ "pawl.yaml": `${AGENT}limits: {max_worker: 3}\n` });
    expect(error?.message).toBe('"max_worker" is not a key of limits');
    expect(error?.data.note).toMatch(/^known: max_workers, /);
    expect(error?.next).toBe('write "max_workers", or take "max_worker" out.');
  });

  test("a circle of dependencies is told with its path", async () => {
    const error = await first({
      "tasks/a.md": task("deps: b"),
      "tasks/b.md": task("deps: [c]"),
      "tasks/c.md": task("deps: [a]"),
    });
    expect(error?.message).toBe("a -> b -> c -> a");
    expect(error?.next).toBe("remove one of these 3 deps.");
  });

  test("an agent that is only a command gets the advice to say so", async () => {
    const error = await first({ "pawl.yaml": "agents: {default: ./fix.sh}\n" });
    expect(error?.next).toBe('for a command, write {command: "./fix.sh"}.');
  });

  test("a role without an agent names pawl.yaml and --agent; a map of Pawl's own is not blamed with a place", async () => {
    const error = await first({ "pawl.yaml": "agents: {implementer: {command: x}}\n" });
    expect(error?.message).toBe('map default (built-in): no agent does the work of the role "verifier"');
    expect(error?.next).toContain("or checks: [npm test], or use --agent CMD");
    expect(error?.at).toEqual({});
  });
});

describe("files that are no text", () => {
  test("a task file that is not UTF-8 is refused with the place of the first bad byte", async () => {
    write(repo, { "pawl.yaml": AGENT, "tasks/b.md": task("title: fine") });
    const bytes = Buffer.concat([Buffer.from("---\ntitle: caf"), Buffer.from([0xe9]), Buffer.from("\n---\n")]);
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(repo, "tasks", "a.md"), bytes);
    const { reading } = await readConfiguration({ repo, overrides: {} });
    expect(reading.errors.map(({ code, at }) => ({ code, at }))).toEqual([
      { code: "NOT_UTF8", at: { file: "tasks/a.md", line: 2, column: 11 } },
    ]);
    expect(reading.specs.map(({ id }) => id)).toEqual(["b"]);
  });

  test("a task file of NUL bytes, as a crash of the machine leaves it, is refused", async () => {
    expect(await faultsOf({ "tasks/a.md": "\0".repeat(80) })).toEqual(["NOT_UTF8:tasks/a.md:1:1"]);
  });

  test("a file that is far too big is refused without being parsed", async () => {
    expect(await faultsOf({ "tasks/a.md": `---\ntitle: x\n---\n${"a".repeat(1_100_000)}` })).toEqual([
      "FILE_TOO_BIG:tasks/a.md",
    ]);
  });
});
