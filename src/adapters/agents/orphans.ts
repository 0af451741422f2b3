import { type Claim, driverMark, type LegPlace } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { endStrays, endUnbegun } from "./strays.ts";

/**
 * Ends what a driver left that was killed itself: the agent's group, if the agent is certainly the one that the claim
 * names, and all that carries the leg's mark. True: nothing that can be seen lives any more.
 */
export async function endOrphans(
  at: LegPlace,
  claim: Claim | null,
  parts: HostParts,
  signal: AbortSignal,
): Promise<boolean> {
  const { processes, clock } = parts;
  const agent = claim?.agent ?? null;
  if (agent) {
    await processes.signal(agent, "SIGTERM", "group");
    for (let looks = 0; looks < 40 && !signal.aborted && (await processes.lives(agent)) === "alive"; looks++) {
      await clock.sleep(25, signal);
    }
    await processes.signal(agent, "SIGKILL", "group");
  }
  // before its strays: it may become one of them at any moment
  const hasBegun = await endUnbegun(driverMark(parts.state, at.leg), { processes, clock, signal });
  const isAlone = await endStrays({ group: null, folder: at.folder, processes, clock, signal });
  return hasBegun && isAlone && (agent === null || (await untilGone(parts, agent, signal)));
}

async function untilGone(
  { processes, clock }: HostParts,
  who: NonNullable<Claim["agent"]>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let looks = 0; looks < 80; looks++) {
    const lives = await processes.lives(who);
    if (lives === "gone") return true;
    if (lives === "unknown" || signal.aborted) return false;
    await clock.sleep(25, signal);
  }
  return false;
}
