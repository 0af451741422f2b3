import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { HostParts } from "./parts.ts";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);
/** as git says it */
const SAID = /no space left on device|disk quota exceeded/i;
const AGAIN_MS = 500;
const NEVER = new AbortController().signal;

/** Whether the disk of a folder has no room for one more block or file; no, where that cannot be told. */
export function isFull(folder: string): boolean {
  try {
    const { bavail, files, ffree } = statfsSync(folder);
    return bavail === 0 || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
}

export const fullDisk = (folder: string): string => `the disk of ${folder} is full`;

/** What failed for want of room, in words with what to do; null: it failed for something else. */
export function fullWords(error: Error, { state, worktreeRoot, repo }: HostParts): string | null {
  if (!FULL.has((error as NodeJS.ErrnoException).code) && !SAID.test(error.message)) return null;
  const folder = [join(state, "runs"), worktreeRoot, repo].find(isFull) ?? state;
  return `${fullDisk(folder)}: make room there (${error.message})`;
}

/** Writes as soon as there is room; `wasFull` tells a later try. Every other error is thrown. */
export async function whenThereIsRoom(write: (wasFull: boolean) => void, clock: Clock): Promise<void> {
  for (let wasFull = false; ; wasFull = true) {
    try {
      return write(wasFull);
    } catch (error) {
      if (!FULL.has((error as NodeJS.ErrnoException).code)) throw error;
    }
    await clock.sleep(AGAIN_MS, NEVER);
  }
}
