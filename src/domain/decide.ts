import { actOn } from "./act.ts";
import { dueFacts } from "./due.ts";
import type { Fact } from "./fact.ts";
import type { WantedIntent } from "./intent.ts";
import type { TaskId } from "./names.ts";
import { fillSlots } from "./slots.ts";
import { beginTurn } from "./turn.ts";
import type { World } from "./world.ts";

export interface Decision {
  /** not effects alone: a pickup, a failure at max rounds, a hold and a deadlock are facts without one */
  readonly facts: readonly Fact[];
  readonly intents: readonly WantedIntent[];
}

/**
 * What is to be done now. Pure and deterministic: what falls due, then every task that needs no slot, then the slots by
 * id order, then deadlocks. At most one step is started per task.
 */
export function decide(world: World): Decision {
  const facts: Fact[] = [];
  const intents: WantedIntent[] = [];
  const released = new Set<TaskId>();
  for (const id of world.due()) {
    const turn = beginTurn(world.task(id), world.now);
    dueFacts(turn, world);
    if (turn.facts.length > 0) released.add(id);
    facts.push(...turn.facts);
  }
  for (const id of world.acting()) {
    if (released.has(id)) continue; // its row has moved: next tick, which follows at once
    const turn = beginTurn(world.task(id), world.now);
    intents.push(...actOn(turn, world));
    facts.push(...turn.facts);
  }
  const slots = fillSlots(world, released);
  facts.push(...slots.facts);
  intents.push(...slots.intents);
  facts.push(...deadlocks(world));
  return { facts, intents };
}

/** A failed dependency strands what hangs on it: said once per chain (processor.md, "Dependency failed"). */
function deadlocks(world: World): readonly Fact[] {
  return world.stranded().flatMap((chain) => {
    const found: Fact = { kind: "deadlock-found", chain, at: world.now };
    const root = world.task(chain[0]!);
    const turn = beginTurn(root, world.now);
    turn.notify(
      "deadlock",
      `deadlock: ${chain.join(" -> ")}: ${chain.at(-1)} cannot start, because ${chain[0]} failed`,
    );
    return [found, ...turn.facts];
  });
}
