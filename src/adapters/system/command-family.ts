import type { ChildProcess } from "node:child_process";
import type { Clock } from "../../ports/clock.ts";
import type { Identity, Processes } from "../../ports/system.ts";
import { endStrays } from "../../workspace/commands/strays.ts";

/** A command's processes, wherever they went. */
export interface Family {
  /** looks now, while parents still tell who is whose */
  look(): Promise<void>;
  /** TERM, or whatever it is, to its whole group */
  signal(signal: NodeJS.Signals): void;
  /** ends what it left behind; gives how many that were, and whether something lives all the same */
  endAll(): Promise<{ readonly signalled: number; readonly isAlone: boolean }>;
}

const ASK_MS = 2_000;
/** What clears its environment and makes a session of its own is known only by having been seen with its parent. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 5_000;
/** Within that time no pid comes round again. */
const SHORT_MS = 900;

export function familyOf(
  child: ChildProcess,
  mark: { readonly name: string; readonly value: string },
  parts: { readonly processes: Processes; readonly clock: Clock },
): Family {
  const pid = child.pid!;
  const started = performance.now();
  let known: readonly Identity[] = [];
  let isOver = false;
  let group: number | null = pid;
  const look = async (): Promise<void> => {
    const seen = isOver ? [] : await parts.processes.descendants(pid);
    if (seen.length > 0) known = await together(known, seen, parts.processes);
  };
  let pauseMs = FIRST_LOOK_MS;
  const again = (): NodeJS.Timeout =>
    setTimeout(() => {
      pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS);
      void look().then(() => {
        if (!isOver) timer = again();
      });
    }, pauseMs);
  let timer = again();
  child.once("exit", () => {
    isOver = true;
    clearTimeout(timer);
    // asked now: later its number may be another group's
    if (!toGroup(pid, 0)) group = null;
  });
  return {
    look,
    signal: (signal) => void (isOver || toGroup(pid, signal)),
    endAll() {
      const after = performance.now() - started < SHORT_MS ? { after: pid } : {};
      return endStrays({ ...parts, ...after, group, mark, known, askMs: ASK_MS });
    },
  };
}

async function together(known: readonly Identity[], seen: readonly Identity[], processes: Processes) {
  const all = new Map(seen.map((who) => [who.pid, who]));
  for (const who of known) if (!all.has(who.pid) && (await processes.lives(who)) === "alive") all.set(who.pid, who);
  return [...all.values()];
}

/** False: nobody is in that group. */
function toGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
