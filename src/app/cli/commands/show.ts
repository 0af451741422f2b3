import { PawlError } from "../../../domain/errors.ts";

/** Not there yet. */
export async function run(): Promise<number> {
  throw new PawlError("NOT_BUILT", "pawl show is not in this build");
}
