import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readMaterials } from "../../src/app/worker/materials.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import type { Tool } from "../../src/ports/tool.ts";
import { OWN_TOOLS } from "../../src/tactics/tool-names.ts";
import { work } from "../../src/tactics/worker.ts";
import {
  guarded,
  type MemoryOrder,
  memoryCheckout,
  memoryFolder,
  memoryJournal,
  memoryTool,
  memoryWorker,
} from "../support/memory-worker.ts";
import { scratch, write } from "../support/scratch.ts";
import { isPlanner, patternIn, plannerSays, type Says, scriptedMind } from "../support/scripted-mind.ts";
import { sensible } from "../support/sensible-mind.ts";
import { shows } from "../support/shows.ts";

type Answer = (request: ModelRequest, nth: number) => Says | null;

/** A worker whose planner and executor say what a test wants, and else what is sensible. `nth`: 1 for the first of its kind. */
async function live(says: { planner?: Answer; executor?: Answer }, order: Partial<MemoryOrder> = {}) {
  const asked = { planner: 0, executor: 0 };
  const mind = scriptedMind((request) => {
    const isOurs = isPlanner(request) || !["plan", "report"].includes(patternIn(request));
    if (!isOurs) return sensible(request);
    const who = isPlanner(request) ? "planner" : "executor";
    asked[who] += 1;
    return says[who]?.(request, asked[who]) ?? sensible(request);
  });
  const logs = memoryFolder();
  const worker = memoryWorker({ mind, logs, ...order });
  const end = await work(worker.assignment, worker.parts, new AbortController().signal);
  const log = JSON.parse([...logs.files.values()][0]!) as { commands: Record<string, unknown>[] };
  return { ...worker, end, mind, log, state: worker.state() };
}
const executes = (task_type: string, goals = ["g"]) => plannerSays({ action: "EXECUTE", task_type, goals });
const once =
  (task_type: string): Answer =>
  (_, n) =>
    n === 1 ? executes(task_type) : plannerSays({ action: "COMPLETE" });
const call = (name: string, args: unknown = {}): Says => ({ calls: [{ name, args }] });
/** Calls one after the other, then done. */
const calls =
  (...list: readonly (readonly [string, unknown?])[]): Answer =>
  (_, n) => {
    const next = list[n - 1];
    return next ? call(next[0], next[1] ?? {}) : call("done", { summary: "made" });
  };
const told = (mind: { asked: readonly ModelRequest[] }): string => JSON.stringify(mind.asked);
const isTold = (mind: { asked: readonly ModelRequest[] }, words: string): boolean => told(mind).includes(words);
const WEB = memoryTool("internet.research", () => ({ ok: true, text: "found it" }), false);
const MEMORY: readonly Tool[] = [
  memoryTool("memory.search", () => ({ ok: true, text: "nothing like it" }), false),
  memoryTool("memory.save", () => ({ ok: true, text: "kept" })),
];
/** Valid from the nth call on. */
const skillMaker = (validFrom = 1): Tool => {
  let n = 0;
  return memoryTool("skill.generator", () => {
    n += 1;
    const valid = n >= validFrom;
    return { ok: true, text: valid ? "the skill is made" : "no sources are named", data: { valid } };
  });
};
const passing = { checkout: memoryCheckout(() => true) };

