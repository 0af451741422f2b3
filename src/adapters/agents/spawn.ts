import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import { type Instant, parseLeg } from "../../domain/names.ts";
import type { SpawnOrder } from "../../ports/runtime.ts";
import { hasLocalOrigin } from "./base.ts";
import { type Claim, findLeg, readClaim } from "./leg.ts";
import type { HostParts } from "./parts.ts";
import { copyFiles, writeRunFolder } from "./run-folder.ts";
import { startDriver } from "./start-driver.ts";
import { prepareWorktree } from "./worktree.ts";

/** Worktree, run folder, driver: each step finds what an earlier try of it left, so the whole may be repeated by anybody. */
export async function spawnLeg(order: SpawnOrder, parts: HostParts, signal: AbortSignal): Promise<EffectResult> {
  const { wish, brief } = order;
  parseLeg(wish.leg);
  const there = findLeg(parts.state, wish.leg);
  const earlier = there && readClaim(there);
  if (earlier) return made(earlier, parts, true);
  try {
    const worktree = await prepareWorktree(wish, { ...parts, signal });
    if ("kind" in worktree) return worktree;
    signal.throwIfAborted();
    copyFiles(brief.copy, worktree, parts);
    const { base } = wish.place;
    const baseRef = (await hasLocalOrigin({ ...parts, signal })) ? `origin/${base}` : base;
    const at = writeRunFolder(order, { ...worktree, baseRef }, parts);
    const started = await startDriver(at, parts, signal);
    if (typeof started === "string") return later(started, parts);
    return made(started.claim, parts, started.claim.driver.pid !== started.pid);
  } catch (error) {
    if (error instanceof PawlError && error.code === "BASE_UNSEEN") return later(error.message, parts);
    throw error;
  }
}

const made = (claim: Claim, { name }: HostParts, found: boolean): EffectResult => ({
  kind: "done",
  made: { what: "leg", leg: claim.leg, host: name, at: claim.at as Instant },
  found,
});

const later = (detail: string, { clock }: HostParts): EffectResult => ({
  kind: "later",
  until: Math.round(clock.read().wall + 30_000) as Instant,
  owner: "host",
  detail,
});
