import type { Instant } from "../../../domain/names.ts";
import type { Task } from "../../../domain/task.ts";
import type { Reader } from "../../../ports/store.ts";
import { type Visit, visitsFold } from "../views/history.ts";

const PAGE = 500;

/** The visits of a task, from the log. Only the part of the log between its start and its end is read. */
export async function historyIn(
  reader: Pick<Reader, "ticks" | "load">,
  task: Task,
  last: number,
): Promise<readonly Visit[]> {
  if (task.started === null) return [];
  const fold = visitsFold(task.id);
  for (let after = await firstAt(reader, task.started, last); ; ) {
    const ticks = await reader.ticks(after, PAGE);
    for (const tick of ticks) fold.take(tick);
    const end = ticks.at(-1);
    if (ticks.length < PAGE || end === undefined || (task.finished !== null && end.now > task.finished))
      return fold.visits();
    after = end.seq;
  }
}

/** The number of the last tick before that time: they are in order of time, so it is found by halving. */
async function firstAt(reader: Pick<Reader, "ticks">, time: Instant, last: number): Promise<number> {
  let [low, high] = [0, last];
  while (high - low > PAGE / 4) {
    const middle = Math.floor((low + high) / 2);
    const [tick] = await reader.ticks(middle, 1);
    if (tick !== undefined && tick.now < time) low = middle;
    else high = middle;
  }
  return low;
}
