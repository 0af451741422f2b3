import type { Owner } from "../../tactics/worker-hands.ts";
import { answerInTime, type Waiting } from "./answer-in-time.ts";
import { answerIn, mailboxOf } from "./mailbox.ts";

/** An owner on the other side of the run's mailbox: its answer, or null when none has come in time; then the worker is parked. */
export const ownerBeyond = (runDir: string, waiting: Waiting): Owner => ({
  async answer(_submission, { signal }) {
    const seq = mailboxOf(runDir).at(-1)?.seq ?? 0;
    return answerInTime(() => answerIn(runDir, seq), waiting, signal);
  },
});
