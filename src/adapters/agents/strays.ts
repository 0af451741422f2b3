import type { LegKey, Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Identity, Processes } from "../../ports/system.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";

interface Strays {
  /** id of a group whose leader was our child and has just ended; null: none that is certain */
  readonly group: number | null;
  readonly leg: LegKey;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const ASK_MS = 1_000;
const KILL_MS = 8_000;
const PAUSE_MS = 25;
/** A group counts its dead too, until their parent looks at them; in some containers nobody does. */
const ZOMBIES_MS = 500;

/**
 * Ends what a leg left behind: the rest of its group, and whatever carries its key in its environment (a child that made
 * a session of its own). TERM, a second, then KILL again and again, because what forks makes new ones meanwhile.
 * False: something still lives.
 */
export async function endStrays(of: Strays): Promise<boolean> {
  for (const [signal, ms] of [
    ["SIGTERM", ASK_MS],
    ["SIGKILL", KILL_MS],
  ] as const) {
    if (await endBy(signal, ms, of)) return true;
  }
  return false;
}

async function endBy(signal: NodeJS.Signals, ms: Ms, of: Strays): Promise<boolean> {
  const { clock, processes } = of;
  const since = clock.read().mono;
  let told = new Set<string>();
  for (;;) {
    const left = await strays(of);
    const grouped = hasMembers(of.group);
    if (left.length === 0 && !grouped) return true;
    const passed = clock.read().mono - since;
    if (signal === "SIGKILL" && left.length === 0 && passed >= ZOMBIES_MS) return true;
    if (passed >= ms || of.signal?.aborted) return false;
    // asked once, killed every time
    if (signal === "SIGKILL") told = new Set();
    if (grouped && !told.has("group")) signalGroup(of.group, signal);
    for (const who of left) if (!told.has(name(who))) await processes.signal(who, signal, "process");
    told = new Set([...told, "group", ...left.map(name)]);
    await clock.sleep(PAUSE_MS, of.signal ?? NEVER);
  }
}
const NEVER = new AbortController().signal;

const strays = async ({ processes, leg }: Strays): Promise<readonly Identity[]> =>
  (await processes.withEnv(WORKER_ENV.leg, leg)).filter((who) => who.pid !== processes.self.pid);

const name = (who: Identity): string => `${who.pid} ${who.startedAt}`;

/** As long as a group has members the kernel gives its id to nobody else. */
function hasMembers(group: number | null): boolean {
  return group !== null && signalGroup(group, 0);
}

function signalGroup(group: number | null, signal: NodeJS.Signals | 0): boolean {
  if (group === null || group <= 1) return false;
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