describe("three parts", () => {
  test("TAC-1.1 the planner has no tools, the executor decides the calls, the coordinator makes them as they are", async () => {
    const made: unknown[] = [];
    const shell = memoryTool("shell", (args) => {
      made.push(args);
      return { ok: true, text: "exit code 0" };
    });
    const { mind } = await live(
      { planner: once("generic"), executor: calls(["shell", { cmd: "ls  -l" }]) },
      { ...passing, tools: [shell] },
    );
    const planner = mind.asked.filter(isPlanner);
    expect(planner.length).toBe(2);
    for (const { tools } of planner) expect(tools).toEqual([]);
    shows("TAC-1.1", 1);
    const executor = mind.asked.filter((one) => patternIn(one) === "generic");
    expect(executor[0]!.tools.map(({ name }) => name)).toEqual([
      "shell",
      "file_read",
      "file_edit",
      "file_write",
      "done",
      "escalate",
    ]);
    shows("TAC-1.1", 2);
    expect(made).toEqual([{ cmd: "ls  -l" }]);
    shows("TAC-1.1", 3);
  });

  test("TAC-1.4 the planner's prompt names no tool, and task types only as the data has them", async () => {
    const texts = ["prompts/planner.md", "prompts/rules.md"].map((path) => readFileSync(path, "utf8")).join("\n");
    for (const tool of OWN_TOOLS.filter((name) => name.includes("."))) {
      expect(texts).not.toContain(tool);
      expect(texts).not.toContain(tool.replace(".", "_"));
    }
    shows("TAC-1.4", 1);
    for (const name of ["skill_build", "code_modify", "code_create", "memory_op"]) expect(texts).not.toContain(name);
    const { mind } = await live({});
    const system = mind.asked.find(isPlanner)!.system;
    for (const name of ["skill_build", "code_modify", "code_create", "research", "memory_op", "generic"])
      expect(system).toContain(`- ${name}: `);
    shows("TAC-1.4", 2);
  });
});

describe("task types", () => {
  test("TAC-1.2 TAC-4.1 skill_build runs to its end in three calls or fewer", async () => {
    const { state, mind } = await live(
      { planner: once("skill_build"), executor: calls(["internet_research", { query: "q" }], ["skill_generator"]) },
      { ...passing, tools: [WEB, skillMaker()] },
    );
    expect(state.decisions).toContain("skill_build: done");
    shows("TAC-1.2", 1);
    expect(mind.asked.filter((one) => patternIn(one) === "skill_build").length).toBeLessThanOrEqual(3);
    shows("TAC-4.1", 1);
  });
  test("TAC-1.2 code_modify, code_create, research and memory_op run to their ends", async () => {
    const rows = [
      ["code_modify", undefined],
      [
        "code_create",
        calls(["file_write", { path: "src/add.mjs", text: "export const add = (a, b) => a + b;\n" }], ["test_run"]),
      ],
      ["research", calls(["internet_research", { query: "q" }], ["internet_research", { url: "https://x" }])],
      ["memory_op", calls(["memory_search"], ["memory_save", { text: "t" }])],
    ] as const;
    for (const [n, [type, executor]] of rows.entries()) {
      const checkout = type.startsWith("code") ? memoryCheckout() : memoryCheckout(() => true);
      const { state } = await live(
        { planner: once(type), ...(executor ? { executor } : {}) },
        { checkout, tools: [WEB, ...MEMORY] },
      );
      expect(state.decisions.find((one) => one.startsWith(`${type}: `))).toMatch(/: done/);
      shows("TAC-1.2", n + 2);
    }
  });

  test("TAC-1.3 a task type is added by a file", async () => {
    const folder = scratch();
    write(folder, {
      "patterns/tidy.yaml":
        "name: tidy\ndescription: make it tidy\nprompt: Be thorough.\nends: complete\nmoves:\n  - {name: look, tools: [file.read]}\n  - {name: sweep, tools: [file.write], needs: [look], proof: changed}\n",
    });
    const materials = readMaterials([folder], new Set(OWN_TOOLS));
    const { state, mind } = await live(
      {
        planner: once("tidy"),
        executor: calls(["file_read", { path: "src/add.mjs" }], ["file_write", { path: "src/x", text: "x" }]),
      },
      { ...passing, materials },
    );
    expect(mind.asked.find(isPlanner)!.system).toContain("- tidy: make it tidy");
    expect(mind.asked.find((one) => patternIn(one) === "tidy")!.system).toContain("Be thorough.");
    expect(state.decisions).toContain("tidy: done");
    shows("TAC-1.3", 1);
  });
});

