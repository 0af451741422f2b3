import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { readTrajectory, type Trajectory } from "../../device/trajectory.ts";
import { said } from "./by-rule.ts";
import type { Conclusion } from "./conclude.ts";
import type { Drive, LegPlace } from "./leg.ts";

/** Where a worker with hands on a screen leaves what it did, in its run folder. */
export const SCREEN_FOLDER = "device";
/** Pictures lie beside it, unless they were asked to be in it. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * A PASS of a worker on a screen, held against its trajectory: it counts where that is whole on the disk and ended by
 * FINISH, and is then named by its path below the state folder (architecture 6.10). Otherwise it is a FAIL that says why.
 */
export function heldToScreen(end: Conclusion, drive: Drive, on: { at: LegPlace; state: string }): Conclusion {
  if (!drive.program.isOnScreen || end.how !== "verdict" || end.verdict !== "PASS") return end;
  const file = join(on.at.run, SCREEN_FOLDER, "trajectory.json");
  const fault = faultOf(file);
  if (fault === null) return { ...end, trajectory: relative(on.state, file) };
  const text = `it said PASS, and its trajectory does not show that: ${fault}`;
  return said("FAIL", text, [...end.findings, { key: "trajectory", text }]);
}

function faultOf(file: string): string | null {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return `there is no ${SCREEN_FOLDER}/trajectory.json in the run folder`;
  if (size > MAX_BYTES) return `it has ${size} bytes, more than is read`;
  const read = readTrajectory(readFileSync(file, "utf8"));
  return "steps" in read ? (unfinished(read) ?? lacking(read, join(file, ".."))) : read.fault;
}

function unfinished({ status, reason, steps, total_steps: total }: Trajectory): string | null {
  if (status !== "success") return `it ended as ${status}: ${reason}`;
  if (steps.length !== total) return `it has ${steps.length} of ${total} steps`;
  return steps.at(-1)?.result.outcome === "finished" ? null : "its last step is no FINISH";
}

function lacking({ screenshots, steps }: Trajectory, folder: string): string | null {
  if (screenshots !== "files") return null;
  const named = steps.flatMap(({ screenshot, screenshot_after: after }) => [screenshot, ...(after ? [after] : [])]);
  const missing = named.find((name) => !existsSync(join(folder, name)));
  return missing === undefined ? null : `its picture ${missing} is missing`;
}
