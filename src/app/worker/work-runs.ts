import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RUN_FILES } from "../../protocol/run-folder.ts";

/** The run that a command goes on with, or begins. */
export interface WorkRun {
  /** absolute */
  readonly folder: string;
  readonly visit: number;
  readonly isNew: boolean;
  /** the run before a new one, which has ended; null: there is none */
  readonly before: string | null;
}

/** The last run of a ticket where it has not ended, else the next one. */
export function workRun(runs: string, task: string): WorkRun {
  const home = join(runs, task);
  const at = (visit: number) => join(home, `${String(visit).padStart(2, "0")}-work-a1`);
  const visits = existsSync(home)
    ? readdirSync(home)
        .flatMap((name) => /^(\d+)-work-a1$/.exec(name)?.[1] ?? [])
        .map(Number)
    : [];
  // a processor's phase may be called work, too: its runs have an order
  const last = Math.max(0, ...visits.filter((visit) => !existsSync(join(at(visit), RUN_FILES.order))));
  if (last > 0 && verdictIn(at(last)) === null) return { folder: at(last), visit: last, isNew: false, before: null };
  const visit = Math.max(0, ...visits) + 1;
  return { folder: at(visit), visit, isNew: true, before: last > 0 ? at(last) : null };
}

/** What a run said at its end; null: it has not ended. */
export function verdictIn(folder: string): { readonly verdict: string; readonly detail: string } | null {
  try {
    return JSON.parse(readFileSync(join(folder, RUN_FILES.verdict), "utf8")) as { verdict: string; detail: string };
  } catch {
    return null;
  }
}
