import { join } from "node:path";
import { PawlError } from "../../../domain/errors.ts";
import type { PawlFile } from "../../config/pawl-file.ts";
import { readPawlFile } from "../../config/read-pawl-file.ts";
import { prepareState } from "../../config/state-folder.ts";
import { findRunFolder } from "../../device/run-folders.ts";
import type { Context } from "../context.ts";

/** Where runs on screens lie, and what pawl.yaml says. */
export interface DevicePlace {
  /** absolute: .pawl/runs of the repository, or of this folder where it is in none */
  readonly runs: string;
  readonly pawl: Partial<PawlFile>;
}

/** A screen needs no repository: without one runs lie in this folder. Throws CONFIG_INVALID with every fault of pawl.yaml. */
export async function deviceRuns(ctx: Context): Promise<DevicePlace> {
  const repo = await ctx.repo().catch((error) => {
    if (error instanceof PawlError && ["REPO_MISSING", "GIT_MISSING"].includes(error.code)) return null;
    throw error;
  });
  const runs = join(prepareState(join(repo ?? ctx.cwd, ".pawl")), "runs");
  if (repo === null) return { runs, pawl: {} };
  const { file, root, errors } = readPawlFile(repo, false);
  const faults = [...errors, ...root.text.faults];
  if (faults.length > 0) throw new PawlError("CONFIG_INVALID", "pawl.yaml has faults", { data: { errors: faults } });
  return { runs, pawl: file };
}

/** `replay:RUN` names a run as the other commands do. */
export const targetOf = (on: string, { runs, cwd }: { readonly runs: string; readonly cwd: string }): string =>
  on.startsWith("replay:") ? `replay:${findRunFolder(runs, on.slice("replay:".length), cwd)}` : on;
