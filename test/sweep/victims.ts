import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemProcesses } from "../../src/adapters/system/processes.ts";
import type { Identity } from "../../src/ports/system.ts";
import { claimOf, legFolders } from "./end-state.ts";

const processes = systemProcesses();

/** Kills a driver, or the worker of one, drawn from those that live; waits for one until `over`. False: there was none. */
export async function killOne(
  folder: string,
  victim: "driver" | "worker",
  random: () => number,
  over: AbortSignal,
): Promise<boolean> {
  while (!over.aborted) {
    const living = legFolders(folder).flatMap((leg) => {
      const claim = existsSync(join(leg, "ended.json")) ? null : claimOf(leg);
      const who = victim === "driver" ? claim?.driver : claim?.agent;
      return who ? [who] : [];
    });
    const who = living[Math.floor(random() * living.length)];
    if (who && (await processes.signal(who, "SIGKILL", "process"))) return true;
    await pause(5);
  }
  return false;
}

/** Ends what a failed trial left: only what its own claims name. */
export async function endLeftovers(folder: string): Promise<void> {
  for (const leg of legFolders(folder)) {
    if (existsSync(join(leg, "ended.json"))) continue;
    const claim = claimOf(leg);
    for (const who of [claim?.agent, claim?.driver].filter((one): one is Identity => Boolean(one)))
      await processes.signal(who, "SIGKILL", "group");
  }
}
