import type { EffectResult } from "../../domain/input.ts";
import type { Commit } from "../../domain/names.ts";
import type { ForgeTrace } from "../../ports/forge.ts";
import { done, later, refused } from "./answers.ts";
import { candidateRef, fetchBranch } from "./candidate.ts";
import { checkoutsOf, fastForward } from "./checkout.ts";
import { type FarRefs, readFar } from "./far-refs.ts";
import { noRoom } from "./full-disk.ts";
import { locked } from "./in-the-way.ts";
import { LOCAL_ONLY, moveBranch } from "./publish.ts";
import { headFault } from "./pull-request.ts";
import { type Held, movePull, pullOf } from "./pulls.ts";
import { atFar, atHome, farHas, farTip, type Hands, homeHas, isBefore, output, short } from "./refs.ts";

export type Land = Extract<ForgeTrace, { kind: "land" }>;

/**
 * Moves the base from `tip` to the candidate, then says so in the pull request. The base is what counts: a crash
 * between the two is found by the commit on the base, and the pull request is put right then.
 */
export async function land(hands: Hands, intent: Land): Promise<EffectResult> {
  const far = await readFar(hands, [intent.branch, intent.base]);
  const there = await landed(hands, far, intent);
  if (there !== null) return merge(there, true);
  const stopped = (await landFault(hands, far, intent)) ?? (await moveBase(hands, intent));
  // what was refused may be what another process has just done
  const commit = await findLanded(hands, intent);
  if (commit !== null) return merge(commit, stopped !== null);
  return stopped ?? later("forge", `${intent.base} did not move`, hands.now() + 5_000);
}

const merge = (commit: Commit, found: boolean): EffectResult => done({ what: "merge", commit, onBase: true }, found);

/** The merge commit of this intent, if its pull request is merged with this head, or it is on the base; heals what a crash left. */
export const findLanded = async (hands: Hands, intent: Land): Promise<Commit | null> =>
  landed(hands, await readFar(hands, [intent.branch, intent.base]), intent);

async function landed(hands: Hands, far: FarRefs, intent: Land): Promise<Commit | null> {
  const one = pullOf(far.pulls, intent);
  if (one?.pull.state === "merged") return one.pull.head === intent.head ? one.pull.merged : null;
  const commit = await onBase(hands, intent, far.tips.get(intent.base) ?? null);
  if (commit !== null) await settle(hands, intent, { one, commit });
  return commit;
}

/** The candidate itself, or a commit since `tip` with its Pawl-Key (the far end may have written it anew). */
async function onBase(hands: Hands, { tip, candidate }: Land, now: Commit | null): Promise<Commit | null> {
  if (now === null || now === tip) return null;
  if ((await farHas(hands, candidate)) && (await isBefore(hands, candidate, now))) return candidate;
  const key = await keyOf(hands, candidate);
  if (key === null || !(await farHas(hands, tip))) return null;
  const args = [
    "log",
    "--no-show-signature",
    `--format=%H %(trailers:key=Pawl-Key,valueonly,separator=%x2C)`,
    `${tip}..${now}`,
    "--",
  ];
  const lines = (await output(atFar(hands, args), "read the base")).split("\n").map((line) => line.split(" "));
  return (lines.find(([, said]) => said === key)?.[0] as Commit | undefined) ?? null;
}

/** The Pawl-Key that a commit of ours carries; null: it is not in the user's repository, or carries none. */
export async function keyOf(hands: Hands, candidate: Commit): Promise<string | null> {
  if (!(await homeHas(hands, candidate))) return null;
  const args = [
    "show",
    "-s",
    "--no-show-signature",
    "--format=%(trailers:key=Pawl-Key,valueonly,separator=%x2C)",
    candidate,
    "--",
  ];
  return (await output(atHome(hands, args), "read the candidate")).trim() || null;
}

/** All that follows from the merge, each part of which may be done already. */
async function settle(
  hands: Hands,
  intent: Land,
  { one, commit }: { one: Held | null; commit: Commit },
): Promise<void> {
  for (let at = one, tries = 0; at !== null && at.pull.state !== "merged" && tries < 5; tries++) {
    if (await movePull(hands, at, { state: "merged", merged: commit, head: intent.head })) break;
    at = pullOf((await readFar(hands, [])).pulls, intent);
  }
  await atHome(hands, ["update-ref", "-d", candidateRef(intent)]);
  if (hands.far.self) return;
  await atFar(hands, ["update-ref", "-d", candidateRef(intent)]);
  await fetchBranch(hands, intent.base);
}

