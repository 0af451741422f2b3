import type { EffectResult } from "../../../domain/input.ts";
import type { Commit } from "../../../domain/names.ts";
import { done, later, refused } from "../answers.ts";
import { isRelated, movedFault, type Publish, pathFault } from "../publish.ts";
import { isBefore, short } from "../refs.ts";
import { lookAfter } from "./doubt.ts";
import { fetchTips, isAway, isDenied, pushBranch, type Reach, readTips } from "./far-git.ts";

/** Moves the task branch at the forge from `from` to `to`: a fast-forward that names the old commit. */
export async function publish(reach: Reach, intent: Publish): Promise<EffectResult> {
  const { branch, from, to } = intent;
  const tip = (await readTips(reach, [branch])).get(branch) ?? null;
  if (tip === to) return done({ what: "nothing" }, true);
  const fault =
    (await foreignFault(reach, intent, tip)) ?? movedFault(intent, tip) ?? (await pathFault(reach.hands, intent));
  if (fault !== null) return fault;
  const said = await pushBranch(reach, { branch, from, to });
  return said === null ? done({ what: "nothing" }) : whyNot(reach, intent, said);
}

/** Whether the branch at the forge is at `to` or after it. */
export async function isPublished(reach: Reach, { branch, to }: Publish): Promise<boolean> {
  const tip = (await readTips(reach, [branch])).get(branch);
  if (tip === undefined) return false;
  if (tip === to) return true;
  await fetchTips(reach, new Map([[branch, tip]]));
  return isBefore(reach.hands, to, tip).catch(() => false);
}

/** A branch that was there before we ever published, and has nothing to do with the work: somebody else's of that name. */
async function foreignFault(reach: Reach, intent: Publish, tip: Commit | null): Promise<EffectResult | null> {
  const { branch, from, to } = intent;
  if (from !== null || tip === null) return null;
  await fetchTips(reach, new Map([[branch, tip]]));
  if (await isRelated(reach.hands, tip, to)) return null;
  const detail = `a branch ${branch} is at ${reach.api.name} already, at ${short(tip)}, and is none of this task's`;
  const how = "rename or delete it, or merge it into the task's branch if it belongs to it";
  return later("human", `${detail}: ${how}`, reach.hands.now() + 60_000);
}

/** The push failed: what is there now tells a race from a rule of theirs, and a lost answer from both. */
async function whyNot(reach: Reach, intent: Publish, said: string): Promise<EffectResult> {
  const { branch, to } = intent;
  // throws where nobody can say: then the push is in doubt, not denied
  const tip = (await lookAfter(() => readTips(reach, [branch]))).get(branch) ?? null;
  if (tip === to) return done({ what: "nothing" }, true);
  const moved = movedFault(intent, tip);
  if (moved !== null) return moved;
  const words = `${branch} was not moved at ${reach.api.name}: ${said.slice(-1_000)}`;
  if (isDenied(said)) return later("human", words, reach.hands.now() + 60_000);
  if (isAway(said)) return later("forge", words, reach.hands.now() + 30_000);
  return refused("denied", words, { actual: tip });
}
