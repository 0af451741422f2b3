import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { systemProcesses } from "../../adapters/system/processes.ts";
import type { Clock } from "../../ports/clock.ts";
import { MARK_PREFIX } from "../../workspace/commands/environment.ts";
import { endStrays } from "../../workspace/commands/strays.ts";

/** The variable that each command of a run has in its environment, in whatever life of it. */
export const runMark = (runDir: string): string =>
  `${MARK_PREFIX}RUN_${createHash("sha256").update(runDir).digest("hex").slice(0, 16)}`;

const ASK_MS = 1_000;

/**
 * Ends what commands of an earlier life of this run left when that was killed: they would write into the work of this one.
 * For who holds the run's journal. Gives how many were told to end. Only where environments can be seen (Linux).
 */
export async function endLeftovers(
  { runDir, journal }: { readonly runDir: string; readonly journal: string },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<number> {
  if ((statSync(journal, { throwIfNoEntry: false })?.size ?? 0) === 0) return 0;
  const mark = { name: runMark(runDir), value: "1" };
  const of = { group: null, mark, askMs: ASK_MS, processes: systemProcesses(), clock, signal };
  return (await endStrays(of)).signalled;
}
