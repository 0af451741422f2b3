import { existsSync } from "node:fs";
import { join } from "node:path";
import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import { type Instant, parseLeg } from "../../domain/names.ts";
import { fullDisk } from "../../ports/full-disk.ts";
import type { SpawnOrder } from "../../ports/runtime.ts";
import { notHere, type Refused, theirs } from "./answers.ts";
import { noteFork } from "./fork.ts";
import { fullWords, isFull } from "./full-disk.ts";
import { type Claim, findLeg, type LegPlace, legPlace, legsUpTo, readClaim, readDrive } from "./leg.ts";
import { hasLocalOrigin } from "./local-origin.ts";
import { lockWords } from "./lock.ts";
import type { HostParts } from "./parts.ts";
import { copyFiles, type Found, writeRunFolder } from "./run-folder.ts";
import { startDriver } from "./start-driver.ts";
import { theirPaths } from "./theirs.ts";
import { prepareWorktree } from "./worktree.ts";

/** Worktree, run folder, driver: each step finds what an earlier try of it left, so the whole may be repeated by anybody. */
export async function spawnLeg(order: SpawnOrder, parts: HostParts, signal: AbortSignal): Promise<EffectResult> {
  const { wish } = order;
  parseLeg(wish.leg);
  const there = findLeg(parts.state, wish.leg);
  const earlier = there && readClaim(there);
  if (earlier) return made(earlier, parts, true);
  const prepared = await prepare(order, parts, signal);
  if ("kind" in prepared) return prepared;
  const started = await startDriver(prepared.at, parts, signal);
  if (typeof started === "string") return notBegun(started, prepared.at, parts);
  return made(started.claim, parts, started.claim.driver.pid !== started.pid);
}

/** Nobody has begun before the driver is started, so what fails here is certainly not done. */
async function prepare(
  order: SpawnOrder,
  parts: HostParts,
  signal: AbortSignal,
): Promise<{ readonly at: LegPlace } | Refused> {
  const { wish, brief } = order;
  const before = earlierLeg(order, parts);
  try {
    if (before) return { at: writeRunFolder(order, before, parts) };
    const worktree = await prepareWorktree(wish, { ...parts, signal });
    if ("kind" in worktree) return worktree;
    signal.throwIfAborted();
    await noteFork(wish, { ...parts, signal });
    copyFiles(brief.copy, worktree, parts);
    const { base } = wish.place;
    const baseRef = (await hasLocalOrigin({ ...parts, signal })) ? `origin/${base}` : base;
    const theirs = await theirPaths(wish, { ...parts, signal });
    return { at: writeRunFolder(order, { ...worktree, baseRef, theirs }, parts) };
  } catch (error) {
    if (signal.aborted || !isOfMachine(error)) throw error;
    const inTheWay = lockWords(error.message, parts) ?? fullWords(error, parts);
    return inTheWay === null ? notHere(error.message, parts) : theirs(inTheWay, parts);
  }
}

/** A driver that finds no room for its claim cannot even say so. */
const notBegun = (why: string, { folder }: LegPlace, parts: HostParts): Refused =>
  isFull(folder) ? theirs(fullDisk(folder, why), parts) : notHere(why, parts);

/** A later leg stands where the one before it stood, whatever the branch has become since: its run goes on. */
function earlierLeg({ wish }: SpawnOrder, { state }: HostParts): Found | null {
  const before = legsUpTo(legPlace(state, wish.leg, wish.phase)).at(-2);
  const drive = before ? readDrive(before) : null;
  if (drive === null || !existsSync(join(drive.worktree, ".git"))) return null;
  const { worktree, gitDir, baseRef, waived } = drive;
  return { path: worktree, gitDir, baseRef, theirs: waived };
}

/** Git that says no, a disk that is full, a folder that may not be written: waiting with the reason, not an effect in doubt. */
const isOfMachine = (error: unknown): error is Error =>
  error instanceof PawlError || (error instanceof Error && "syscall" in error);

const made = (claim: Claim, { name }: HostParts, found: boolean): EffectResult => ({
  kind: "done",
  made: { what: "leg", leg: claim.leg, host: name, at: claim.at as Instant },
  found,
});
