import { actOn } from "./act.ts";
import { dueFacts } from "./due.ts";
import type { Fact } from "./fact.ts";
import type { WantedIntent } from "./intent.ts";
import { fillSlots } from "./slots.ts";
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
  const roots = new Set(chains.map((chain) => chain[0]!));
  const facts = [...roots].flatMap((root) => {
    const mine = chains.filter((chain) => chain[0] === root);
    const turn = beginTurn(world.task(root), world.now);
    const stuck = new Set(mine.flatMap((chain) => chain.slice(1)));
    const first = mine[0]!.join(" -> ");
    turn.notify("deadlock", `deadlock: ${first}: ${[...stuck].join(", ")} cannot start, because ${root} failed`);
    const found = mine.map((chain): Fact => ({ kind: "deadlock-found", chain, at: world.now }));
    return [...found, ...turn.facts];
  });
  return { facts, intents: [] };
};

/**
 * decide(), in four looks: what each concludes is in the world before the next one looks, so that a task that became
 * free in this very tick is not passed over for one with a higher id. At most one step is started per task and tick.
 */
export const PASSES: readonly Pass[] = [fallDue, act, fillSlots, tellDeadlocks];
