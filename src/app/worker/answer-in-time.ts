import type { Ms } from "../../domain/names.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Answer } from "../../protocol/answer.ts";

/** So long a worker waits alive, where nobody says otherwise: who is quick spares it a new leg. */
export const WAIT_MS = 5_000;
const LOOK_MS = 100;

/** How a worker waits for what somebody else has to say. */
export interface Waiting {
  readonly clock: Clock;
  /** 0: it looks once */
  readonly waitMs: Ms;
}

/** The answer that `look` finds, or null when none has come in time or `signal` has ended it; then the worker is parked. */
export async function answerInTime(
  look: () => Answer | null,
  { clock, waitMs }: Waiting,
  signal: AbortSignal,
): Promise<Answer | null> {
  const end = clock.read().mono + waitMs;
  for (;;) {
    const answer = look();
    if (answer !== null || clock.read().mono >= end || signal.aborted) return answer;
    await clock.sleep(LOOK_MS, signal);
  }
}
