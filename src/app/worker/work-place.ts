import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { json, readRecord, replaceFile } from "../../adapters/agents/files.ts";
import { PawlError } from "../../domain/errors.ts";
import { inPlace, mustBeOn, ownCheckout, type WorkCheckout } from "./checkout.ts";
import type { WorkRun } from "./work-runs.ts";

interface Wanted {
  readonly repo: string;
  /** the folder that the command was given in */
  readonly cwd: string;
  readonly isInPlace: boolean;
  readonly branch: string;
  readonly task: string;
  readonly base: string;
  readonly at: WorkRun;
}

/** A run in somebody's own checkout, as it began. */
interface Kept extends WorkCheckout {
  readonly inPlace: true;
}

const PLACE = "place.json";

/**
 * Where a run works. One that goes on works where it began, also where `--in-place` is not said again: what is changed
 * there is its own. Durable where it is in place: the checkout, its branch and the commit that it began on. Throws what
 * making a checkout does, and PLACE_MOVED.
 */
export async function placeOf({ repo, cwd, isInPlace, at, ...own }: Wanted): Promise<WorkCheckout> {
  const kept = at.isNew ? null : readRecord<Kept>(join(at.folder, PLACE));
  if (kept !== null) return stillThere(kept);
  if (!isInPlace) return ownCheckout({ repo, ...own });
  if (!at.isNew)
    throw new PawlError("PLACE_MOVED", "this run began in a worktree of its own, and goes on there", {
      next: "leave out --in-place.",
    });
  const checkout = await inPlace(repo, cwd);
  mkdirSync(at.folder, { recursive: true });
  replaceFile(join(at.folder, PLACE), json({ inPlace: true, ...checkout } satisfies Kept));
  return checkout;
}

async function stillThere({ folder, branch, base, remote }: Kept): Promise<WorkCheckout> {
  await mustBeOn(folder, branch);
  return { folder, branch, base, remote };
}