async function landFault(hands: Hands, far: FarRefs, intent: Land): Promise<EffectResult | null> {
  const { pr, base, tip, candidate } = intent;
  const one = pullOf(far.pulls, intent);
  if (one === null || one.pull.state === "closed") return refused("closed", `${pr} is closed`);
  if (one.pull.state === "merged") {
    return refused("closed", `${pr} was merged with ${short(one.pull.head)}`, { actual: one.pull.head });
  }
  const fault = headFault(far, intent);
  if (fault !== null) return fault;
  if (one.pull.state === "draft") return refused("invalid", `${pr} is still a draft: mark it ready first`);
  const now = far.tips.get(base);
  if (now === undefined) return refused("base-gone", `there is no branch ${base} to merge into`);
  if (now !== tip) return tipMoved(intent, now);
  const parents = await atHome(hands, ["rev-parse", "--verify", "--quiet", `${candidate}^1`]);
  const made = parents.code === 0 && parents.stdout.trim() === tip;
  return made ? null : refused("invalid", `${short(candidate)} is not a candidate on ${short(tip)}`);
}

export const tipMoved = ({ base, tip }: Land, now: Commit | null): EffectResult =>
  refused("tip-moved", `${base} is at ${short(now)}, not at ${short(tip)}`, { actual: now });

/** Null: git said yes. Else why not; whether the base moved all the same is for the caller to look at. */
async function moveBase(hands: Hands, intent: Land): Promise<EffectResult | null> {
  const checkouts = await checkoutsOf(hands, intent.base);
  const said = checkouts.length > 0 ? await inCheckout(hands, intent, checkouts) : await byRef(hands, intent);
  if (said === null || typeof said !== "string") return said;
  const now = await farTip(hands, intent.base);
  if (now !== intent.tip) return tipMoved(intent, now);
  return locked(hands, said) ?? noRoom(hands, said) ?? refused("denied", `${intent.base} was not moved: ${said}`);
}

const byRef = (hands: Hands, { base, tip, candidate }: Land): Promise<string | null> =>
  moveBranch(hands, { branch: base, from: tip, to: candidate });

/** A base that somebody has checked out moves together with their files, or not at all. */
async function inCheckout(
  hands: Hands,
  intent: Land,
  folders: readonly string[],
): Promise<EffectResult | string | null> {
  const [folder, ...more] = folders as [string, ...string[]];
  if (more.length > 0) return refused("base-dirty", `${intent.base} is checked out twice: ${folders.join(", ")}`);
  if (!hands.far.self) await carry(hands, intent);
  const result = await fastForward(hands, { folder, tip: intent.tip, candidate: intent.candidate });
  switch (result.kind) {
    case "moved":
      return null;
    case "dirty": {
      const files = result.files.slice(0, 5);
      const rest = result.files.length > 5 ? ` and ${result.files.length - 5} more` : "";
      const detail = `${intent.base} is checked out in ${folder} with changes of its own: ${files.join(", ")}${rest}`;
      return refused("base-dirty", detail, { files });
    }
    case "behind": {
      const what = `its files are those of an earlier commit, ${short(result.at)}: ${intent.base} was moved under them`;
      const how = `git -C ${folder} read-tree -m -u ${short(result.at)} HEAD`;
      const detail = `${intent.base} is checked out in ${folder}, and ${what}; to commit them would undo what came since`;
      return refused("base-dirty", `${detail}; to bring them forward: ${how}`);
    }
    case "failed":
      return result.detail;
  }
}

/** The far end needs the candidate's objects before its checkout can go there. */
async function carry(hands: Hands, intent: Land): Promise<void> {
  const args = [...LOCAL_ONLY, "push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no"];
  const spec = `+${intent.candidate}:${candidateRef(intent)}`;
  await output(atHome(hands, [...args, hands.far.path, spec]), "hand over the candidate");
}
