import type { EffectResult } from "../../../domain/input.ts";
import type { Commit } from "../../../domain/names.ts";
import { done, later, refused } from "../answers.ts";
import { candidateRef, makeCandidate, type Prepare } from "../candidate.ts";
import { keyOf, type Land, tipMoved } from "../land.ts";
import { headFault } from "../pull-request.ts";
import { atHome, homeHas, isBefore, output, short } from "../refs.ts";
import type { FarPull, Written } from "./api.ts";
import { doubt, lookAfter } from "./doubt.ts";
import { fetchTips, type Reach, readTips } from "./far-git.ts";
import { isOpen, pullAt, refusal } from "./pull-request.ts";
import { sayOnce } from "./say-once.ts";

/** The candidate of the head on the forge's tip, made here. Nothing moves at the forge. */
export async function prepareMerge(reach: Reach, intent: Prepare): Promise<EffectResult> {
  const tips = await readTips(reach, [intent.branch, intent.base]);
  const fault = headFault({ tips }, intent);
  if (fault !== null) return fault;
  const tip = tips.get(intent.base);
  if (tip === undefined) return refused("base-gone", `there is no branch ${intent.base} to merge into`);
  await fetchTips(
    reach,
    new Map([
      [intent.base, tip],
      [intent.branch, intent.head],
    ]),
    { track: intent.base },
  );
  const pulls = await reach.api.pullsOf(intent.branch, reach.hands.signal);
  // one that the forge has marked merged, by a push of its commits, was opened by us as well
  const opened = pulls.findLast((pull) => isOpen(pull) || (pull.state === "merged" && pull.head === intent.head));
  return makeCandidate(reach.hands, intent, { tip, opened: opened?.head ?? null });
}

/**
 * A squash merge by the forge, of the expected head. A forge takes no expected tip: that is read just before, and a
 * merge onto another one is said in a comment afterwards. Whose merge it is, its Pawl-Key tells.
 */
export async function land(reach: Reach, intent: Land): Promise<EffectResult> {
  const there = await look(reach, intent);
  const before = await landedAndSaid(reach, intent, there);
  if (before !== null) return merge(before, true);
  const fault = await landFault(reach, intent, there);
  if (fault !== null) return fault;
  const message = await messageOf(reach, intent);
  const [title = ""] = message.split("\n");
  const squash = { head: intent.head, title, message };
  const written = await reach.api.merge(there.pull!, squash, reach.hands.signal);
  return lookAfter(() => outcome(reach, intent, written));
}

const merge = (commit: Commit, found: boolean, onBase = true): EffectResult =>
  done({ what: "merge", commit, onBase }, found);

interface There {
  readonly tips: ReadonlyMap<string, Commit>;
  readonly pull: FarPull | null;
}

async function look(reach: Reach, intent: Land): Promise<There> {
  const pull = await pullAt(reach, intent);
  return { pull, tips: await readTips(reach, [intent.branch, intent.base]) };
}

/** The merge commit of this intent; null: it did not happen. */
export const findLanded = async (reach: Reach, intent: Land): Promise<Commit | null> =>
  landedAndSaid(reach, intent, await look(reach, intent));

/** An earlier life may have ended between the merge and what is to be said of it. */
async function landedAndSaid(reach: Reach, intent: Land, there: There): Promise<Commit | null> {
  const commit = await landed(reach, intent, there);
  const { pull } = there;
  if (commit !== null && pull !== null) await lookAfter(() => sayOtherTip(reach, intent, { commit, pull }));
  return commit;
}