describe("decisions", () => {
  test("TAC-2.1 CALL_TOOL makes the call, DONE ends the task, ESCALATE goes back with its reason", async () => {
    const text = (decision: object): Says => ({ text: JSON.stringify({ _type: "EXECUTOR_DECISION", ...decision }) });
    const executor: Answer = (_, n) =>
      [
        text({ action: "CALL_TOOL", tool: { name: "shell", args: { cmd: "ls" } } }),
        text({ action: "ESCALATE", reasoning: "the moon is full" }),
        text({ action: "DONE", reasoning: "enough" }),
      ][n - 1]!;
    const planner: Answer = (_, n) => (n <= 2 ? executes("generic") : plannerSays({ action: "COMPLETE" }));
    const { state, mind, log } = await live({ planner, executor }, passing);
    expect(log.commands).toMatchObject([{ cmd: "ls", exit_code: 0 }]);
    shows("TAC-2.1", 2);
    expect(state.decisions).toContain("generic: done: enough");
    shows("TAC-2.1", 3);
    expect(isTold({ asked: mind.asked.filter(isPlanner) }, "generic: escalated: the moon is full")).toBe(true);
    shows("TAC-2.1", 4);
  });

  test("TAC-2.2 a malformed decision is repaired or asked for again, and never executed as it stands", async () => {
    const answers: readonly Says[] = [
      { text: "```json\n{action: 'CALL_TOOL', tool: {name: 'shell', args: {cmd: 'repaired'}},}\n```" },
      { text: 'Call it like {"action":"CALL_TOOL","tool":{"name":"shell","args":{"cmd":"example"}}}' },
      { text: '{"action":"CALL_TOOL","tool":{"name":"shell","args":{"cmd":"cut' },
      call("shell", '{"cmd": "half'),
      call("done", { summary: "made" }),
    ];
    const { log, mind } = await live({ planner: once("generic"), executor: (_, n) => answers[n - 1]! }, passing);
    expect(log.commands.map(({ cmd }) => cmd)).toEqual(["repaired"]);
    shows("TAC-2.2", 1);
    expect(isTold(mind, "has to stand alone")).toBe(true);
    expect(isTold(mind, "the arguments cannot be read")).toBe(true);
    shows("TAC-2.2", 2);
    shows("TAC-2.2", 3);
  });

  test("TAC-2.3 DONE with a move pending is refused; the third one in a row escalates", async () => {
    const done: Answer = () => call("done", { summary: "I am done" });
    const planner: Answer = (_, n) =>
      n === 1 ? executes("code_modify") : plannerSays({ action: "ESCALATE", reasoning: "r" });
    const { mind, state } = await live({ planner, executor: done });
    expect(isTold(mind, "not done yet: read, edit, verify has no proof")).toBe(true);
    shows("TAC-2.3", 1);
    expect(mind.asked.filter((one) => patternIn(one) === "code_modify")).toHaveLength(3);
    expect(state.decisions).toContain("code_modify: escalated: says that it is done, and read, edit, verify is not");
    shows("TAC-2.3", 3);
  });

  test("TAC-2.3 COMPLETE with a suite failing is refused, says which, and three in a row block", async () => {
    const { mind, end } = await live(
      { planner: () => plannerSays({ action: "COMPLETE" }) },
      { checkout: memoryCheckout(guarded) },
    );
    expect(end).toMatchObject({ verdict: "BLOCKED" });
    expect(isTold({ asked: mind.asked.filter(isPlanner) }, "COMPLETE is refused, since suites fail")).toBe(true);
    expect(mind.asked.filter(isPlanner)).toHaveLength(3);
    shows("TAC-2.3", 2);
  });

  test("COMPLETEs that are refused count only in a row", async () => {
    const planner: Answer = (_, n) => (n % 2 === 1 ? plannerSays({ action: "COMPLETE" }) : executes("generic"));
    const { mind } = await live(
      { planner, executor: () => call("done", { summary: "" }) },
      { checkout: memoryCheckout(guarded) },
    );
    expect(mind.asked.filter(isPlanner)).toHaveLength(10);
  });
});
describe("bounds of a task", () => {
  test("TAC-3.2 max_steps bounds the executor, and the planner is told with what is open", async () => {
    const planner: Answer = (_, n) =>
      n === 1 ? executes("memory_op") : plannerSays({ action: "ESCALATE", reasoning: "r" });
    let made = 0;
    const search = memoryTool(
      "memory.search",
      () => {
        made += 1;
        return { ok: false, text: `no ${made}` };
      },
      false,
    );
    const { mind } = await live(
      { planner, executor: (_, n) => call("memory_search", { query: `q${n}` }) },
      { tools: [search, MEMORY[1]!] },
    );
    expect(made).toBe(5);
    shows("TAC-3.2", 1);
    expect(
      isTold({ asked: mind.asked.filter(isPlanner) }, "memory_op: steps: used 5 of 5 steps; open: query, update"),
    ).toBe(true);
    shows("TAC-3.2", 2);
  });

  test("a call that is made again and again is warned of at 3 and stopped at 5, and the next task begins anew", async () => {
    const planner: Answer = (_, n) =>
      n <= 2 ? executes("generic") : plannerSays({ action: "ESCALATE", reasoning: "r" });
    const { mind, log, state } = await live({ planner, executor: () => call("shell", { cmd: "ls" }) });
    expect(log.commands).toHaveLength(10);
    expect(isTold(mind, "The same call was made 3 times in a row")).toBe(true);
    expect(state.decisions.filter((one) => one.startsWith("generic: stuck"))).toHaveLength(2);
  });

  test("a tool that comes to nothing is warned of at 3 and stopped at 5", async () => {
    const planner: Answer = (_, n) =>
      n === 1 ? executes("generic") : plannerSays({ action: "ESCALATE", reasoning: "r" });
    const empty = memoryTool("shell", ({ cmd }) => ({ ok: true, text: "", data: { cmd, exit_code: 0 } }));
    const { mind, log } = await live(
      { planner, executor: (_, n) => call("shell", { cmd: `ls ${n}` }) },
      { tools: [empty] },
    );
    expect(log.commands).toHaveLength(5);
    expect(isTold(mind, "shell came to nothing 3 times in a row")).toBe(true);
  });
});

