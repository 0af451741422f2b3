import { expect, test } from "vitest";
import { progressSchema } from "../../src/protocol/progress.ts";
import { verdictSchema } from "../../src/protocol/verdict.ts";
import { fold } from "../../src/tactics/evolve.ts";
import type { JournalRecord } from "../../src/tactics/record.ts";
import { type WorkerEnd, work } from "../../src/tactics/worker.ts";
import { type Chance, chance } from "../support/chance.ts";
import { memoryCheckout, memoryFolder, memoryJournal, memoryTool, memoryWorker } from "../support/memory-worker.ts";
import { pushedClock } from "../support/pushed-clock.ts";
import { isPlanner, type Says, scriptedMind } from "../support/scripted-mind.ts";
import { sensible } from "../support/sensible-mind.ts";

const SEEDS = Number(process.env.PAWL_MINDS ?? 200);
const FIRST = Number(process.env.PAWL_SEED ?? 1);
const TOOLS =
  "file_read file_edit file_write shell test_run plan_submit report_submit memory_search memory_save internet_research skill_generator done escalate file.edit no_tool __proto__ constructor".split(
    " ",
  );
const TYPES = "code_modify code_create generic research memory_op skill_build plan report no_type __proto__".split(" ");
const GARBAGE = [
  "",
  " ",
  "{",
  "}",
  "[]",
  "null",
  "\0\x1b[31m",
  "\ud800",
  "{}".repeat(50),
  '{"action":',
  "```json\n```",
  "Done!",
];

function args(of: Chance, name: string): unknown {
  if (of.percent(15)) return of.pick([null, 7, [], "{", '{"path":"src/add.mjs"}', { __proto__: null, x: 1 }, "no"]);
  const file = of.pick(["src/add.mjs", "src/new.mjs", "lib/out.mjs", ""]);
  switch (name) {
    case "file_edit":
    case "file.edit":
      return { path: file, old: of.pick(["a - b", "a + b", "x"]), new: of.pick(["a + b", "a - b", ""]) };
    case "file_write":
      return { path: file, text: of.pick(["export const add = (a, b) => a + b;\n", "", "x\n"]) };
    case "plan_submit":
      return {
        approach: of.pick(["swap", ""]),
        ac_mapping: of.percent(80) ? [{ ac: "AC-001", implementation: "i", file: "src/add.mjs", test: "t" }] : [],
        files: [{ path: of.pick(["src/add.mjs", "src/add.mjs", "lib/no.mjs"]), changes: [] }],
        tests: of.pick([[], [], [], [{ name: of.pick(["t", "", " "]), kind: "", text: "" }]]),
      };
    case "report_submit": {
      const evidence = of.percent(85) ? [{ file: "src/add.mjs", line: of.pick([1, 1, 1, 2, 99]) }] : [];
      const ac = of.pick(["AC-001", "AC-001", "AC-001", "AC-001", "", "AC-9"]);
      const more = of.percent(10) ? [{ ac: of.pick(["", "AC-001"]), status: "PASS", evidence: [] }] : [];
      const status = of.pick(["PASS", "PASS", "PASS", "FAIL"]);
      return { summary: "s", ac_verification: [{ ac, status, evidence }, ...more] };
    }
    default:
      return of.pick([{ path: file }, { cmd: "ls", path: file }, {}, { url: "https://x" }, { summary: "s" }]);
  }
}

/** Legal and illegal calls, decisions, words and garbage. */
function says(of: Chance, isPlannerAsked: boolean): Says {
  if (of.percent(12)) return { text: of.pick(GARBAGE) };
  if (isPlannerAsked || of.percent(5)) {
    const action = of.pick(["EXECUTE", "EXECUTE", "EXECUTE", "COMPLETE", "COMPLETE", "ESCALATE", "DANCE"]);
    return { text: JSON.stringify({ action, task_type: of.pick(TYPES), goals: of.pick([["g"], [], ["a", "b"]]) }) };
  }
  if (of.percent(20)) {
    const action = of.pick(["CALL_TOOL", "CALL_TOOL", "DONE", "ESCALATE"]);
    const name = of.pick(TOOLS);
    return { text: JSON.stringify({ action, tool: { name, args: args(of, name) }, state: { step: 9 } }) };
  }
  const calls = Array.from({ length: of.pick([1, 1, 1, 2, 3]) }, () => {
    const name = of.pick(TOOLS);
    return { name, args: args(of, name) };
  });
  return { text: of.pick(["", "I am thinking."]), calls };
}

