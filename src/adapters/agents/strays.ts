import type { Clock } from "../../ports/clock.ts";
import type { Processes } from "../../ports/system.ts";
import { WORKER_ENV } from "../../protocol/run-folder.ts";
import { endStrays as endMarked } from "../../workspace/commands/strays.ts";
import { DRIVER_ENV } from "./leg.ts";

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

/**
 * Ends what the child of a dead driver is until it becomes its program: it carries the driver's own mark and nothing of
 * its leg yet, and would begin the program with nobody beside it. False: something still lives.
 */
export async function endUnbegun(mark: string, of: Pick<Strays, "processes" | "clock" | "signal">): Promise<boolean> {
  return (await endMarked({ ...of, group: null, mark: { name: DRIVER_ENV, value: mark }, askMs: 0 })).isAlone;
}

/** Ends what a leg left behind, by its group and by its folder in the environment. False: something still lives. */
export async function endStrays({ folder, ...of }: Strays): Promise<boolean> {
  const mark = { name: WORKER_ENV.legDir, value: folder };
  return (await endMarked({ ...of, mark, askMs: ASK_MS })).isAlone;
}
