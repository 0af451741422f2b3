import type { Clock } from "../../ports/clock.ts";
import type { Owner } from "../../tactics/worker-hands.ts";
import { answerIn, mailboxOf } from "./mailbox.ts";

/** So long a worker waits alive: who is quick spares it a new leg. */
const WAIT_MS = 5_000;
const LOOK_MS = 100;

/** An owner on the other side of the run's mailbox: its answer, or null when none has come in time; then the worker is parked. */
export const ownerBeyond = (runDir: string, clock: Clock): Owner => ({
  async answer(_submission, { signal }) {
    const seq = mailboxOf(runDir).at(-1)?.seq ?? 0;
    const end = clock.read().mono + WAIT_MS;
    for (;;) {
      const answer = answerIn(runDir, seq);
      if (answer !== null || clock.read().mono > end || signal.aborted) return answer;
      await clock.sleep(LOOK_MS, signal);
    }
  },
});
