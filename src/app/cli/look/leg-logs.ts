import { existsSync } from "node:fs";
import { join } from "node:path";
import { LEG_FILES } from "../../../protocol/run-folder.ts";
import { namesIn } from "./run-folders.ts";

/** The output of one leg. */
export interface LegLog {
  /** name of its run folder: `03-implement-a1` */
  readonly run: string;
  readonly leg: number;
  readonly path: string;
}

/** Logs of all legs of a task, oldest first. */
export function legLogs(state: string, task: string): readonly LegLog[] {
  const folder = join(state, "runs", task);
  return namesIn(folder).flatMap((run) =>
    namesIn(join(folder, run)).flatMap((name) => {
      const leg = /^leg-(\d+)$/.exec(name)?.[1];
      const path = join(folder, run, name, LEG_FILES.log);
      return leg === undefined || !existsSync(path) ? [] : [{ run, leg: Number(leg), path }];
    }),
  );
}

/** Whether a run folder is the one that a person names: `03-a1`, `3-a1` or its whole name. */
export function isNamed(run: string, named: string): boolean {
  const short = /^0*(\d+)-a(\d+)$/.exec(named);
  return run === named || (short !== null && new RegExp(`^0*${short[1]}-.+-a${short[2]}$`).test(run));
}

/** `03-a1` of `03-implement-a1` */
export const shortName = (run: string): string => run.replace(/^(\d+)-.*-(a\d+)$/, "$1-$2");

/** Whether a leg has ended, as its driver says. */
export const hasEnded = ({ path }: LegLog): boolean => existsSync(join(path, "..", LEG_FILES.ended));