describe("task types under way", () => {
  test("TAC-4.2 a second research without a generate is refused by the pattern", async () => {
    let made = 0;
    const web = memoryTool(
      "internet.research",
      () => {
        made += 1;
        return { ok: true, text: "found" };
      },
      false,
    );
    const { mind } = await live(
      {
        planner: once("skill_build"),
        executor: calls(
          ["internet_research", { query: "a" }],
          ["internet_research", { query: "b" }],
          ["skill_generator"],
        ),
      },
      { ...passing, tools: [web, skillMaker()] },
    );
    expect(made).toBe(1);
    shows("TAC-4.2", 1);
    expect(isTold(mind, "research was called 1 of 1 times, until generate. Allowed now: skill.generator")).toBe(true);
    shows("TAC-4.2", 2);
  });

  test("TAC-4.3 code_modify loops edit and test until the tests pass", async () => {
    const edit = (old: string, text: string) => ["file_edit", { path: "src/add.mjs", old, new: text }] as const;
    const executor = calls(
      ["file_read", { path: "src/add.mjs" }],
      edit("a - b", "a * b"),
      ["test_run"],
      ["test_run"],
      edit("a * b", "a + b"),
      ["test_run"],
    );
    const { mind, state, end } = await live({ executor }, { checkout: memoryCheckout(guarded) });
    expect(isTold(mind, "edit has to come before verify")).toBe(true);
    shows("TAC-4.3", 1);
    expect(end).toMatchObject({ verdict: "PASS" });
    expect(state.decisions.find((one) => one.startsWith("code_modify: "))).toBe("code_modify: done: made");
    shows("TAC-4.3", 2);
  });

  test("TAC-4.3 or until the bound is met", async () => {
    const planner: Answer = (_, n) =>
      n === 1 ? executes("code_modify") : plannerSays({ action: "ESCALATE", reasoning: "r" });
    const executor: Answer = (_, n) =>
      n === 1
        ? call("file_read", { path: "src/add.mjs" })
        : n % 2 === 0
          ? call("file_write", { path: "src/add.mjs", text: `${n}\n` })
          : call("test_run");
    const { state, log } = await live({ planner, executor }, { checkout: memoryCheckout(guarded) });
    expect(state.decisions).toContain("code_modify: steps: used 25 of 25 steps; open: edit, verify");
    expect(log.commands).toHaveLength(12);
    shows("TAC-4.3", 3);
  });

  test("TAC-4.4 the same type goes on where it was given up, another one begins anew", async () => {
    const planner: Answer = (_, n) =>
      [executes("code_modify"), executes("code_modify"), executes("memory_op")][n - 1] ??
      plannerSays({ action: "ESCALATE", reasoning: "r" });
    const executor: Answer = (_, n) =>
      n === 1 ? call("file_read", { path: "src/add.mjs" }) : call("escalate", { reason: "no" });
    const { mind } = await live({ planner, executor });
    const states = ["code_modify", "memory_op"].map((type) =>
      mind.asked
        .filter((one) => patternIn(one) === type)
        .map(({ turns }) => /task state: (.*)/.exec((turns[0] as { text: string }).text)![1]!)
        .map((text) => (JSON.parse(text) as { completed_steps: string[] }).completed_steps),
    );
    expect(states[1]).toEqual([[]]);
    shows("TAC-4.4", 1);
    expect(states[0]).toEqual([[], [], ["read"]]);
    shows("TAC-4.4", 2);
  });

  test("TAC-4.6 a skill that is not valid is generated again, with other arguments", async () => {
    const { state, mind } = await live(
      {
        planner: once("skill_build"),
        executor: calls(
          ["internet_research", { query: "a" }],
          ["skill_generator", { name: "a" }],
          ["skill_generator", { name: "b" }],
        ),
      },
      { ...passing, tools: [WEB, skillMaker(2)] },
    );
    expect(isTold(mind, "no sources are named")).toBe(true);
    expect(state.decisions).toContain("skill_build: done");
    shows("TAC-4.6", 2);
  });
});