/** A commit since `tip` with the candidate's Pawl-Key. Where the candidate is not here, the forge's merge of this head. */
async function landed(reach: Reach, intent: Land, { tips, pull }: There): Promise<Commit | null> {
  const { hands } = reach;
  const now = tips.get(intent.base);
  const isMerged = pull?.state === "merged" && pull.head === intent.head;
  if (now === undefined || now === intent.tip) return null;
  const key = await keyOf(hands, intent.candidate);
  if (key === null) return isMerged ? pull.merged : null;
  await fetchTips(reach, new Map([[intent.base, now]]), { track: intent.base });
  const from = (await homeHas(hands, intent.tip)) ? `${intent.tip}..${now}` : now;
  const args = [
    "log",
    "--no-show-signature",
    "--format=%H %(trailers:key=Pawl-Key,valueonly,separator=%x2C)",
    from,
    "--",
  ];
  const lines = (await output(atHome(hands, args), "read the base")).split("\n").map((line) => line.split(" "));
  const found = lines.find(([, said]) => said === key)?.[0] as Commit | undefined;
  if (found === undefined) return null;
  await atHome(hands, ["update-ref", "-d", candidateRef(intent)]);
  // a forge that merges the squash by a merge commit names that one
  const byForge = isMerged && pull.merged !== null && (await isBefore(hands, pull.merged, now).catch(() => false));
  return byForge ? pull.merged : found;
}

async function landFault(reach: Reach, intent: Land, { tips, pull }: There): Promise<EffectResult | null> {
  const { base, pr, tip, candidate } = intent;
  const now = tips.get(base);
  if (!tips.has(intent.branch) && pull?.state !== "merged") return headFault({ tips }, intent);
  if (pull?.state === "merged" && pull.head === intent.head && now !== undefined && now !== tip)
    return tipMoved(intent, now); // by somebody else: the next prepare-merge finds it
  if (pull === null || !isOpen(pull)) return refused("closed", `${pr} is ${pull?.state ?? "gone"}`);
  const fault = headFault({ tips }, intent);
  if (fault !== null) return fault;
  if (pull.state === "draft") return refused("invalid", `${pr} is still a draft: mark it ready first`);
  if (pull.base !== base) return refused("invalid", `${pr} is against ${pull.base} now, not against ${base}`);
  if (now === undefined) return refused("base-gone", `there is no branch ${base} to merge into`);
  if (now !== tip) return tipMoved(intent, now);
  const parents = await atHome(reach.hands, ["rev-parse", "--verify", "--quiet", `${candidate}^1`]);
  const isMade = parents.code === 0 && parents.stdout.trim() === tip;
  return isMade ? null : refused("invalid", `${short(candidate)} is not a candidate on ${short(tip)}`);
}

const messageOf = async ({ hands }: Reach, { candidate }: Land): Promise<string> =>
  (
    await output(
      atHome(hands, ["show", "-s", "--no-show-signature", "--format=%B", candidate, "--"]),
      "read the candidate",
    )
  ).trim();

/** What came of the request, whatever it was answered: the base is what counts. */
async function outcome(reach: Reach, intent: Land, written: Written<Commit>): Promise<EffectResult> {
  const there = await look(reach, intent);
  const commit = await landedAndSaid(reach, intent, there);
  if (commit !== null) return merge(commit, written.kind !== "ok");
  // said to be merged, and a replica that we read does not have it yet: it is seen on the base later
  if (written.kind === "ok") return merge(written.value, false, false);
  if (written.kind === "doubt") throw doubt(written.detail);
  return notMerged(intent, written, there);
}

function notMerged(
  intent: Land,
  written: Extract<Written<Commit>, { kind: "no" | "later" }>,
  { tips }: There,
): EffectResult {
  const head = tips.get(intent.branch) ?? null;
  const tip = tips.get(intent.base) ?? null;
  if (head !== intent.head) return headFault({ tips }, intent)!;
  if (tip !== null && tip !== intent.tip) return tipMoved(intent, tip);
  // nothing moved as far as can be seen, and the forge says otherwise: it may not have caught up with itself
  if (written.kind === "no" && written.why === "moved") return later("forge", written.detail, null);
  return refusal(written, tip);
}

/** The merge stands on another tip than the one that was tried: nobody has checked the two together. */
async function sayOtherTip(reach: Reach, intent: Land, { commit, pull }: { commit: Commit; pull: FarPull }) {
  const { code, stdout } = await atHome(reach.hands, ["rev-parse", "--verify", "--quiet", `${commit}^1`]);
  const parent = stdout.trim() as Commit;
  // not here: on what it stands cannot be said
  if (code !== 0 || parent === intent.tip) return;
  const what = `${intent.base} moved while this was merged: it stands on ${short(parent)}`;
  await sayOnce(reach, { pull, key: intent.key, text: `${what}, and was checked on ${short(intent.tip)}.` });
}
