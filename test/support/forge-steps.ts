import type { Commit } from "../../src/domain/names.ts";
import type { ForgeTrace } from "../../src/ports/forge.ts";
import { candidate, type ForgeWorld, intents, permit, url } from "../contracts/forge.contract.ts";
import { commitOn } from "./commits.ts";

/** A world whose task is at a step: what it takes to land is done, and the intents of every step are at hand. */
export async function readyToLand(world: ForgeWorld, files: Record<string, string | null> = { "colour.txt": "red\n" }) {
  const wish = intents(world.base);
  const head = commitOn(world.repo, (await world.tip(world.base)) as Commit, files);
  const publish: ForgeTrace = wish.publish(null, head);
  const open: ForgeTrace = wish.open(head);
  await world.forge.perform(publish, null, permit);
  const pr = url(await world.forge.perform(open, "Why", permit));
  const ready: ForgeTrace = wish.ready(pr, head);
  await world.forge.perform(ready, null, permit);
  const made = candidate(await world.forge.perform(wish.prepare(head), null, permit));
  const land = wish.land(pr, head, made);
  return { wish, head, pr, ...made, publish, open, ready, land };
}
