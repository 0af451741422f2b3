import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Identity, Processes } from "../../ports/system.ts";

export interface Strays {
  /** id of a group whose leader was our child and has just ended; null: none that is certain */
  readonly group: number | null;
  /** the variable that everything of it carries in its environment */
  readonly mark: { readonly name: string; readonly value: string };
  /** who was seen among its children, and may have got rid of the mark since */
  readonly known?: readonly Identity[];
  /** its first process, where that was started less than a second ago: what is older is not looked at */
  readonly after?: number;
  readonly processes: Processes;
  readonly clock: Clock;
  /** between TERM and KILL */
  readonly askMs: Ms;
  readonly signal?: AbortSignal;
}

const KILL_MS = 8_000;
const PAUSE_MS = 25;

/**
 * Ends what a command left behind: the rest of its group, and whatever carries its mark in its environment (a child that
 * made a session of its own). TERM, `askMs`, then KILL again and again, because what forks makes new ones meanwhile.
 * Gives how many it signalled, and whether nothing lives any more.
 */
export async function endStrays(of: Strays): Promise<{ readonly signalled: number; readonly isAlone: boolean }> {
  const asked = new Set<string>();
  const isAlone = (await endBy("SIGTERM", of.askMs, asked, of)) || (await endBy("SIGKILL", KILL_MS, asked, of));
  return { signalled: asked.size, isAlone };
}

async function endBy(signal: NodeJS.Signals, ms: Ms, asked: Set<string>, of: Strays): Promise<boolean> {
  const { clock, processes } = of;
  const until = clock.read().mono + ms;
  for (let isFirst = true; ; isFirst = false) {
    const left = await strays(of, isFirst ? of.after : undefined);
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

/** As long as a group has members the kernel gives its id to nobody else, so all in it are the command's. */
async function strays(
  { processes, mark, group, known = [] }: Strays,
  after: number | undefined,
): Promise<readonly Identity[]> {
  const marked = await processes.withEnv(mark.name, mark.value, after);
  const grouped = group === null || group <= 1 ? [] : await processes.members(group);
  const live: Identity[] = [];
  for (const who of known) if ((await processes.lives(who)) === "alive") live.push(who);
  const all = new Map([...live, ...marked, ...grouped].map((who) => [who.pid, who]));
  return [...all.values()].filter((who) => who.pid !== processes.self.pid);
}

const name = (who: Identity): string => `${who.pid} ${who.startedAt}`;