const CONTEXT = [
  "0 Ticket",
  "1 Context",
  "2 Repository",
  "3 Task plan",
  "4 Results and task state",
  "5 Decisions so far",
];
const RUN_FIELDS =
  "run_id task_id start_ts end_ts status eoi plan_steps current_step commands commits validation affected_nodes reflections error".split(
    " ",
  );

/** Fails at the first file that is not as it has to be, whenever it is written. */
function checked(name: string, text: string): void {
  if (name === "progress.json") progressSchema.parse(JSON.parse(text));
  if (name === "verdict.json") verdictSchema.parse(JSON.parse(text));
  if (name === "context.md") expect([...text.matchAll(/^## (\d .*)$/gm)].map(([, title]) => title)).toEqual(CONTEXT);
  if (/^\d{6}-\d{8}-/.test(name)) {
    const log = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(log)).toEqual(expect.arrayContaining(RUN_FIELDS));
    for (const one of log.commands as Record<string, unknown>[])
      expect(one).toMatchObject({ exit_code: expect.any(Number), ending: expect.any(String) });
  }
}

async function live(seed: number) {
  const of = chance(seed);
  // from minds that never make sense to those that mostly do
  const sense = (seed % 5) * 22;
  const clock = pushedClock();
  let stopping = new AbortController();
  const mind = scriptedMind((request) => {
    if (of.percent(3)) stopping.abort();
    clock.push(of.below(20_000));
    return of.percent(sense) ? sensible(request) : says(of, isPlanner(request));
  });
  const research = memoryTool("internet.research", () => ({ ok: of.percent(70), text: of.pick(["", "found"]) }), false);
  const skill = memoryTool("skill.generator", () => ({
    ok: of.percent(70),
    text: "",
    data: { valid: of.percent(50) },
  }));
  const breaks = memoryTool("memory.save", () => {
    if (of.percent(30)) throw new Error("the store is away");
    return { ok: true, text: "kept" };
  });
  const search = memoryTool("memory.search", () => ({ ok: true, text: "", data: { empty: true } }), false);
  const written: string[] = [];
  const folder = memoryFolder(checked);
  const logs = memoryFolder(checked);
  const checkout = memoryCheckout();
  const tools = [research, skill, breaks, search];
  for (;;) {
    const worker = memoryWorker({ mind, clock, journal: memoryJournal(written), folder, logs, checkout, tools });
    const end: WorkerEnd = await work(worker.assignment, worker.parts, stopping.signal);
    if (end.how !== "stopped") return { end, mind, written, folder, state: worker.state() };
    stopping = new AbortController();
  }
}

test(`${SEEDS} minds that answer at random: each ends within its bounds, with a verdict (from seed ${FIRST})`, async () => {
  const ends: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const { end, mind, written, folder, state } = await live(seed).catch((error: unknown) => {
      throw new Error(`seed ${seed}`, { cause: error });
    });
    expect(end.how, `seed ${seed}`).toBe("finished");
    const { verdict } = verdictSchema.parse(JSON.parse(folder.read("verdict.json")!));
    ends[verdict] = (ends[verdict] ?? 0) + 1;
    expect(end).toMatchObject({ verdict });
    expect(mind.asked.length, `seed ${seed}`).toBeLessThanOrEqual(300);
    expect(state.session.revisions).toBeLessThanOrEqual(2);
    expect(state.session.fixes).toBeLessThanOrEqual(2);
    const records = written.map((line) => JSON.parse(line) as JournalRecord);
    expect(fold(records), `seed ${seed}`).toEqual(state);
    // what was started has an end, and nothing ended that was not started
    const ids = (kind: string) => records.filter(({ r }) => r === kind).length;
    expect(ids("ended") + ids("unknown"), `seed ${seed}`).toBe(ids("started"));
  }
  console.info(JSON.stringify(ends));
  expect(Object.keys(ends)).toEqual(expect.arrayContaining(["PASS", "BLOCKED"]));
}, 120_000);
