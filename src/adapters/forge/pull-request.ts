import type { EffectResult } from "../../domain/input.ts";
import type { Commit } from "../../domain/names.ts";
import type { ForgeTrace } from "../../ports/forge.ts";
import { cut, done, later, refused } from "./answers.ts";
import { type FarRefs, readFar } from "./far-refs.ts";
import { createPull, type Held, isOpen, movePull, pullOf, urlOf } from "./pulls.ts";
import { atFar, type Hands, output, short } from "./refs.ts";

export type Open = Extract<ForgeTrace, { kind: "open-pr" }>;
export type Ready = Extract<ForgeTrace, { kind: "mark-ready" }>;

export const TITLE_LIMIT = 256;
export const BODY_LIMIT = 60_000;
/** How often a lost compare-and-swap is tried again. Each loss is somebody else's success, so few are enough. */
const TRIES = 20;

/** Opens a draft, or finds the one that this effect, or this branch, already has. */
export async function openPull(hands: Hands, intent: Open, body: string): Promise<EffectResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const far = await readFar(hands, [intent.branch, intent.base]);
    const mine = byKey(far, intent) ?? far.pulls.findLast(({ pull }) => isOpen(pull) && pull.branch === intent.branch);
    if (mine) return made(mine.pull.number, true);
    const fault = await openFault(hands, far, intent);
    if (fault !== null) return fault;
    // a number taken meanwhile may be this very branch's: look again before the next one
    const number = far.highest + 1;
    if (await createPull(hands, draft(hands, intent, { number, body }))) return made(number, false);
  }
  return later("forge", `no number for a pull request of ${intent.branch} after ${TRIES} tries`, hands.now() + 5_000);
}

/**
 * The pull request that this very effect made. Keys begin anew with a store that was lost: one that is over counts only
 * with this very head, or the work of an earlier life would pass for this one's.
 */
export const byKey = ({ pulls }: FarRefs, { key, head }: Open): Held | null =>
  pulls.findLast(({ pull }) => pull.key === key && (isOpen(pull) || pull.head === head)) ?? null;

const made = (number: number, found: boolean): EffectResult => done({ what: "pr", url: urlOf(number) }, found);

async function openFault(hands: Hands, far: FarRefs, intent: Open): Promise<EffectResult | null> {
  const { branch, base, head } = intent;
  const fault = headFault(far, intent);
  if (fault !== null) return fault;
  const tip = far.tips.get(base);
  if (tip === undefined) return refused("base-gone", `there is no branch ${base} to open it against`);
  const ahead = await output(atFar(hands, ["rev-list", "--count", `${tip}..${head}`, "--"]), "count commits ahead");
  return Number(ahead) > 0 ? null : refused("nothing-to-do", `${branch} has no commits ahead of ${base}`);
}

/** Why a write that is meant for `head` must not happen, or null where the branch is there. */
export function headFault(
  { tips }: Pick<FarRefs, "tips">,
  { branch, head }: { branch: string; head: Commit },
): EffectResult | null {
  const tip = tips.get(branch) ?? null;
  if (tip === head) return null;
  if (tip === null) return refused("branch-gone", `there is no branch ${branch}`);
  return refused("head-moved", `${branch} is at ${short(tip)}, not at ${short(head)}`, { actual: tip });
}

const draft = (hands: Hands, intent: Open, { number, body }: { number: number; body: string }) => ({
  version: 1,
  number,
  key: intent.key,
  task: intent.task,
  branch: intent.branch,
  base: intent.base,
  title: cut(intent.title.replace(/\s+/g, " ").trim() || intent.task, TITLE_LIMIT),
  body: cut(body, BODY_LIMIT),
  state: "draft" as const,
  head: intent.head,
  merged: null,
  opened_at: new Date(hands.now()).toISOString(),
});

/** draft -> open. */
export async function markReady(hands: Hands, intent: Ready): Promise<EffectResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const far = await readFar(hands, [intent.branch]);
    const one = pullOf(far.pulls, intent);
    if (one === null || one.pull.state === "closed") return refused("closed", `${intent.pr} is closed`);
    if (one.pull.state !== "draft") return made(one.pull.number, true);
    const fault = headFault(far, intent);
    if (fault !== null) return fault;
    if (await movePull(hands, one, { state: "open" })) return made(one.pull.number, false);
  }
  return later("forge", `${intent.pr} could not be marked ready: its ref is locked`, hands.now() + 5_000);
}
