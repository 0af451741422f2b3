import { posix } from "node:path";
import type { Clock } from "../../ports/clock.ts";
import type { FileLock, TakeLock } from "../../ports/files.ts";
import { Refused } from "./refusal.ts";
import type { Desk } from "./settle.ts";

export interface LockParts {
  readonly lock: TakeLock;
  readonly clock: Clock;
  /** ends the waiting for another editor */
  readonly signal?: AbortSignal;
}

const PAUSE_MS = 20;
const NEVER = new AbortController().signal;

/** Does the work while no other editor of this folder, in any process, writes. Refused with IO after so many ms. */
export async function withLock<T>(
  { lock, clock, signal = NEVER, desk, waitMs }: LockParts & { readonly desk: Desk; readonly waitMs: number },
  work: (held: FileLock) => Promise<T>,
): Promise<T> {
  makeFolder(desk);
  const until = clock.read().mono + waitMs;
  for (;;) {
    const held = await lock(posix.join(desk.journalDir, "lock"));
    if (held !== null) return await whileHeld(held, work);
    if (signal.aborted || clock.read().mono >= until) throw busy(desk, waitMs);
    await clock.sleep(PAUSE_MS, signal);
  }
}

async function whileHeld<T>(held: FileLock, work: (held: FileLock) => Promise<T>): Promise<T> {
  try {
    return await work(held);
  } finally {
    held.release();
  }
}

function makeFolder({ files, journalDir }: Desk): void {
  const { real, missing } = files.resolve(journalDir);
  missing.forEach((_, i) => {
    const folder = posix.join(real, ...missing.slice(0, i + 1));
    try {
      files.mkdir(folder);
    } catch (error) {
      // Another editor was faster.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  });
}

const busy = ({ root }: Desk, waitMs: number): Refused =>
  new Refused({
    code: "IO",
    path: "",
    message: `another editor has been writing below ${root} for ${Math.round(waitMs / 1_000)} s`,
    hint: "wait for it to end, then try again",
  });

/** Whoever takes the lock's file away lets a second editor in: then nobody writes. */
export const lockLost = (journalDir: string): Refused =>
  new Refused({
    code: "IO",
    path: "",
    message: `the lock in ${journalDir} was taken away while it was held`,
    hint: "leave that folder alone, and try again",
  });
