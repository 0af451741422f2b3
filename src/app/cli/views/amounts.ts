import type { Marks } from "./marks.ts";

/** `$0.77`; money that nobody reported is unknown, never 0. */
export const money = (microUsd: number | null, { unknown }: Pick<Marks, "unknown">): string =>
  microUsd === null ? unknown : `$${(microUsd / 1e6).toFixed(2)}`;

/** An amount with its bound, where it has one: `4 of 8`. */
export const bounded = (amount: string, bound: string | null): string =>
  bound === null ? amount : `${amount} of ${bound}`;

/** `1 task`, `2 tasks` */
export const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

export const short = (commit: string): string => commit.slice(0, 7);
