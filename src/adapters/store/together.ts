import type { Tick } from "../../ports/store.ts";

/** Ticks that are written in one transaction, in their order: each row stands in the last one alone, as that has it. */
export function together(ticks: readonly Tick[]): readonly Tick[] {
  if (ticks.length < 2) return ticks;
  const bare = ticks.slice(0, -1).map((tick): Tick => ({ ...tick, rows: [], seeds: [], backlog: null }));
  const rows = newest(ticks.flatMap((tick) => tick.rows));
  const seeds = newest(ticks.flatMap((tick) => tick.seeds));
  const backlog = ticks.reduce<Tick["backlog"]>((last, tick) => tick.backlog ?? last, null);
  return [...bare, { ...ticks.at(-1)!, rows, seeds, backlog }];
}

/** Of several of one id the last one. */
export const newest = <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** Whether there are some, and each follows the one before it. */
export const isSequence = (ticks: readonly Tick[]): boolean =>
  ticks.length > 0 && ticks.every(({ seq }, i) => seq === ticks[0]!.seq + i);
