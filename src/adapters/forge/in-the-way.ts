import { statSync } from "node:fs";
import { normalize } from "node:path";
import type { EffectResult } from "../../domain/input.ts";
import { later } from "./answers.ts";
import { atFar, type Hands, output } from "./refs.ts";

/** It is looked at again by itself after so long: the person only has to take away what is in the way. */
const LOOK_MS = 10_000;
export const theirs = (hands: Hands, detail: string): EffectResult => later("human", detail, hands.now() + LOOK_MS);

/** A lock that git met, with its age; null: what git said is of none. */
export function locked(hands: Hands, said: string): EffectResult | null {
  const name = /Unable to create '([^']+\.lock)'/.exec(said)?.[1];
  if (name === undefined) return null;
  const lock = normalize(name);
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  const age = since === undefined ? "" : `, ${ageOf(hands.now() - since)} old`;
  return theirs(
    hands,
    `${lock} is there${age}: another git is at work, or one was killed; if none runs, remove that file`,
  );
}

const ageOf = (ms: number): string => {
  const [minutes, hours] = [ms / 60_000, ms / 3_600_000];
  if (hours >= 2) return `${Math.floor(hours)} hours`;
  return minutes >= 2 ? `${Math.floor(minutes)} minutes` : `${Math.max(0, Math.round(ms / 1_000))} s`;
};

/** Git cannot hold both `a` and `a/b` as branches. The far end's branches that keep `branch` from being made. */
export async function nameFault(hands: Hands, branch: string): Promise<EffectResult | null> {
  const parts = branch.split("/");
  const above = parts.slice(1).map((_, i) => `refs/heads/${parts.slice(0, i + 1).join("/")}`);
  const args = ["for-each-ref", "--format=%(refname)", `refs/heads/${branch}/`, ...above];
  const found = (await output(atFar(hands, args), "list branches")).split("\n").filter(Boolean);
  // `a` as a pattern finds `a/b` too
  const inTheWay = found.filter((ref) => above.includes(ref) || ref.startsWith(`refs/heads/${branch}/`));
  if (inTheWay.length === 0) return null;
  const names = inTheWay.map((ref) => ref.slice("refs/heads/".length)).join(", ");
  const where = hands.far.self ? "" : ` in ${hands.far.path}`;
  const how = `git${hands.far.self ? "" : ` -C ${hands.far.path}`} branch -m ${inTheWay[0]!.slice("refs/heads/".length)} NEWNAME`;
  return theirs(hands, `${branch} cannot be made${where} beside a branch called ${names}: rename that one (${how})`);
}
