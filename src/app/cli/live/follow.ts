import { setTimeout as pause } from "node:timers/promises";
import { isTaskFact } from "../../../domain/fact.ts";
import type { TaskId } from "../../../domain/names.ts";
import { Board } from "../../../engine/board.ts";
import type { Ticked } from "../../../engine/parts.ts";
import type { Holder, LoggedTick, Reader } from "../../../ports/store.ts";

const LOOK_MS = 250;
/** Of its time at most one part in so many goes into reading the rows again: those of a large backlog take a while. */
const SHARE = 5;
const BATCH = 256;

export interface Following {
  readonly reader: Reader;
  /** other tasks' facts and inputs are left out; null: all */
  readonly only: ReadonlySet<TaskId> | null;
  readonly signal: AbortSignal;
  /** each tick that is committed from now on, with the rows as they are after the newest one */
  readonly tick: (ticked: Ticked) => void;
  /** it is another processor now; null: nobody holds the store */
  readonly holder: (holder: Holder | null) => void;
}

/**
 * Follows the log of a store without the lease, until the processor that was seen ends or the signal aborts. Looks every
 * 250 ms; only what was committed is told, each tick once and in order.
 */
export async function follow({ reader, signal, only, ...told }: Following, from: number): Promise<void> {
  let [last, epoch, rest] = [from, 0, LOOK_MS];
  while (!signal.aborted) {
    // asked first: what it committed before it ended is in the ticks then
    const holder = await reader.holder();
    const ticks = await reader.ticks(last, BATCH);
    if (ticks.length > 0) {
      const started = performance.now();
      const board = new Board(await reader.load());
      rest = Math.max(LOOK_MS, (performance.now() - started) * SHARE);
      for (const tick of ticks) told.tick(seen(tick, only, board));
      last = ticks.at(-1)!.seq;
      if (ticks.length === BATCH) continue;
    }
    if (holder?.alive && holder.epoch !== epoch) {
      epoch = holder.epoch;
      told.holder(holder);
    }
    if (epoch > 0 && !holder?.alive && ticks.length === 0) return told.holder(null);
    await pause(rest, undefined, { signal }).catch(() => {});
  }
}

function seen({ seq, now, inputs, facts }: LoggedTick, only: Following["only"], board: Board): Ticked {
  if (only === null) return { seq, now, inputs, facts, board };
  return {
    seq,
    now,
    inputs: inputs.filter((input) => "task" in input && input.task !== null && only.has(input.task)),
    facts: facts.filter((fact) => isTaskFact(fact) && only.has(fact.task)),
    board,
  };
}