describe("a step that breaks", () => {
  test("WRK-4.1 it is in run.json with exit_code -1, and the work goes on", async () => {
    const breaks = memoryTool("shell", () => {
      throw new Error("the tool fell over");
    });
    const { log, end, mind } = await live(
      { executor: (request, n) => (n === 1 ? call("shell", { cmd: "x" }) : sensible(request)) },
      { tools: [breaks] },
    );
    expect(log.commands[0]).toMatchObject({
      cmd: "x",
      exit_code: -1,
      top_stderr: "the tool fell over",
      ending: "failed",
    });
    shows("WRK-4.1", 1);
    expect(isTold(mind, "shell broke: the tool fell over")).toBe(true);
    expect(end).toMatchObject({ verdict: "PASS" });
    shows("WRK-4.1", 2);
  });

  test("WRK-4.1 one after which nothing can be done ends it, with a verdict on the disk", async () => {
    const full = memoryTool("shell", () => {
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    });
    const { end, folder, mind } = await live({ executor: () => call("shell", { cmd: "x" }) }, { tools: [full] });
    expect(end).toMatchObject({ how: "finished", verdict: "FAIL", detail: "ENOSPC: no space left on device" });
    expect(JSON.parse(folder.read("verdict.json")!)).toMatchObject({ verdict: "FAIL" });
    expect(mind.asked.filter((one) => patternIn(one) === "code_modify")).toHaveLength(1);
    shows("WRK-4.1", 3);
  });
});

