import { join } from "node:path";
import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import { RUN_FILES } from "../../protocol/run-folder.ts";
import { fileMark, type LegPlace } from "./leg.ts";
import { isAtGate } from "./submitted.ts";

/** Time that a living leg spends waiting for answers: it counts for no limit (architecture 5.6). */
export interface GateTime {
  /** looks, and says whether it waits just now */
  waits(): boolean;
  /** so far, as of the last look */
  total(): Ms;
}

export function countGateTime(at: LegPlace, clock: Clock): GateTime {
  const folders = [RUN_FILES.outbox, RUN_FILES.inbox].map((name) => join(at.run, name));
  let marks = "";
  let isWaiting = false;
  let since = clock.read().mono;
  let total = 0;
  return {
    waits() {
      const now = clock.read().mono;
      if (isWaiting) total += now - since;
      since = now;
      // only where a folder changed is it read
      const found = JSON.stringify(folders.map(fileMark));
      if (found !== marks) isWaiting = isAtGate(at);
      marks = found;
      return isWaiting;
    },
    total: () => Math.round(total),
  };
}
