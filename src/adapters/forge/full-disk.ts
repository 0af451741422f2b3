import { statfsSync } from "node:fs";
import { PawlError } from "../../domain/errors.ts";
import type { EffectResult } from "../../domain/input.ts";
import { fullDisk, saysNoRoom } from "../../ports/full-disk.ts";
import { theirs } from "./in-the-way.ts";
import type { Hands } from "./refs.ts";

/** Git could not write for want of room: it waits until a person made some. Null: what git said is of something else. */
export function noRoom(hands: Hands, said: string): EffectResult | null {
  if (!saysNoRoom(said)) return null;
  const { far, repo } = hands;
  const folder = !isFull(far.path) && isFull(repo) ? repo : far.path;
  return theirs(hands, fullDisk(folder));
}

/** The same of an error; one that is of something else is thrown again. */
export function unlessNoRoom(hands: Hands, error: unknown): EffectResult {
  const found = error instanceof PawlError && error.code === "GIT_FAILED" ? noRoom(hands, error.message) : null;
  if (found === null) throw error;
  return found;
}

function isFull(folder: string): boolean {
  try {
    return statfsSync(folder).bavail === 0;
  } catch {
    return false;
  }
}
