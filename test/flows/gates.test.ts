import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TaskFact } from "../../src/domain/fact.ts";
import { ask, project, start, type Watched } from "../support/project.ts";

const WORKER = readFileSync("examples/worker.sh", "utf8");
/** Ends at once where nobody has answered, so that each gate parks it. */
const PARKING = WORKER.replace('pawl submit "$@"', 'pawl submit "$@" --wait 0');

const map = `phases:
  version: 1
  phases:
    implement: {run: agent implementer, on_pass: done, on_fail: implement}
`;
const config = (more = "") => `agents: {implementer: {command: agents/work.sh}}
defaults: {authorized_files: ["notes/**"]}
limits: {max_workers: 1}
${more}${map}`;
const task = (title: string, suite = "test -d notes") =>
  `---\ntitle: ${title}\nacceptance_criteria: [a note is there]\ntest_delta: {regression: ["${suite}"]}\n---\nWrite it.\n`;

const answers = ({ facts }: Watched, id: string) =>
  facts.flatMap((fact) => (fact.kind === "gate-answered" && fact.task === id ? [fact.answer.name] : []));
const kindsOf = ({ facts }: Watched, kind: TaskFact["kind"]) => facts.filter((fact) => fact.kind === kind).length;
const ALL = ["001-FEEDBACK.json", "002-GO.json", "003-FIX.json", "004-NEXT.json"];

describe("gates", () => {
  test("a worker of sh and pawl goes through plan, FEEDBACK, GO, report, FIX and NEXT, answered where it waits", async () => {
    const { repo, state } = project({
      config: config(),
      tasks: { "task-1": task("One") },
      files: { "agents/work.sh": WORKER },
    });
    const run = await start(repo);
    void run.run();
    await run.fact("task-completed", "task-1", () => true, 60_000);
    expect(answers(run, "task-1")).toEqual(ALL);
    expect(run.task("task-1")).toMatchObject({ round: 0, visit: 1, attempt: 1, ledger: { spent: { spawns: 1 } } });
    const folder = join(state, "runs/task-1/01-implement-a1");
    expect(readdirSync(join(folder, "inbox")).sort()).toEqual(ALL);
    expect(JSON.parse(readFileSync(join(folder, "inbox/001-FEEDBACK.json"), "utf8"))).toMatchObject({
      by: "rules",
      issues: [{ text: "AC-001 names no test" }],
    });
    expect(readFileSync(join(folder, "inbox/003-FIX.json"), "utf8")).toContain("notes/task-1.md:2 is blank");
  }, 90_000);

  test("a person answers what the rules pass on; meanwhile another task has the slot, and a second processor goes on", async () => {
    const { repo, state } = project({
      config: config("gates: {go: [rules, human]}\n"),
      tasks: { "task-1": task("One"), "task-2": task("Two") },
      files: { "agents/work.sh": PARKING },
    });
    const first = await start(repo);
    void first.run("idle");
    await first.fact("gate-passed", "task-1", () => true, 60_000);
    await first.fact("gate-passed", "task-2", () => true, 60_000);
    expect(first.task("task-1").doing).toMatchObject({ kind: "at-gate", gate: "GO", owners: ["human"], alive: false });
    expect(await ask(first, "task-1", { do: "next", seq: null, message: null })).toMatchObject({ accepted: false });
    await first.stop();

    const second = await start(repo);
    void second.run();
    expect(await ask(second, "task-1", { do: "go", seq: 2, message: null })).toMatchObject({ accepted: true });
    await second.fact("task-completed", "task-1", () => true, 90_000);
    expect(await ask(second, "task-2", { do: "block", seq: null, message: "not this one" })).toMatchObject({
      accepted: true,
    });
    const held = await second.fact("task-waiting", "task-2", () => true, 60_000);
    expect(held.on).toMatchObject({ code: "blocked", owner: "human", reason: "BLOCKED: not this one" });
    expect(kindsOf(second, "worker-crashed")).toBe(0);
    expect(second.task("task-1")).toMatchObject({ round: 0, visit: 1, attempt: 1, ledger: { spent: { spawns: 1 } } });
    expect([...answers(first, "task-1"), ...answers(second, "task-1")], "each gate is answered once").toEqual(ALL);
    const run = readdirSync(join(state, "runs/task-1/01-implement-a1"));
    expect(run.filter((name) => name.startsWith("leg-")).length, "it was parked").toBeGreaterThan(2);
  }, 240_000);
});
