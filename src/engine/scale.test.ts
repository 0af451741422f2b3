import { describe, expect, test } from "vitest";
import { aSeed, aTask, boardOf, done, running, turn } from "../../test/support/rows.ts";
import { NOTHING, UNLIMITED } from "../domain/budget.ts";
import type { Input } from "../domain/input.ts";
import type { EffectKey, LegKey, TaskId } from "../domain/names.ts";
import type { Seed, Task } from "../domain/task.ts";
import type { Board } from "./board.ts";

const SEEDS = 20_000;
const names = (n: number, from = 1) => Array.from({ length: n }, (_, i) => `task-${from + i}`);
const busy = (name: string): Task => aTask(name, { doing: running({ ended: false, leg: `${name}/1/1.1` as LegKey }) });
const seeds = (change: Partial<Seed["terms"]> = {}) =>
  names(SEEDS, 1_001).map((name) => {
    const seed = aSeed(name);
    return { ...seed, terms: { ...seed.terms, ...change } };
  });
const news = (name: string): Input => ({
  kind: "run-seen",
  task: name as TaskId,
  leg: `${name}/1/1.1` as LegKey,
  sighting: { kind: "unknown", why: "x" },
});

/** How many rows a tick looks at: what it costs, on any machine. */
async function rowsLookedAt(board: Board, inputs: readonly Input[]): Promise<number> {
  let looks = 0;
  const find = board.find.bind(board);
  board.find = (id) => {
    looks++;
    return find(id);
  };
  await turn(board, inputs);
  return looks;
}

describe(`a tick that touches ten of ${SEEDS + 1_000} tasks looks at a handful of rows`, () => {
  const rows = names(1_000).map(busy);
  const full = { maxWorkers: 1_000 };
  const open = { maxWorkers: 1_004 };
  const spent = { spent: { ...NOTHING, spawns: 5 } };
  const budget = { ...UNLIMITED, spawns: 5 };
  test.each([
    ["with every slot taken", () => boardOf({ rows, seeds: seeds(), limits: full })],
    [
      "with free slots, and everything ready touches what is at work",
      () =>
        boardOf({
          rows: [{ ...rows[0]!, terms: { ...rows[0]!.terms, touches: ["src/**"] } }, ...rows.slice(1)],
          seeds: seeds({ touches: ["src/**"] }),
          limits: open,
        }),
    ],
    [
      "with free slots, and the backlog's budget used up",
      () => boardOf({ rows, seeds: seeds(), limits: { ...open, budget }, backlog: spent }),
    ],
    [
      "with free slots, and no map for what is ready",
      () => boardOf({ rows, seeds: seeds({ phases: "gone" }), limits: open }),
    ],
  ])("%s", async (_, make) => {
    const board = make();
    await turn(board);
    expect(await rowsLookedAt(board, names(10).map(news))).toBeLessThan(100);
  });

  test("the end of a notice of one of many failed tasks", async () => {
    const over = names(SEEDS, 1_001).map((name) => ({
      id: name as TaskId,
      status: "failed" as const,
      synced: false,
      merged: null,
    }));
    const key = "task-1/1/notify/1" as EffectKey;
    const chore = { kind: "notify" as const, key, task: "task-1" as TaskId, event: "failed" as const, text: "x" };
    const board = boardOf({ rows: [{ ...rows[0]!, chores: [chore] }], ended: over });
    const end: Input = { kind: "effect-ended", task: "task-1" as TaskId, key, result: done({ what: "nothing" }) };
    await turn(board, [end]);
    expect(board.failedRoots()).toEqual([]);
    expect(await rowsLookedAt(board, [news("task-1")])).toBeLessThan(20);
  });
});

test("a chain of 2,000 tasks is added, and told of when its root fails", async () => {
  const chain = names(2_000).map((name, i) => aSeed(name, i === 0 ? [] : [`task-${i}`]));
  const board = boardOf({ limits: { maxWorkers: 1 } });
  const read = chain.map((seed): Input => ({ kind: "spec-read", task: seed.id, spec: seed.spec, terms: seed.terms }));
  await turn(board, read);
  await turn(board, [
    {
      kind: "command-received",
      id: "r",
      by: "lead",
      task: "task-1" as TaskId,
      command: { do: "cancel", message: "x" },
    },
  ]);
  const ended = board.rows.get("task-1" as TaskId)!;
  expect(ended.doing.kind).toBe("effect");
  board.apply({ kind: "task-failed", task: ended.id, why: "x", at: board.now });
  expect((await turn(board)).of("deadlock-found")).toHaveLength(1);
});

test("a fan of 2,000 tasks on one that fails is 2,000 chains, one notice, and no second", async () => {
  const fan = names(2_000, 2).map((name) => aSeed(name, ["task-1"]));
  const board = boardOf({ rows: [aTask("task-1")], seeds: fan, limits: { maxWorkers: 0 } });
  board.apply({ kind: "task-failed", task: "task-1" as TaskId, why: "x", at: board.now });
  const { of, facts } = await turn(board);
  expect(of("deadlock-found")).toHaveLength(2_000);
  const [told] = facts.flatMap((fact) =>
    fact.kind === "effect-intended" && fact.intent.kind === "notify" ? [fact.intent.text] : [],
  );
  expect(told!.length).toBeLessThan(500);
  expect((await turn(board)).facts).toEqual([]);
});

test("a row that is read back for one request is let go again", async () => {
  const row = aTask("task-1", { status: "completed", synced: true });
  const board = boardOf({ ended: [{ id: row.id, status: "completed", synced: true, merged: null }] });
  const ask: Input = {
    kind: "command-received",
    id: "r",
    by: "lead",
    task: row.id,
    command: { do: "retry", from: null },
  };
  expect((await turn(board, [ask], { rows: [row] })).of("command-answered")).toMatchObject([{ accepted: false }]);
  expect([...board.rows.keys()]).toEqual([]);
});
