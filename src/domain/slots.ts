import { rulesOf } from "./act.ts";
import { type Amount, add, type Limit, left, NOTHING, reservation, reservedIn } from "./budget.ts";
import type { Decision } from "./decide.ts";
import type { Fact } from "./fact.ts";
import type { OpenRun } from "./gate.ts";
import type { Place, SpawnWish, WantedIntent } from "./intent.ts";
import { enter, fail, wait } from "./move.ts";
import { type Commit, effectKey, type Instant, legKey, type Ms, runKey } from "./names.ts";
import { type Phase, phaseOf } from "./phase.ts";
import { nextOf } from "./step.ts";
import type { Purpose, Task } from "./task.ts";
import { touching } from "./touches.ts";
import { beginTurn, type Turn } from "./turn.ts";
import type { Pool, World } from "./world.ts";

const CHECK_WALL_MS: Ms = 30 * 60_000;

interface Filling {
  readonly facts: Fact[];
  readonly intents: WantedIntent[];
  /** reserved by spawns of this very decision: the next one must not count on it */
  reserved: Amount;
  readonly taken: Task[];
}

/** Gives free slots to those that want one, lowest id first (processor.md, "Max Workers"). */
export function fillSlots(world: World): Decision {
  const filling: Filling = { facts: [], intents: [], reserved: NOTHING, taken: [] };
  fillPool(world, "worker", filling);
  fillPool(world, "run", filling);
  return filling;
}

function fillPool(world: World, pool: Pool, filling: Filling): void {
  const { maxWorkers, maxRuns } = world.backlog.limits;
  const holders = world.holders(pool);
  let free = (pool === "worker" ? maxWorkers : maxRuns) - holders.length;
  const busy = [...holders, ...filling.taken];
  if (free <= 0) return;
  const barred = new Set<string>();
  for (const id of world.eligible(pool, barred)) {
    if (free <= 0) return;
    const task = world.task(id);
    const said = pool === "worker" && touching(task, busy) ? "no" : fill(task, world, filling);
    if (said === "no") barred.add(world.kin(pool, id));
    if (said !== "taken") continue;
    busy.push(task);
    free--;
  }
}

/** Starts one task's run. taken: it takes a slot. no: neither it nor any other of its kin, for now. */
function fill(start: Task, world: World, filling: Filling): "taken" | "moved" | "no" {
  const turn = beginTurn(start, world.now);
  const used = start.status === "not-started" ? pickUp(turn, world) : true;
  const intent = used ? spawn(turn, world, filling) : null;
  filling.facts.push(...turn.facts);
  if (intent === null) return turn.facts.length > 0 || start.status !== "not-started" ? "moved" : "no";
  filling.intents.push(intent);
  filling.taken.push(turn.task());
  return "taken";
}

/** not-started -> in-progress, at the first phase of its map (processor.md, "First-Phase Initialization"). False: not now. */
function pickUp(turn: Turn, world: World): boolean {
  const map = world.newest(turn.task().terms.phases);
  if (map === null || backlogIsShort(world)) return false;
  turn.note({ kind: "task-picked-up", map: map.hash, at: turn.now });
  enter(turn, { map, newest: map }, { to: map.first, round: 0, cause: "PICKUP" });
  return map.phases[map.first]!.step.run === "agent";
}

export const backlogIsShort = (world: World): boolean =>
  Object.values(backlogLeft(world, NOTHING)).some((rest) => rest !== null && rest <= 0);

function backlogLeft({ backlog }: World, alsoReserved: Amount): Limit {
  return left(backlog.limits.budget, add(add(backlog.spent, backlog.reserved), alsoReserved));
}

function spawn(turn: Turn, world: World, filling: Filling): WantedIntent | null {
  const task = turn.task();
  const rules = rulesOf(world, task);
  const phase = phaseOf(rules.map, task.phase)!;
  if (task.run) return nextLeg(task, task.run);
  const next = nextOf(task, rules.map, rules.limits);
  if (next.kind !== "slot") return null;
  // a user's command and a merge check cost no worker's budget; they have their own time limit
  const reserve = next.purpose === "agent" ? reserveFor(turn, world, filling) : NOTHING;
  if (reserve === null) return null;
  const wallMs = next.purpose === "agent" ? reserve.wallMs : wallOf(phase);
  const wish = wishOf(task, phase, { purpose: next.purpose, reserve, wallMs, contains: mergesOf(task, world) });
  const key = effectKey(task, "spawn");
  turn.note({ kind: "budget-reserved", run: wish.run, amount: reserve });
  filling.reserved = add(filling.reserved, reserve);
  return { kind: "spawn", key, task: task.id, wish };
}

