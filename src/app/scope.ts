import picomatch from "picomatch";
import { PawlError } from "../domain/errors.ts";
import type { Scope } from "../workspace/edit/locate.ts";
import { globFault } from "./config/glob.ts";

/** What fits one of these globs may be written; without any, everything. Throws GLOB_BAD; `from`: where they are written. */
export function scopeOf(globs: readonly string[], from = "--scope"): Scope {
  for (const glob of globs) refuseGlob(glob, from);
  if (globs.length === 0) return () => null;
  const fits = picomatch([...globs], { dot: true, flags: "s" });
  return (path) => (fits(path) ? null : `the scope is ${globs.join(" ")}`);
}

/** What both allow: who asks may ask for less than was given, never for more. */
export const narrowed =
  (one: Scope, other: Scope): Scope =>
  (path) =>
    one(path) ?? other(path);

function refuseGlob(glob: string, from: string): void {
  const fault = globFault(glob);
  if (fault !== null) throw new PawlError("GLOB_BAD", `${from} ${glob}: ${fault}`, { next: "write it like 'src/**'" });
}
