import type { Trajectory } from "../../../device/trajectory.ts";
import { picturesOf } from "../../device/pictures.ts";
import { findRunFolder, trajectoryIn } from "../../device/run-folders.ts";
import type { Context } from "../context.ts";
import { deviceRuns } from "./places.ts";

/** A run that was recorded, as it lies on the disk. */
export interface RecordedRun {
  /** absolute */
  readonly folder: string;
  readonly trajectory: Trajectory;
  /** the bytes of a picture as the trajectory names it; null: it is not there */
  readonly picture: (named: string) => Uint8Array | null;
  /** where runs lie: what `replay:RUN` is looked for in */
  readonly runs: string;
}

/** The run that people name. Throws RUN_UNKNOWN, TRAJECTORY_BAD, CONFIG_INVALID. */
export async function recordedRun(ctx: Context, named: string): Promise<RecordedRun> {
  const { runs } = await deviceRuns(ctx);
  const folder = findRunFolder(runs, named, ctx.cwd);
  const trajectory = trajectoryIn(folder);
  return { folder, trajectory, picture: picturesOf(folder, trajectory), runs };
}
