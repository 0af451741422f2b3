import { statfsSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import { fullDisk, isNoRoom, saysNoRoom } from "../../ports/full-disk.ts";
import type { HostParts } from "./parts.ts";

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

/** What failed for want of room, in words with what to do; null: it failed for something else. */
export function fullWords(error: Error, { state, worktreeRoot, repo }: HostParts): string | null {
  if (!isNoRoom(error) && !saysNoRoom(error.message)) return null;
  const folder = [join(state, "runs"), worktreeRoot, repo].find(isFull) ?? state;
  return fullDisk(folder, error.message);
}

/** Writes as soon as there is room; `wasFull` tells a later try. Every other error is thrown. */
export async function whenThereIsRoom(write: (wasFull: boolean) => void, clock: Clock): Promise<void> {
  for (let wasFull = false; ; wasFull = true) {
    try {
      return write(wasFull);
    } catch (error) {
      if (!isNoRoom(error)) throw error;
    }
    await clock.sleep(AGAIN_MS, NEVER);
  }
}
