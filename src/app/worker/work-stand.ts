import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileLocks } from "../../adapters/store/file-lock.ts";
import { PawlError } from "../../domain/errors.ts";
import { NO, YES } from "../../domain/gate.ts";
import { type WaitingWork, waitingWork } from "./answer-work.ts";
import { verdictIn, type WorkRun, workRun } from "./work-runs.ts";

/** How a ticket of `pawl work` stands. `run`: its folder, absolute. */
export type WorkStand = { readonly run: string; readonly isAlive: boolean } & (
  | { readonly how: "waits"; readonly waiting: WaitingWork }
  | { readonly how: "at-work" }
  | { readonly how: "ended"; readonly verdict: string }
);

/** null: `pawl work` was never on it. `runs`: .pawl/runs */
export async function workStand(runs: string, id: string): Promise<WorkStand | null> {
  const at = workRun(runs, id);
  if (at.isNew) return endedOf(at);
  const isAlive = await isHeld(join(at.folder, "journal.jsonl.lock"));
  const waiting = waitingWork(runs, id);
  return waiting === null
    ? { how: "at-work", run: at.folder, isAlive }
    : { how: "waits", run: at.folder, isAlive, waiting };
}

function endedOf({ before }: WorkRun): WorkStand | null {
  const end = before === null ? null : verdictIn(before);
  return end === null ? null : { how: "ended", run: before!, isAlive: false, verdict: end.verdict };
}

/** Whether a process works on the run: it has the lock for as long as it lives. */
async function isHeld(lock: string): Promise<boolean> {
  if (!existsSync(lock)) return false;
  const own = await fileLocks()(lock);
  own?.release();
  return own === null;
}

/** What is said of a ticket that no processor knows, where `pawl work` does; `code`: of the question that it answers. */
export function toldOfWork(id: string, stand: WorkStand, code: "TASK_UNKNOWN" | "REFUSED"): PawlError {
  const { stands, next } = wordsOf(id, stand);
  return new PawlError(code, `${id} is a ticket of pawl work, which no processor has: it ${stands}`, { next });
}

const GOES_ON = "the same pawl work command goes on with it";

function wordsOf(id: string, stand: WorkStand): { readonly stands: string; readonly next: string } {
  switch (stand.how) {
    case "ended":
      return {
        stands: `has ended with ${stand.verdict}`,
        next: `pawl work … --again does it anew; ${stand.run} has what came of it.`,
      };
    case "at-work":
      return {
        stands: stand.isAlive ? "is at work" : "was cut off, or stopped",
        next: stand.isAlive
          ? `pawl extend ${id} --time 30m | pawl cancel ${id} -m "…"; ${stand.run}/progress.jsonl says how far it is.`
          : `${GOES_ON}; ${stand.run} has what was done so far.`,
      };
    case "waits": {
      const { gate, isTheirs } = stand.waiting;
      const [yes, no] = [YES[gate], NO[gate]].map((word) => word.toLowerCase());
      return {
        stands: isTheirs ? `waits at ${gate} for you` : `waits at ${gate}, and not for a person`,
        next: isTheirs
          ? `read ${stand.run}/${gate === "GO" ? "plan" : "report"}.md; pawl ${yes} ${id} | pawl ${no} ${id} -m "…" | pawl block ${id} -m "…".`
          : `${GOES_ON}.`,
      };
    }
  }
}
