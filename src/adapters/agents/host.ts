import type { RunEnd } from "../../domain/input.ts";
import type { LegKey } from "../../domain/names.ts";
import type { Runtime, Seen } from "../../ports/runtime.ts";
import { cleanUpTask } from "./clean-up.ts";
import { deliverTo } from "./deliver.ts";
import { findLeg } from "./leg.ts";
import { lookAt } from "./look.ts";
import type { HostParts } from "./parts.ts";
import { reapLeg } from "./reap.ts";
import { spawnLeg } from "./spawn.ts";
import { startStirring } from "./stirred.ts";
import { stopLeg } from "./stop.ts";

/**
 * Runs workers on this machine. Keeps nothing in memory that matters: a host that is made anew over the same folders
 * sees, stops and reaps what an earlier one spawned.
 */
export function createHost(parts: HostParts): Runtime {
  const stirring = startStirring();
  const reaping = new Map<LegKey, Promise<RunEnd>>();
  const follow = (leg: LegKey, { kind }: Seen) => {
    const at = kind === "alive" || kind === "gate" ? findLeg(parts.state, leg) : null;
    if (at) stirring.follow(at);
    else stirring.forget(leg);
  };
  return {
    async spawn(order, { signal }) {
      const result = await spawnLeg(order, parts, signal);
      const at = result.kind === "done" ? findLeg(parts.state, order.wish.leg) : null;
      if (at) stirring.follow(at);
      return result;
    },
    async look(legs, { signal }) {
      const seen = await Promise.all(
        legs.map(async (leg): Promise<[LegKey, Seen]> => [leg, await lookAt(leg, parts, signal)]),
      );
      for (const [leg, sighting] of seen) follow(leg, sighting);
      return new Map(seen);
    },
    deliver: async (leg, name, message) => deliverTo(leg, name, message, parts),
    stop: (leg, why, { signal }) => stopLeg(leg, why, parts, signal),
    reap(leg, { signal }) {
      const running = reaping.get(leg) ?? reapLeg(leg, { ...parts, signal }).finally(() => reaping.delete(leg));
      reaping.set(leg, running);
      return running;
    },
    cleanUp: (task, { signal }) => cleanUpTask(task, { ...parts, signal }),
    stirred: (signal) => stirring.hints(signal),
  };
}
