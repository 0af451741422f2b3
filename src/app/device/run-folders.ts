import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { readBounded } from "../../adapters/agents/files.ts";
import { SCREEN_FOLDER } from "../../adapters/agents/screen-work.ts";
import { readTrajectory, type Trajectory } from "../../device/trajectory.ts";
import { PawlError } from "../../domain/errors.ts";
import { TRAJECTORY } from "./trajectory-folder.ts";

/** A new run's name and folder below `.pawl/runs`: phone-7f3a. */
export function newRunFolder(runs: string): { readonly taskId: string; readonly folder: string } {
  mkdirSync(runs, { recursive: true });
  for (let bytes = 2; ; bytes = 4) {
    const taskId = `phone-${randomBytes(bytes).toString("hex")}`;
    const folder = join(runs, taskId);
    if (!existsSync(folder)) return { taskId, folder };
  }
}

/**
 * The folder of a run as people name it: 7f3a, phone-7f3a, a path, or a task, whose newest is meant. Throws RUN_UNKNOWN,
 * which names those that are there.
 */
export function findRunFolder(runs: string, named: string, cwd: string): string {
  const places = [join(runs, named), join(runs, `phone-${named}`), resolve(cwd, named), resolve(cwd, named, "..")];
  const found = named === "" ? undefined : (places.find(hasTrajectory) ?? newestOfTask(join(runs, named)));
  if (found !== undefined) return found;
  const known = foldersIn(runs).filter((name) => {
    const folder = join(runs, name);
    return hasTrajectory(folder) || newestOfTask(folder) !== undefined;
  });
  throw new PawlError("RUN_UNKNOWN", `there is no device run "${named}"`, {
    next: known.length === 0 ? "pawl device run GOAL --on TARGET makes one." : `take one of ${known.join(", ")}.`,
  });
}

const hasTrajectory = (folder: string): boolean => existsSync(join(folder, TRAJECTORY));

/** A task has a folder for each attempt of each visit: 02-implement-a1. */
function newestOfTask(folder: string): string | undefined {
  const attempts = foldersIn(folder).flatMap((name) => {
    const [, visit, attempt] = /^(\d+)-.*-a(\d+)$/.exec(name) ?? [];
    const run = join(folder, name, SCREEN_FOLDER);
    return attempt !== undefined && hasTrajectory(run) ? [{ run, visit: Number(visit), attempt: Number(attempt) }] : [];
  });
  return attempts.sort((a, b) => a.visit - b.visit || a.attempt - b.attempt).at(-1)?.run;
}

const foldersIn = (folder: string): readonly string[] => {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
};

/** What a run's folder tells of it. Throws TRAJECTORY_BAD. */
export function trajectoryIn(folder: string): Trajectory {
  const file = join(folder, TRAJECTORY);
  const reading = readBounded(file, MAX_BYTES);
  const read = reading.kind === "text" ? readTrajectory(reading.text) : { fault: "it cannot be read" };
  if (!("fault" in read)) return read as Trajectory;
  throw new PawlError("TRAJECTORY_BAD", `${file} is no trajectory: ${String(read.fault)}`, {
    at: { file },
    next: "name the folder of another run.",
  });
}
/** with its pictures in it a long one is large */
const MAX_BYTES = 2 ** 30;
