import { resolve } from "node:path";
import { drive } from "../../adapters/agents/drive.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { commandLine } from "../../adapters/system/command-line.ts";
import { systemProcesses } from "../../adapters/system/processes.ts";

/** `pawl drive command LEGFOLDER`, which the host starts: nothing for people, and nothing of the command line's. */
export async function driveLeg([kind, folder, ...rest]: readonly string[]): Promise<number> {
  if (kind !== "command" || folder === undefined || rest.length > 0) {
    console.error("pawl drive is started by pawl run, as: pawl drive command LEGFOLDER");
    return 2;
  }
  return drive(resolve(folder), { processes: systemProcesses(), clock: systemClock(), commandLine });
}