describe("a worker that was stopped", () => {
  /** Stops at the nth question, then is called again over the same journal. */
  async function stoppedAt(nth: number, tools: readonly Tool[] = []) {
    const written: string[] = [];
    const checkout = memoryCheckout();
    const folder = memoryFolder();
    const stopping = new AbortController();
    let n = 0;
    const mind = scriptedMind((request) => {
      n += 1;
      if (n === nth) stopping.abort();
      return sensible(request);
    });
    const first = memoryWorker({ mind, journal: memoryJournal(written), checkout, folder, tools });
    const stopped = await work(first.assignment, first.parts, stopping.signal);
    const second = memoryWorker({ mind, journal: memoryJournal(written), checkout, folder, tools });
    const end = await work(second.assignment, second.parts, new AbortController().signal);
    return { stopped, end, mind, state: second.state(), written };
  }

  test("TAC-3.3 it goes on at its step, wherever it was stopped", async () => {
    for (let nth = 1; nth <= 8; nth++) {
      const { stopped, end, state } = await stoppedAt(nth);
      expect(stopped, `question ${nth}`).toEqual({ how: "stopped" });
      expect(end).toMatchObject({ how: "finished", verdict: "PASS" });
      // no call was made twice
      expect(state.done.map(({ tool }) => tool)).toEqual([
        "plan.submit",
        "file.read",
        "file.edit",
        "test.run",
        "report.submit",
      ]);
      expect(state.legs).toBe(2);
    }
    shows("TAC-3.3", 1);
  });

  test("what a call wrote that was cut off is committed all the same, and counts as an edit", async () => {
    const checkout = memoryCheckout();
    const written: string[] = [];
    const folder = memoryFolder();
    const mind = scriptedMind(sensible);
    const dying = memoryTool("file.edit", () => {
      checkout.files.set("src/add.mjs", "export const add = (a, b) => a + b;\n");
      throw new Died();
    });
    const first = memoryWorker({ mind, journal: dyingAt(written), checkout, folder, tools: [dying] });
    await expect(work(first.assignment, first.parts, new AbortController().signal)).rejects.toThrow(Died);
    const again = memoryTool("file.edit", () => ({ ok: true, text: "stands there already" }));
    const second = memoryWorker({ mind, journal: memoryJournal(written), checkout, folder, tools: [again] });
    const end = await work(second.assignment, second.parts, new AbortController().signal);
    expect(end).toEqual({ how: "finished", verdict: "PASS", detail: "add adds" });
    expect(second.state().committed).toEqual(["src/add.mjs"]);
    expect(told(mind).split("nobody knows whether it was done").length - 1).toBeGreaterThan(0);
  });
});
class Died extends Error {}
/** A journal of a process that dies as soon as a call has ended with what `Died` says. */
const dyingAt = (written: string[]) => ({
  ...memoryJournal(written),
  async append(line: string) {
    if (line.includes('"r":"ended"') && line.includes("broke")) throw new Died();
    written.push(line);
  },
});

test("lines of a journal that cannot be read, or do not fit, are said and hide none of the others", async () => {
  const written: string[] = [];
  const checkout = memoryCheckout();
  const folder = memoryFolder();
  const mind = scriptedMind(sensible);
  const first = memoryWorker({ mind, journal: memoryJournal(written), checkout, folder });
  await work(first.assignment, first.parts, new AbortController().signal);
  const bad = [
    written[0]!,
    "\0\0\0",
    "{",
    '{"r":"ended","at":1,"id":"x"}',
    '{"r":"opened","at":1}',
    ...written.slice(1),
  ];
  const said: string[] = [];
  const second = memoryWorker({ mind, journal: memoryJournal(bad), checkout, folder, said });
  const end = await work(second.assignment, second.parts, new AbortController().signal);
  expect(end).toMatchObject({ how: "finished", verdict: "PASS" });
  expect(said[0]).toMatch(/note: [34] lines of the journal cannot be read/);
});
