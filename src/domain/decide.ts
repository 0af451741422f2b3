import { actOn } from "./act.ts";
import { dueFacts } from "./due.ts";
import type { Fact } from "./fact.ts";
import type { WantedIntent } from "./intent.ts";
import type { Instant, TaskId } from "./names.ts";
import { backlogIsShort, fillSlots } from "./slots.ts";
import { beginTurn } from "./turn.ts";
import type { World } from "./world.ts";

export interface Decision {
  /** not effects alone: a pickup, a failure at max rounds, a hold and a deadlock are facts without one */
  readonly facts: readonly Fact[];
  readonly intents: readonly WantedIntent[];
}

/** A pure look at the world that says what is to be done. */
export type Pass = (world: World) => Decision;

/** What falls due by the clock: waits that end, timeouts, deadlines. */
const fallDue: Pass = (world) => ({
  facts: world.due().flatMap((id) => {
    const turn = beginTurn(world.task(id), world.now);
    dueFacts(turn, world);
    return turn.facts;
  }),
  intents: [],
});

/** `pawl stop --workers`: every run that is not told yet is told to end; its task goes on at the next start, with no round. */
const endWorkers: Pass = (world) => ({
  facts: !world.backlog.stopping?.workers
    ? []
    : [...world.holders("worker"), ...world.holders("run")].flatMap((task) => {
        const { doing } = task;
        if (doing.kind !== "running" && doing.kind !== "at-gate") return [];
        if (doing.stopping !== null || (doing.kind === "running" && doing.ended)) return [];
        const turn = beginTurn(task, world.now);
        turn.note({ kind: "worker-stopping", leg: doing.leg, why: "stopped" });
        turn.chore({ kind: "stop", leg: doing.leg, why: "stopped" });
        return turn.facts;
      }),
  intents: [],
});

/** The backlog's budget was raised, or something that was reserved came back: who waited for that goes on. */
const refund: Pass = (world) => ({
  facts: backlogIsShort(world)
    ? []
    : world.broke().map((task): Fact => ({ kind: "task-released", task, at: world.now })),
  intents: [],
});

/** Every task in progress that needs no slot. */
const act: Pass = (world) => {
  const facts: Fact[] = [];
  const intents: WantedIntent[] = [];
  for (const id of world.acting()) {
    const turn = beginTurn(world.task(id), world.now);
    intents.push(...actOn(turn, world));
    facts.push(...turn.facts);
  }
  return { facts, intents };
};

/** A failed dependency strands what hangs on it: a fact per chain, one notice per failed task (processor.md, "Dependency failed"). */
const tellDeadlocks: Pass = (world) => {
  const chains = world.stranded();
  // where nothing else goes on either, that is told by this
  const still = chains.length > 0 ? world.standstill() : [];
  const roots = new Set(chains.map((chain) => chain[0]!));
  const facts = [...roots].flatMap((root) => {
    const mine = chains.filter((chain) => chain[0] === root);
    const turn = beginTurn(world.task(root), world.now);
    const stuck = new Set(mine.flatMap((chain) => chain.slice(1)));
    const first = mine[0]!.join(" -> ");
    turn.notify("deadlock", `deadlock: ${first}: ${named([...stuck])} cannot start, because ${root} failed`);
    const found = mine.map((chain): Fact => ({ kind: "deadlock-found", chain, at: world.now }));
    return [...found, ...turn.facts];
  });
  return { facts: still.length > 0 ? [...facts, standstill(still, world.now)] : facts, intents: [] };
};

/** Told again when nothing can go on by itself: now it is a person's move or nobody's (architecture 6.3). */
const tellStandstill: Pass = (world) => {
  const chains = world.standstill();
  if (chains.length === 0) return { facts: [], intents: [] };
  const found = standstill(chains, world.now);
  const roots = [...new Set(chains.map((chain) => chain[0]!))];
  const turn = beginTurn(world.task(roots[0]!), world.now);
  turn.notify(
    "deadlock",
    `nothing goes on by itself: ${named(found.stranded)} cannot start, because ${named(roots)} failed`,
  );
  return { facts: [found, ...turn.facts], intents: [] };
};

const standstill = (chains: readonly (readonly TaskId[])[], at: Instant) =>
  ({ kind: "standstill-found", stranded: [...new Set(chains.flatMap((chain) => chain.slice(1)))], at }) as const;

/** A notice names a few; `pawl why` names all. */
const named = (ids: readonly string[]): string =>
  ids.length <= 20 ? ids.join(", ") : `${ids.slice(0, 20).join(", ")} and ${ids.length - 20} more`;

/**
 * decide(), in seven looks: what each concludes is in the world before the next one looks, so that a task that became
 * free in this very tick is not passed over for one with a higher id. At most one step is started per task and tick.
 */
export const PASSES: readonly Pass[] = [fallDue, endWorkers, refund, act, fillSlots, tellDeadlocks, tellStandstill];
