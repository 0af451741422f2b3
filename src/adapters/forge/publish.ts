import type { EffectResult } from "../../domain/input.ts";
import type { Commit } from "../../domain/names.ts";
import type { ForgeTrace } from "../../ports/forge.ts";
import { done, refused } from "./answers.ts";
import { noRoom } from "./full-disk.ts";
import { locked, nameFault, theirs } from "./in-the-way.ts";
import { atFar, atHome, farHas, farTip, type Hands, homeHas, isBefore, short } from "./refs.ts";

export type Publish = Extract<ForgeTrace, { kind: "publish" }>;

/** Moves the task branch at the far end from `from` to `to`: a fast-forward that names the old commit. */
export async function publish(hands: Hands, intent: Publish): Promise<EffectResult> {
  const { branch, from, to } = intent;
  const tip = await farTip(hands, branch);
  if (tip === to) return done({ what: "nothing" }, true);
  const fault = (await foreignFault(hands, intent, tip)) ?? movedFault(intent, tip) ?? (await pathFault(hands, intent));
  if (fault !== null) return fault;
  const said = await moveBranch(hands, { branch, from, to });
  return said === null ? done({ what: "nothing" }) : await whyNot(hands, intent, said);
}

/** Whether the branch at the far end is at `to` or after it: published, and perhaps gone on since. */
export async function isPublished(hands: Hands, { branch, to }: Publish): Promise<boolean> {
  const tip = await farTip(hands, branch);
  if (tip === null || !(await farHas(hands, to))) return false;
  return isBefore(hands, to, tip);
}

/** Why a branch that is at `tip` is not the one that the intent expects; null: it is. */
export function movedFault({ branch, from, to }: Publish, tip: Commit | null): EffectResult | null {
  if (tip === from) return null;
  if (tip === null) return refused("branch-gone", `${branch} was at ${short(from)} and is gone`);
  const detail = `${branch} is at ${short(tip)}, not at ${short(from)}; it is not moved to ${short(to)}`;
  return refused("head-moved", detail, { actual: tip });
}

/** A branch that was there before we ever published, and has nothing to do with the work: somebody else's of that name. */
async function foreignFault(
  hands: Hands,
  { branch, from, to }: Publish,
  tip: Commit | null,
): Promise<EffectResult | null> {
  if (from !== null || tip === null || (await isRelated(hands, tip, to))) return null;
  const where = hands.far.self ? "there" : `in ${hands.far.path}`;
  const detail = `a branch ${branch} is ${where} already, at ${short(tip)}, and is none of this task's`;
  return theirs(hands, `${detail}: rename or delete it, or merge it into the task's branch if it belongs to it`);
}

/** Whether one is before the other. */
export async function isRelated(hands: Hands, tip: Commit, to: Commit): Promise<boolean> {
  if (!(await homeHas(hands, tip))) return (await farHas(hands, to)) && isBefore(hands, to, tip);
  const before = async (a: Commit, b: Commit) =>
    (await atHome(hands, ["merge-base", "--is-ancestor", a, b])).code === 0;
  return (await before(tip, to)) || (await before(to, tip));
}

/** Why `to` cannot come next on the branch; null: it can. */
export async function pathFault(hands: Hands, { branch, from, to }: Publish): Promise<EffectResult | null> {
  if (!(await homeHas(hands, to))) return refused("invalid", `there is no commit ${short(to)} in the repository`);
  if (from === null) return null;
  const { code } = await atHome(hands, ["merge-base", "--is-ancestor", from, to]);
  if (code === 0) return null;
  return refused("not-fast-forward", `${short(to)} does not go on from ${short(from)}: ${branch} stays`, {
    actual: from,
  });
}

/**
 * Compare-and-swap of a branch at the far end (`from` null: create). Null: it moved; else what git said. The lease
 * names the old commit, and the far end checks it again under its own lock: of two racing pushes one wins.
 */
export async function moveBranch(
  hands: Hands,
  { branch, from, to }: { branch: string; from: Commit | null; to: Commit },
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  const result = hands.far.self
    ? await atFar(hands, ["update-ref", "-m", `pawl: ${branch}`, ref, to, from ?? ""])
    : await atHome(hands, [...PUSH, `--force-with-lease=${ref}:${from ?? ""}`, hands.far.path, `${to}:${ref}`]);
  return result.code === 0 ? null : (result.stderr + result.stdout).trim();
}

/** No machine but this one is ever reached, whatever the user's configuration makes of a path or a submodule. */
export const LOCAL_ONLY = ["-c", "protocol.allow=never", "-c", "protocol.file.allow=always"];
const PUSH = [...LOCAL_ONLY, "push", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"];

/** The far end said no: what is there now tells a race from a hook or a rule of theirs. */
async function whyNot(hands: Hands, intent: Publish, said: string): Promise<EffectResult> {
  const tip = await farTip(hands, intent.branch);
  if (tip === intent.to) return done({ what: "nothing" }, true);
  return (
    movedFault(intent, tip) ??
    locked(hands, said) ??
    noRoom(hands, said) ??
    (tip === null ? await nameFault(hands, intent.branch) : null) ??
    refused("denied", `${intent.branch} was not moved: ${said}`, { actual: tip })
  );
}
