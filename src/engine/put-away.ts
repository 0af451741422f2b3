import type { Input } from "../domain/input.ts";
import type { Probe } from "../ports/probe.ts";
import type { Signals } from "../ports/signals.ts";
import type { Board } from "./board.ts";

interface On {
  readonly board: Board;
  readonly signals: ReadonlyMap<string, Signals>;
  readonly probe: Probe;
}

/** An answer that is in its row may be forgotten at its source; one about a commit that is not there yet may not. */
export async function putAway(
  { task, signal, answer }: Extract<Input, { kind: "signal-seen" }>,
  on: On,
): Promise<void> {
  const row = on.board.rows.get(task);
  if (answer.status === "pending" || (row && !row.answers.includes(answer.id))) return;
  await forget(signal, [answer.id], on);
}

/**
 * What an earlier life answered and did not put away, before anything is asked again: a rejection that still lay there
 * then would take the approval along that is meant for the next question.
 */
export async function putAwayEarlier(on: On): Promise<void> {
  const ids = [...on.board.rows.values()].flatMap(({ answers }) => answers);
  if (ids.length > 0) for (const signal of on.signals.keys()) await forget(signal, ids, on);
}

async function forget(signal: string, ids: readonly string[], { signals, probe }: On): Promise<void> {
  try {
    await signals.get(signal)?.taken?.(ids);
  } catch (error) {
    // it comes again, is known by its id, and is put away then
    const message = error instanceof Error ? error.message : String(error);
    probe.record({ event: "answer_kept", signal, answer: ids.join(" "), error: message });
  }
}
