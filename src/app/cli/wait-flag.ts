import { PawlError } from "../../domain/errors.ts";
import { durationOf } from "../config/units.ts";

/** What `--wait` says, in ms; 0 is allowed. Throws USAGE. */
export function waitOf(wait: string): number {
  const ms = /^0[smhd]?$/.test(wait) ? 0 : durationOf(wait);
  if (ms !== null) return ms;
  throw new PawlError("USAGE", `--wait cannot be "${wait}"`, { next: "write it like --wait 30s" });
}
