import type { PawlError } from "../../domain/errors.ts";
import type { PawlFile } from "./pawl-file.ts";
import type { Repository } from "./repository.ts";
import { child, fault, faultAt, type Spot } from "./spot.ts";

const USUAL = "pawl/";

/** Below a branch there can be no other one in git: BRANCH_TAKEN, where the prefix is written, if it is. */
export function prefixFaults(
  { branch_prefix: written }: Partial<PawlFile>,
  root: Spot,
  repository: Repository | null,
): readonly PawlError[] {
  const prefix = written ?? USUAL;
  const above = prefix.split("/").map((_, at, parts) => parts.slice(0, at).join("/"));
  const taken = above.find((name) => repository?.branches.has(name));
  if (taken === undefined) return [];
  const message = `the branch ${taken} is there, so ${prefix}TASK cannot be`;
  const next = `write another branch_prefix, or git branch -m ${taken} NEW.`;
  return written === undefined
    ? [fault("BRANCH_TAKEN", message, { next })]
    : [faultAt(child(root, "branch_prefix"), "BRANCH_TAKEN", message, { next })];
}
