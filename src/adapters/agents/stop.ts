import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import type { LegKey } from "../../domain/names.ts";
import type { StopWhy } from "../../domain/task.ts";
import { LEG_FILES } from "../../protocol/run-folder.ts";
import { createFile, json } from "./files.ts";
import { type Claim, type Ended, findLeg, type LegPlace, readClaim, type StopRequest } from "./leg.ts";
import { lookAt } from "./look.ts";
import type { HostParts } from "./parts.ts";

/**
 * Asks the driver to end its leg (it asks, then TERM, then KILL), and waits until it has. A leg that nobody has begun
 * is ended here, so that a driver that comes late finds it taken. Throws when the signal aborts first: in doubt.
 */
export async function stopLeg(leg: LegKey, why: StopWhy, parts: HostParts, signal: AbortSignal): Promise<EffectResult> {
  const at = findLeg(parts.state, leg);
  if (at === null) return stopped(true);
  mkdirSync(at.folder, { recursive: true });
  createFile(join(at.folder, LEG_FILES.stop), json({ why } satisfies StopRequest));
  const since = parts.clock.read().mono;
  for (let first = true; ; first = false) {
    // with the driver gone, looking ends what is left of the leg
    const sighting = await lookAt(leg, parts, signal);
    if (sighting.kind === "ended") return stopped(first);
    if (sighting.kind === "absent" && takeUnbegun(at, why, parts)) return stopped(false);
    if (parts.clock.read().mono - since > DEAF_MS) await endDriver(at, parts);
    if (signal.aborted)
      throw new PawlError("EFFECT_IN_DOUBT", `${leg} has not ended within the time for it`, { retryable: true });
    await parts.clock.sleep(50, signal);
  }
}

/** longer than the longest way of a driver from being asked to being done */
const DEAF_MS = 20_000;

/** A driver that hangs or was halted; what it drives is then ended by looking. */
async function endDriver(at: LegPlace, { processes }: HostParts): Promise<void> {
  const driver = readClaim(at)?.driver;
  if (driver && driver.pid !== processes.self.pid) await processes.signal(driver, "SIGKILL", "process");
}

function takeUnbegun(at: LegPlace, why: StopWhy, { processes, clock }: HostParts): boolean {
  const wall = Math.round(clock.read().wall);
  const claim: Claim = {
    leg: at.leg,
    driver: processes.self,
    agent: null,
    at: wall,
    before: { verdict: null, usage: null },
  };
  if (!createFile(join(at.folder, LEG_FILES.claim), json(claim))) return false;
  const moment = new Date(wall).toISOString();
  const ended: Ended = {
    exit_code: null,
    signal: null,
    ending: "stopped",
    why,
    tail: "",
    started_at: moment,
    ended_at: moment,
    wall_ms: 0,
    log_bytes: 0,
    log_cut: 0,
  };
  createFile(join(at.folder, LEG_FILES.ended), json(ended));
  return true;
}

const stopped = (found: boolean): EffectResult => ({ kind: "done", made: { what: "nothing" }, found });
