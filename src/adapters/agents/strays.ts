import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Identity, Processes } from "../../ports/system.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";

interface Strays {
  /** id of a group whose leader was our child and has just ended; null: none that is certain */
  readonly group: number | null;
  /** its folder: two projects on one machine have the same keys */
  readonly folder: string;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

const ASK_MS = 1_000;
const KILL_MS = 8_000;
const PAUSE_MS = 25;

/**
 * Ends what a leg left behind: the rest of its group, and whatever carries its folder in its environment (a child that made
 * a session of its own). TERM, a second, then KILL again and again, because what forks makes new ones meanwhile.
 * False: something still lives.
 */
export const endStrays = async (of: Strays): Promise<boolean> =>
  (await endBy("SIGTERM", ASK_MS, of)) || (await endBy("SIGKILL", KILL_MS, of));

async function endBy(signal: NodeJS.Signals, ms: Ms, of: Strays): Promise<boolean> {
  const { clock, processes } = of;
  const until = clock.read().mono + ms;
  const asked = new Set<string>();
  for (;;) {
    const left = await strays(of);
    if (left.length === 0) return true;
    if (clock.read().mono >= until || of.signal?.aborted) return false;
    for (const who of left) {
      // asked once, killed every time
      if (signal === "SIGKILL" || !asked.has(name(who))) await processes.signal(who, signal, "process");
      asked.add(name(who));
    }
    await clock.sleep(PAUSE_MS, of.signal ?? NEVER);
  }
}
const NEVER = new AbortController().signal;

/** As long as a group has members the kernel gives its id to nobody else, so all in it are the leg's. */
async function strays({ processes, folder, group }: Strays): Promise<readonly Identity[]> {
  const marked = await processes.withEnv(WORKER_ENV.legDir, folder);
  const grouped = group === null || group <= 1 ? [] : await processes.members(group);
  const all = new Map([...marked, ...grouped].map((who) => [who.pid, who]));
  return [...all.values()].filter((who) => who.pid !== processes.self.pid);
}

const name = (who: Identity): string => `${who.pid} ${who.startedAt}`;
