import { expect, test } from "vitest";
import { explain } from "../../src/domain/explain.ts";
import { compareIds } from "../../src/domain/names.ts";
import { isTerminal } from "../../src/domain/task.ts";
import { touching } from "../../src/domain/touches.ts";
import { copyOf, runWorld, type Seen } from "./world.ts";

const WORLDS = Number(process.env.PAWL_WORLDS ?? 1_000);
const FIRST = Number(process.env.PAWL_SEED ?? 1);

/** What must hold after every tick, whatever the outside does. */
function invariants(seen: Seen): void {
  slots(seen);
  order(seen);
  rounds(seen);
  explained(seen);
  effectsOnce(seen);
  sameIndexes(seen);
}

function slots({ board }: Seen): void {
  expect(board.holders("worker").length).toBeLessThanOrEqual(board.backlog.limits.maxWorkers);
  expect(board.holders("run").length).toBeLessThanOrEqual(board.backlog.limits.maxRuns);
  for (const task of board.holders("worker"))
    expect(
      touching(
        task,
        board.holders("worker").filter((other) => compareIds(other.id, task.id) < 0),
      ),
    ).toBe(null);
}

/** Nobody with a lower id that could have been started was passed over. */
function order({ started, board }: Seen): void {
  const spawned = started
    .filter((intent) => intent.kind === "spawn" && intent.wish.purpose === "agent")
    .map((intent) => intent.task);
  expect(spawned).toEqual([...spawned].sort(compareIds));
  const last = spawned.at(-1);
  if (last === undefined) return;
  for (const id of board.eligible("worker")) {
    if (compareIds(id, last) >= 0) break;
    const task = board.task(id);
    const blocked = touching(task, board.holders("worker")) !== null || board.newest(task.terms.phases) === null;
    expect(
      blocked || task.status === "in-progress" || board.backlog.limits.budget.spawns !== null,
      `${id} was passed over for ${last}`,
    ).toBe(true);
  }
}

/** A round is one RETRY, never two, and never taken back but by a person. */
function rounds({ before, board, facts }: Seen): void {
  for (const [id, was] of before) {
    const is = board.rows.get(id);
    if (!is || facts.some((fact) => fact.kind === "task-retried" && fact.task === id)) continue;
    expect(is.round - was.round).toBe(
      facts.filter((fact) => fact.kind === "phase-entered" && fact.task === id && fact.cause === "RETRY").length,
    );
    if (is.visit < was.visit) expect.fail(`${id} went back from visit ${was.visit} to ${is.visit}`);
  }
}

function explained({ board }: Seen): void {
  for (const task of [...board.rows.values(), ...[...board.seeds.keys()].map((id) => board.task(id))]) {
    const why = explain(task, board);
    if (isTerminal(task)) {
      if (why !== null) expect.fail(`${task.id} is ${task.status} and still explained`);
    } else if (!why?.reason) expect.fail(`${task.id} has nobody who owns its next move`);
  }
}

const keys = new Map<number, Set<string>>();
/** A key is started once in a life; a step of a task never beside another of it. */
function effectsOnce({ started, board, seq }: Seen): void {
  if (seq === 1) keys.set(0, new Set());
  for (const { key, kind } of started) {
    if (kind === "prepare-merge" || kind === "reap") continue;
    if (keys.get(0)!.has(key)) expect.fail(`${key} was started twice`);
    keys.get(0)!.add(key);
  }
  const steps = started
    .filter(({ kind }) => !["notify", "clean-up", "deliver", "stop"].includes(kind))
    .map(({ task }) => task);
  expect(new Set(steps).size).toBe(steps.length);
  expect(board.rows.size).toBeGreaterThanOrEqual(0);
}

function sameIndexes({ board }: Seen): void {
  const fresh = copyOf(board);
  if (JSON.stringify(board.indexes.picture()) !== JSON.stringify(fresh.indexes.picture()))
    expect(board.indexes.picture()).toEqual(fresh.indexes.picture());
}

const GATES: ReadonlySet<string> = new Set([
  "gate-opened",
  "gate-passed",
  "gate-answered",
  "gate-overdue",
  "worker-parked",
]);

test(`${WORLDS} seeded worlds keep the invariants on every tick and come to rest`, async () => {
  let ticks = 0;
  const ends: Record<string, number> = {};
  const gates: Record<string, number> = {};
  for (let seed = FIRST; seed < FIRST + WORLDS; seed++) {
    try {
      const board = await runWorld(seed, (seen) => {
        ticks++;
        invariants(seen);
        for (const { kind } of seen.facts) if (GATES.has(kind)) gates[kind] = (gates[kind] ?? 0) + 1;
      });
      for (const task of board.rows.values())
        if (task.status === "in-progress")
          expect(explain(task, board)?.owner, `${task.id}: ${JSON.stringify(task.doing)}`).toBe("human");
      for (const { status } of [...board.rows.values(), ...board.ended.values()])
        ends[status] = (ends[status] ?? 0) + 1;
    } catch (error) {
      throw new Error(
        `seed ${seed} (PAWL_SEED=${seed} PAWL_WORLDS=1): ${error instanceof Error ? error.message : error}`,
        { cause: error },
      );
    }
  }
  expect(ends.completed).toBeGreaterThan(WORLDS);
  for (const kind of GATES) expect(gates[kind], kind).toBeGreaterThan(WORLDS / 100);
  console.log(`${WORLDS} worlds, ${ticks} ticks, ${JSON.stringify(ends)}, ${JSON.stringify(gates)}`);
}, 120_000);