/** A run that was parked goes on: the same attempt and brief, nothing reserved anew, what is left of its time. */
function nextLeg(task: Task, { wish, brief, legs, leftMs, answer }: OpenRun): WantedIntent {
  const next: SpawnWish = {
    ...wish,
    leg: legKey(wish.run, legs + 1),
    wallMs: leftMs,
    ...(answer === null ? {} : { answer: { name: answer.name, message: answer.message } }),
  };
  return { kind: "spawn", key: effectKey(task, "spawn"), task: task.id, wish: next, brief };
}

const wallOf = ({ step }: Phase): Ms => (step.run === "action" && step.how === "command" ? step.wallMs : CHECK_WALL_MS);

/** What this spawn may spend; null: nothing is left, and the task waits for a person (or fails, if the settings say so). */
function reserveFor(turn: Turn, world: World, filling: Filling): Amount | null {
  const { terms, ledger } = turn.task();
  const { limits } = world.backlog;
  const mine = left(terms.limit, add(ledger.spent, reservedIn(ledger)), ledger.extra);
  const found = reservation(mine, backlogLeft(world, filling.reserved), {
    wallMs: terms.wallMs,
    share: limits.maxWorkers,
  });
  if ("amount" in found) return found.amount;
  // held by runs that are under way, and may come back: no reason to ask a person, or to fail
  if (found.of === "backlog" && !isSpent(world, found.short)) return null;
  const more = found.of === "task" ? `pawl extend ${turn.task().id}` : "raise it in pawl.yaml";
  const why = `budget of the ${found.of} is used up: ${SHORT[found.short]}; ${more}`;
  if (limits.onLimit === "fail") fail(turn, why);
  else {
    const code = found.of === "task" ? "budget" : "backlog-budget";
    wait(turn, { code, owner: "human", reason: why, since: turn.now, until: null });
  }
  return null;
}
const isSpent = ({ backlog }: World, kind: keyof Amount): boolean =>
  backlog.spent[kind] >= (backlog.limits.budget[kind] ?? Number.POSITIVE_INFINITY);
const SHORT = { microUsd: "money", tokens: "tokens", wallMs: "wall time", spawns: "spawns" } as const;

/** The spawn that was decided cannot be ordered, for want of configuration: nothing was spent, and a person puts it back. */
export function undressed(task: Task, wanted: WantedIntent, why: string, now: Instant): readonly Fact[] {
  const turn = beginTurn(task, now);
  if (wanted.kind === "spawn") {
    const { run, reserve } = wanted.wish;
    turn.note({ kind: "budget-settled", run, reserved: reserve, amount: NOTHING, known: false, estimated: false });
  }
  wait(turn, { code: "no-phase", owner: "human", reason: why, since: now, until: null });
  return turn.facts;
}

/** Merges of its dependencies: a new branch must start from a base that holds them. */
const mergesOf = (task: Task, world: World): readonly Commit[] =>
  task.head !== null ? [] : task.terms.deps.flatMap((dep) => world.mergedOf(dep) ?? []);

function wishOf(
  task: Task,
  phase: Phase,
  {
    purpose,
    reserve,
    wallMs,
    contains,
  }: { purpose: Purpose; reserve: Amount; wallMs: Ms; contains: readonly Commit[] },
): SpawnWish {
  const run = runKey(task.id, task.visit, task.attempt + 1);
  return {
    run,
    leg: legKey(run, 1),
    purpose,
    phase: phase.name,
    who: phase.step.run === "agent" ? phase.step.role : phase.step.name,
    round: task.round,
    place: placeOf(task, phase, { purpose, contains }),
    wallMs,
    reserve,
  };
}

function placeOf(
  task: Task,
  phase: Phase,
  { purpose, contains }: { purpose: Purpose; contains: readonly Commit[] },
): Place {
  const { branch, base } = task.terms;
  if (purpose === "check") return { kind: "clean", commit: task.candidate!.commit, base };
  const clean = phase.step.run === "agent" && phase.step.checkout === "clean";
  if (clean && task.head !== null) return { kind: "clean", commit: task.head, base };
  const merge = purpose === "agent" ? (task.conflict?.tip ?? null) : null;
  return { kind: "worktree", branch, base, start: task.head, contains, merge };
}
